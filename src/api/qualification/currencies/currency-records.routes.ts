import { z } from 'zod'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, staff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { localDate, wallToInstant } from '../../../shared/platform/kernel/zones.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findFlightsSince } from '../../../shared/qualification/currencies/currency.queries.ts'
import { findCurrencyStates } from '../../../shared/qualification/currencies/currency-state.queries.ts'
import {
  type CurrencyOfMember,
  endCurrency,
  resumeCurrency,
} from '../../../shared/qualification/currencies/end-currency.ts'
import { recordCurrency } from '../../../shared/qualification/currencies/record-currency.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { CurrencyOfMemberParams, EndCurrencyBody, RecordCurrencyBody } from './currencies.schemas.ts'
import { CurrencyRecord, currencyRecordView } from './currency.view.ts'

const tag = 'Currencies'

/** The endpoints of members' states in currencies, and of the dates that are recorded for them. */
export const currencyRecordRoutes: Routes = (on) => {
  on.get('/currencies/me', {
    id: 'readOwnCurrencies',
    access: 'member',
    tag,
    summary: 'List the states of the caller’s currencies',
    description:
      'Lists the state of the caller in each currency, with the evidence that counts and the action that would ' +
      'restore it, by 14 CFR 61.23(d), 61.56, 61.57 and 61.197.',
    query: ListQuery,
    answers: { 200: envelope(z.array(CurrencyRecord)) },
    errors: [platformErrors.noSuchRecord],
    read: async ({ db, actor, now, query }) =>
      page(
        await listPage(
          listOf(await currencyRecordsOf(db, actor, actor.orgUserId, now), ({ place }) => place),
          query,
          ({ shown }) => shown,
        ),
      ),
  })

  on.get('/orgUsers/:id/currencies', {
    id: 'readMemberCurrencies',
    access: 'member',
    tag,
    summary: 'List the states of a member’s currencies',
    description:
      'Lists the state of a member in each currency, with the evidence that counts and the action that would ' +
      'restore it, by 14 CFR 61.23(d), 61.56, 61.57 and 61.197. Allowed for the member and for staff.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(CurrencyRecord)) },
    read: async ({ db, actor, now, params, query }) => {
      const records = await currencyRecordsOf(db, actor, params.id, now)
      if (params.id !== actor.orgUserId && !is(actor, staff)) throw platformErrors.notAllowed()
      return page(
        await listPage(
          listOf(records, ({ place }) => place),
          query,
          ({ shown }) => shown,
        ),
      )
    },
  })

  on.put('/orgUsers/:id/currencies/:currencyId', {
    id: 'recordMemberCurrency',
    access: staff,
    tag,
    summary: 'Record the dates of a member’s currency',
    description:
      'Replaces the recorded dates of a member’s currency, and their document. Currencies that are counted from ' +
      'flights have no recorded dates. The end follows from the regulation: 14 CFR 61.23(d) for a medical, ' +
      '61.56(c) for a flight review, 61.197 for an instructor certificate. When staff record their own currency, ' +
      'the admins are notified; their own medical or flight review needs a document that somebody else verified, ' +
      'unless they are the only staff. A registrar names the document of any medical or flight review. An ended ' +
      'currency takes new dates only with a verified document, and not from who ended it. With dates after its end it ' +
      'begins again; with others it stays ended.',
    params: CurrencyOfMemberParams,
    body: RecordCurrencyBody,
    answers: { 200: envelope(CurrencyRecord) },
    errors: [
      qualificationErrors.countedFromFlights,
      qualificationErrors.recordFieldMissing,
      qualificationErrors.recordFieldOfMedical,
      qualificationErrors.courseOfBasicMed,
      qualificationErrors.endOfRegulation,
      qualificationErrors.dateInFuture,
      qualificationErrors.provenForOneself,
      qualificationErrors.provenByRegistrar,
      qualificationErrors.expiryMissing,
      qualificationErrors.expiresBeforeCompleted,
      qualificationErrors.unknownDocument,
      qualificationErrors.provenAfterEnd,
      qualificationErrors.recordedByEnder,
    ],
    write: (tx, { actor, params, body }) =>
      recordCurrency(tx, actor, { orgUserId: params.id, currencyId: params.currencyId, ...body }),
    answer: async (of, { db, actor, now }) => ok(await currencyRecordOf(db, actor, of, now)),
  })

  on.post('/orgUsers/:id/currencies/:currencyId/end', {
    id: 'endMemberCurrency',
    access: 'member',
    tag,
    summary: 'End a member’s currency before its recorded end',
    description:
      'Ends a medical, an instructor certificate or an `expiring` currency (14 CFR 61.53, 61.23). From the start of ' +
      'the day `on` the member is not current: the status is `expired`, with `endedEarly`, and future bookings are ' +
      'judged again. Signed and billed flights do not change; admins see those flown since in `flightsSince`. ' +
      'Allowed for the member, admins, and instructors of their own students, but not of students who are enrolled with ' +
      'other instructors alone. The member and the admins are ' +
      'notified, without the reason and the note.\n\nThe currency begins again when an admin other than the member ' +
      'resumes it, or when dates after `on` are recorded with a verified document, by a person who did not end it.',
    params: CurrencyOfMemberParams,
    body: EndCurrencyBody,
    // So that no answer is stored that has the reason.
    secret: true,
    answers: { 200: envelope(CurrencyRecord) },
    errors: [
      qualificationErrors.computed,
      qualificationErrors.alreadyEnded,
      qualificationErrors.nothingToEnd,
      qualificationErrors.endOfOthers,
      qualificationErrors.dateInFuture,
      qualificationErrors.endTooOld,
      qualificationErrors.endBeforeRecord,
    ],
    write: (tx, { actor, params, body: { on, because, note } }) =>
      endCurrency(tx, actor, {
        orgUserId: params.id,
        currencyId: params.currencyId,
        on: localDate(on, actor.organization.timeZoneName),
        because,
        note,
      }),
    answer: async (of, { db, actor, now }) => ok(await currencyRecordOf(db, actor, of, now)),
  })

  on.post('/orgUsers/:id/currencies/:currencyId/resume', {
    id: 'resumeMemberCurrency',
    access: admins,
    tag,
    summary: 'Resume a currency that was ended',
    description:
      'Resumes a currency that was ended: its end, reason and note are removed, and the recorded dates count again (14 ' +
      'CFR 61.23, 61.197). Admins cannot resume their own currency. The member and the admins are notified.',
    params: CurrencyOfMemberParams,
    answers: { 200: envelope(CurrencyRecord) },
    errors: [qualificationErrors.notEnded, qualificationErrors.resumedByOthers],
    write: (tx, { actor, params }) =>
      resumeCurrency(tx, actor, { orgUserId: params.id, currencyId: params.currencyId }),
    answer: async (of, { db, actor, now }) => ok(await currencyRecordOf(db, actor, of, now)),
  })
}

/** Returns the states of a member in all currencies, each with its place in the list, as the answer shows them. */
async function currencyRecordsOf(db: Db, actor: Actor, orgUserId: number, now: Date) {
  const { organizationId, organization } = actor
  const member = await findOrgUser(db, organizationId, orgUserId)
  const zone = organization.timeZoneName
  const states = await findCurrencyStates(db, { organizationId, zone }, [member], now)
  const ended = states.flatMap(({ endedOn }) => (endedOn === null ? [] : [endedOn])).sort()[0]
  const listed = ended !== undefined && is(actor, admins)
  const since = listed && { orgUserId, from: wallToInstant(ended, 0, zone), to: now }
  const flights = since ? await findFlightsSince(db, organizationId, since) : []
  return states.map((state) => ({ place: state.place, shown: currencyRecordView(state, flights, actor) }))
}

async function currencyRecordOf(db: Db, actor: Actor, { orgUserId, currencyId }: CurrencyOfMember, now: Date) {
  const records = await currencyRecordsOf(db, actor, orgUserId, now)
  return records.find(({ shown }) => shown.currencyId === currencyId)!.shown
}
