import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { createPayRun } from '../../../shared/billing/pay-runs/create-pay-run.ts'
import type { Unpaid } from '../../../shared/billing/pay-runs/pay.rules.ts'
import { findNames, findPayRun, listPayRuns } from '../../../shared/billing/pay-runs/pay-run.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { formatTenths } from '../../../shared/platform/kernel/hours.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { DayInput, envelope, IdParams, warnings } from '../../http/schemas.ts'
import { PayRun, payRunView } from './pay-run.view.ts'

const tag = 'Pay runs'

const PayRunBody = z.object({
  startDate: DayInput.describe('The first local day of the period'),
  endDate: DayInput.describe('The last local day of the period, included; at most 366 days'),
})

/** The endpoints of pay runs of instructors. Implements interface §Pay runs. */
export const payRunRoutes: Routes = (on) => {
  on.post('/payRuns', {
    id: 'createPayRun',
    access: admins,
    tag,
    summary: 'Create a pay run for a period',
    description:
      'Computes and stores what each instructor is paid for the flights that ended on these local days, are signed ' +
      'off, and are in no other pay run: the billed hours at the current `payRates`, each kind of time rounded ' +
      'half up to the cent. Later rate changes do not affect it. A flight that was corrected and signed again is ' +
      'an adjustment in the next run, whatever its date. When no time of a flight has a rate, the flight is left ' +
      'for a later run; on a paid flight, time without a rate is not paid. `warnings` lists both cases. Concurrent ' +
      'requests create runs one after another.',
    body: PayRunBody,
    answers: { 201: envelope(PayRun, warnings) },
    errors: [platformErrors.datesReversed, billingErrors.payPeriodTooLong, billingErrors.currencyChanged],
    write: (tx, { actor, body }) => createPayRun(tx, actor, body),
    answer: async ({ id, unpaid }, { db, actor: { organizationId } }) => {
      const names = await findNames(
        db,
        organizationId,
        unpaid.map(({ orgUserId }) => orgUserId),
      )
      const said = unpaid.flatMap((one) => unpaidInWords(one, names.get(one.orgUserId) ?? ''))
      return created(await viewPayRun(db, organizationId, id), { ...(said.length > 0 && { warnings: said }) })
    },
  })

  on.get('/payRuns', {
    id: 'listPayRuns',
    access: admins,
    tag,
    summary: 'List the pay runs',
    description: 'Lists pay runs, newest first.',
    query: ListQuery,
    answers: { 200: envelope(z.array(PayRun)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listPayRuns(db, actor.organizationId), query, payRunView)),
  })

  on.get('/payRuns/:id', {
    id: 'readPayRun',
    access: admins,
    tag,
    summary: 'Read a pay run',
    description: 'Returns one pay run.',
    params: IdParams,
    answers: { 200: envelope(PayRun) },
    errors: [billingErrors.noSuchPayRun],
    read: async ({ db, actor, params }) => ok(await viewPayRun(db, actor.organizationId, params.id)),
  })
}

function unpaidInWords({ left, hours }: Unpaid, name: string): string[] {
  const words = (['flight', 'ground', 'sim'] as const).flatMap((kind) =>
    hours[kind] > 0 ? [billingErrors.timeUnpaid({ name, kind, hours: formatTenths(hours[kind]) })] : [],
  )
  return left > 0 ? [billingErrors.flightsLeftUnpaid({ name, count: left }), ...words] : words
}

async function viewPayRun(db: Db, organizationId: number, id: number) {
  const row = await findPayRun(db, organizationId, id)
  if (!row) throw billingErrors.noSuchPayRun()
  return payRunView(row)
}
