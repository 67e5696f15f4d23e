import { createAdHocInvoice } from '../../../src/shared/billing/invoices/create-ad-hoc.ts'
import { cents, hundredths } from '../../../src/shared/platform/kernel/units.ts'
import { daysFrom } from './days.ts'
import type { DemoSchool } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/** An item that is sold once, and how long ago its invoice was created and was due. */
interface Overdue {
  orgUserId: number
  item: { description: string; unit: string; priceCents: number }
  memo: string | null
  createdDaysAgo: number
  dueDaysAgo: number
}

/** Creates an invoice for one item. It is unpaid and overdue at `now`. */
export async function leaveOverdue(
  school: SchoolTransaction,
  { actors }: Pick<DemoSchool, 'actors'>,
  { orgUserId, item, memo, createdDaysAgo, dueDaysAgo }: Overdue,
  now: Date,
): Promise<void> {
  const { description, unit, priceCents } = item
  const one = { description, unit, quantityHundredths: hundredths(100), unitPrice: cents(priceCents) }
  await school.at(daysFrom(now, -createdDaysAgo), (tx) =>
    createAdHocInvoice(tx, actors.adam, {
      payer: { orgUserId },
      items: [one],
      memo,
      dueAt: daysFrom(now, -dueDaysAgo),
    }),
  )
}
