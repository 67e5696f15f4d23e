import { z } from 'zod'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, staff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findCurrency, listCurrencies } from '../../../shared/qualification/currencies/currency.queries.ts'
import { findCurrencyStates } from '../../../shared/qualification/currencies/currency-state.queries.ts'
import { recordCurrency } from '../../../shared/qualification/currencies/record-currency.ts'
import {
  createCurrency,
  deleteCurrency,
  updateCurrency,
} from '../../../shared/qualification/currencies/write-currency.ts'
import { currencyErrors, qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { CurrencyBody, CurrencyOfMemberParams, CurrencyPatch, RecordCurrencyBody } from './currencies.schemas.ts'
import { Currency, CurrencyRecord, currencyRecordView, currencyView } from './currency.view.ts'

const tag = 'Currencies'

/** The endpoints of currencies and of members' records. */
export const currencyRoutes: Routes = (on) => {
  on.get('/currencies', {
    id: 'listCurrencies',
    access: 'member',
    tag,
    summary: 'List the currencies of the organization',
    description:
      'Lists the currencies that members need. `expiring` and `recent_flights` are rules of the school. The other ' +
      'kinds follow a regulation: `flight_review` (14 CFR 61.56), `passenger_day` and `passenger_night` (61.57(a), ' +
      '(b)), `instrument` (61.57(c)), `medical` (61.23) and `instructor_certificate` (61.197).',
    query: ListQuery,
    answers: { 200: envelope(z.array(Currency)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listCurrencies(db, actor.organizationId), query, currencyView)),
  })

  on.post('/currencies', {
    id: 'createCurrency',
    access: admins,
    tag,
    summary: 'Add a currency',
    description:
      'Adds a currency. With `enforcement` `block`, a booking is refused (`NOT_CURRENT`) when somebody on it is not ' +
      'current at its start. The kinds that follow a regulation apply 14 CFR 61.23, 61.56, 61.57(a) to (d) and ' +
      '61.197; `recent_flights` is a rule of the school and does not replace 61.57.',
    body: CurrencyBody,
    answers: { 201: envelope(Currency) },
    errors: currencyErrors,
    write: (tx, { actor, body }) => createCurrency(tx, actor, body),
    answer: async ({ id }, { db, actor }) => created(currencyView(await findCurrency(db, actor.organizationId, id))),
  })

  on.get('/currencies/:id', {
    id: 'readCurrency',
    access: 'member',
    tag,
    summary: 'Read a currency',
    description:
      'Returns one of the currencies that members of the organization need. The kinds that follow a regulation apply ' +
      '14 CFR 61.23, 61.56, 61.57 and 61.197.',
    params: IdParams,
    answers: { 200: envelope(Currency) },
    read: async ({ db, actor, params }) => ok(currencyView(await findCurrency(db, actor.organizationId, params.id))),
  })

  on.patch('/currencies/:id', {
    id: 'updateCurrency',
    access: admins,
    tag,
    edits: 'currency',
    summary: 'Change a currency',
    description:
      'Changes the fields that are sent, except the kind. A kind that follows a regulation still applies 14 CFR ' +
      '61.23, 61.56, 61.57 or 61.197.',
    params: IdParams,
    body: CurrencyPatch,
    answers: { 200: envelope(Currency) },
    errors: [...currencyErrors, qualificationErrors.kindFixed],
    write: (tx, { actor, params, body }) => updateCurrency(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(currencyView(await findCurrency(db, actor.organizationId, id))),
  })

  on.delete('/currencies/:id', {
    id: 'deleteCurrency',
    access: admins,
    tag,
    edits: 'currency',
    summary: 'Delete a currency',
    description: 'Deletes a currency with the dates that were recorded for it.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteCurrency(tx, actor, params.id),
    answer: () => done(),
  })

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
          listOf(await currencyStatesOf(db, actor, actor.orgUserId, now), ({ place }) => place),
          query,
          currencyRecordView,
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
      const states = await currencyStatesOf(db, actor, params.id, now)
      if (params.id !== actor.orgUserId && !is(actor, staff)) throw platformErrors.notAllowed()
      return page(
        await listPage(
          listOf(states, ({ place }) => place),
          query,
          currencyRecordView,
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
      'flights have no recorded dates. When the document is deleted later, the dates stay and `documentId` becomes ' +
      'null. The end follows from the regulation: 14 CFR 61.23(d) for a medical, 61.56(c) for a flight review, ' +
      '61.197 for an instructor certificate. When staff record their own currency, the admins are notified; their ' +
      'own medical or flight review needs a document that somebody else verified, unless they are the only staff.',
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
      qualificationErrors.expiryMissing,
      qualificationErrors.expiresBeforeCompleted,
      qualificationErrors.unknownDocument,
    ],
    write: (tx, { actor, params, body }) =>
      recordCurrency(tx, actor, { orgUserId: params.id, currencyId: params.currencyId, ...body }),
    answer: async ({ orgUserId, currencyId }, { db, actor, now }) => {
      const states = await currencyStatesOf(db, actor, orgUserId, now)
      return ok(currencyRecordView(states.find(({ currency }) => currency.id === currencyId)!))
    },
  })
}

async function currencyStatesOf(db: Db, actor: Actor, orgUserId: number, now: Date) {
  const { organizationId, organization } = actor
  const member = await findOrgUser(db, organizationId, orgUserId)
  return findCurrencyStates(db, { organizationId, zone: organization.timeZoneName }, [member], now)
}
