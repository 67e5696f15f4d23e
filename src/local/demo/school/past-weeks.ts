import { invoiceFlight } from '../../../shared/billing/invoices/invoice-flight.ts'
import { postByHand } from '../../../shared/billing/ledger/post-by-hand.ts'
import { addReminder, type NewReminder } from '../../../shared/fleet/maintenance/add-reminder.ts'
import { updateOrgUser } from '../../../shared/identity/members/update-org-user.ts'
import { cents, hundredths, plus, ZERO } from '../../../shared/platform/kernel/units.ts'
import { closeOut, type MeterMap } from './fill-week.ts'
import type { ResourceKey } from './fleet.ts'
import type { DemoSchool } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { pastFlights } from './week.ts'

const DAY_MS = 86_400_000
const HISTORY_DAYS = 45
const DEPOSIT_CENTS = cents(500_000)

/**
 * Books, flies and bills the flights of the weeks before the demo week, so that reports have a past. Two students pay
 * from their account with the school, since nothing can be paid at the gateway in the past.
 */
export async function fillPastWeeks(
  school: SchoolTransaction,
  founded: DemoSchool,
  now: Date,
  meters: MeterMap,
): Promise<void> {
  const { adam } = founded.actors
  const payers = [...new Set(pastFlights.flatMap(({ students = [] }) => students))].map(
    (key) => founded.actors[key].orgUserId,
  )
  for (const payer of payers) {
    await school.at(new Date(now.getTime() - HISTORY_DAYS * DAY_MS), async (tx) => {
      await updateOrgUser(tx, adam, payer, { billingMode: 'ledger' })
      await postByHand(tx, adam, payer, { kind: 'deposit', amountCents: DEPOSIT_CENTS, memo: 'Block of lessons' })
    })
  }
  for (const flight of pastFlights) {
    const { id, slot } = await closeOut(school, founded, flight, { now, meters })
    await school.at(slot.end, (tx) => invoiceFlight(tx, adam, id))
  }
  for (const payer of payers) {
    await school.at(now, (tx) => updateOrgUser(tx, adam, payer, { billingMode: 'invoice' }))
  }
}

/** Adds maintenance items: one due soon by the tach, one overdue and one due soon by the calendar. */
export async function addMaintenance(
  school: SchoolTransaction,
  founded: DemoSchool,
  now: Date,
  meters: MeterMap,
): Promise<void> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const add = (on: ResourceKey, item: Partial<NewReminder> & Pick<NewReminder, 'name' | 'basis'>) =>
    school.at(now, (tx) =>
      addReminder(tx, founded.actors.tom, {
        ...{ resourceId: founded.resourceIds[on], warnDays: 30, warnHours: hundredths(1_000), grounding: false },
        ...item,
      }),
    )
  const tach = meters.get('N734FL')?.tach ?? ZERO
  await add('N734FL', {
    name: '100-hour inspection',
    basis: 'tach',
    intervalHours: hundredths(10_000),
    dueReading: plus(tach, hundredths(640)),
  })
  await add('N92FL', { name: 'ELT battery', basis: 'calendar', intervalMonths: 24, dueAt: inDays(-3) })
  await add('N518FL', { name: 'Annual inspection', basis: 'calendar', intervalMonths: 12, dueAt: inDays(20) })
}
