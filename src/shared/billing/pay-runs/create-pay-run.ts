import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { sum } from '../../platform/kernel/units.ts'
import { wallToInstant } from '../../platform/kernel/zones.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { assertKeepsCurrency } from '../invoices/invoice.access.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { adjustFlight, type PayLine, payFlight, type Unpaid, unpaidOf } from './pay.rules.ts'
import { findSignedAgain, findUnpaid } from './signed-flights.queries.ts'

/** The first and last local day of a pay run, "YYYY-MM-DD". */
export interface PayPeriod {
  startDate: string
  endDate: string
}

/** The longest period of a pay run, in days. */
const MOST_DAYS = 366
const DAY_MS = 86_400_000
/** The most lines per INSERT statement. */
const LINES_AT_ONCE = 1000

/**
 * Makes a pay run, which stores the pay of the organization's instructors. The run pays the flights that ended on the local days of
 * the period, are signed off and are in no other run, at the present rates. It also adjusts flights of earlier runs that were corrected
 * since, and signed off again or with their signatures standing, whenever they ended. Two runs of one organization are made one after the other. A run that pays the
 * member who makes it is marked, and all owners are mailed. Also returns the time that is not paid because it has no rate.
 * Implements interface §Pay runs.
 */
export async function createPayRun(tx: Tx, actor: Actor, period: PayPeriod): Promise<{ id: number; unpaid: Unpaid[] }> {
  const { organizationId, orgUserId } = actor
  const { timeZoneName: zone, settings } = actor.organization
  const { currency } = settings
  assertIsPeriod(period)
  await tx.em.flush()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pay runs ${organizationId}`}, 0))`.execute(tx.db)
  await assertKeepsCurrency(tx, organizationId, currency)
  const window = { start: wallToInstant(period.startDate, 0, zone), end: wallToInstant(period.endDate, 1440, zone) }
  const unpaid = await findUnpaid(tx.db, organizationId, window)
  const placed = unpaid.flatMap((flight) => payFlight(flight) ?? [])
  const again = await findSignedAgain(tx.db, organizationId)
  const lines = [...placed, ...again.flatMap(({ flight, paid }) => adjustFlight(flight, paid))]
  const amountCents = sum(lines.map((line) => line.amountCents))
  const ours = lines.filter((line) => line.orgUserId === orgUserId)
  const own = ours.length > 0
  const { id } = await tx.db
    .insertInto('pay_run')
    .values({
      organization_id: organizationId,
      start_date: period.startDate,
      end_date: period.endDate,
      currency,
      flights: placed.length,
      amount_cents: amountCents,
      own,
      created_by: orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addLines(tx, { organizationId, id }, lines)
  emit(tx, actor, { kind: 'pay_run.created', subject: { kind: 'pay_run', id }, after: { ...period, amountCents, own } })
  if (own) {
    const amount = sum(ours.map((line) => line.amountCents))
    await notifyOwnersOfOwnMoney(tx, actor, { what: 'pay_run', amountCents: amount, currency })
  }
  return { id, unpaid: unpaidOf(unpaid) }
}

function assertIsPeriod({ startDate, endDate }: PayPeriod): void {
  if (startDate > endDate) throw platformErrors.datesReversed()
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1
  if (days > MOST_DAYS) throw billingErrors.payPeriodTooLong({ days: MOST_DAYS })
}

async function addLines(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
  lines: readonly PayLine[],
): Promise<void> {
  const rows = lines.map(({ hours, rates, ...line }) => ({
    organization_id: organizationId,
    pay_run_id: id,
    reservation_id: line.reservationId,
    membership_id: line.orgUserId,
    adjustment: line.adjustment,
    flight_tenths: hours.flight,
    ground_tenths: hours.ground,
    sim_tenths: hours.sim,
    flight_pay_cents: rates.flight,
    ground_pay_cents: rates.ground,
    sim_pay_cents: rates.sim,
    amount_cents: line.amountCents,
    long_briefing: line.longBriefing,
    on_behalf: line.onBehalf,
    corrected: line.corrected,
    signed_off_at: line.signedOffAt,
  }))
  for (let at = 0; at < rows.length; at += LINES_AT_ONCE) {
    await tx.db
      .insertInto('pay_line')
      .values(rows.slice(at, at + LINES_AT_ONCE))
      .execute()
  }
}
