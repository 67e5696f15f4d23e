import { issueCredit } from '../../../src/shared/billing/credit-notes/issue-credit.ts'
import { createInvoice } from '../../../src/shared/billing/invoices/create-invoice.ts'
import { invoiceFlight } from '../../../src/shared/billing/invoices/invoice-flight.ts'
import { postByHand } from '../../../src/shared/billing/ledger/post-by-hand.ts'
import { buyPackage, MOST_UNPAID } from '../../../src/shared/billing/packages/buy-package.ts'
import { createPackage } from '../../../src/shared/billing/packages/write-package.ts'
import { updateOrgUser } from '../../../src/shared/identity/members/update-org-user.ts'
import { cents, hundredths } from '../../../src/shared/platform/kernel/units.ts'
import { findFlight } from '../../../src/shared/scheduling/reservations/reservation.queries.ts'
import { correctFlight } from '../../../src/shared/workflows/correct-flight.ts'
import { daysFrom } from './days.ts'
import { closeOut, type MeterMap } from './fill-week.ts'
import type { DemoSchool } from './found-school.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { type Enrollments, recordLesson } from './training.ts'
import { pastFlights } from './week.ts'

const HISTORY_DAYS = 90
/** The day on which a student buys a package of hours, in days from today. */
const HOURS_SOLD_DAY = -60
/** The rental whose Hobbs was read 0.3 h too far, which is found after it is billed. */
const CORRECTED = 'To Livermore and Byron'
const DEPOSIT_CENTS = cents(800_000)

/**
 * Books, flies, records and bills the flights of the months before the demo week, so that reports have figures. The
 * payers pay from their ledger accounts, because nothing can be paid at the gateway in the past.
 */
export async function fillPastWeeks(
  school: SchoolTransaction,
  founded: DemoSchool,
  enrollments: Enrollments,
  { now, meters }: { now: Date; meters: MeterMap },
): Promise<void> {
  const { adam } = founded.actors
  const flyers = pastFlights.flatMap(({ students = [], renter }) => [...students, ...(renter ? [renter] : [])])
  const payers = [...new Set(flyers)].map((key) => founded.actors[key].orgUserId)
  for (const payer of payers) {
    await school.at(daysFrom(now, -HISTORY_DAYS), async (tx) => {
      await updateOrgUser(tx, adam, payer, { billingMode: 'ledger' })
      await postByHand(tx, adam, payer, { kind: 'deposit', amountCents: DEPOSIT_CENTS, memo: 'Block of lessons' })
    })
  }
  const nextToSale = pastFlights.find(({ day }) => day > HOURS_SOLD_DAY)
  for (const flight of pastFlights) {
    if (flight === nextToSale) await sellHours(school, founded, daysFrom(now, HOURS_SOLD_DAY))
    const { id, slot } = await closeOut(school, founded, flight, { now, meters })
    await recordLesson(school, founded, enrollments, flight, { id, end: slot.end })
    const { invoiceIds } = await school.at(slot.end, (tx) => invoiceFlight(tx, adam, id))
    if (flight === pastFlights[0]) await creditBriefing(school, founded, invoiceIds, slot.end)
    if (flight.title === CORRECTED) await correctRental(school, founded, id, daysFrom(slot.end, 1))
  }
  await sellHeadset(school, founded, payers[0] ?? 0, daysFrom(now, -5))
  for (const payer of payers) {
    await school.at(now, (tx) => updateOrgUser(tx, adam, payer, { billingMode: 'invoice' }))
  }
}

/**
 * Creates two packages and sells one to a student: hours in the aircraft of their lessons. Flights billed later use
 * these hours.
 */
async function sellHours(school: SchoolTransaction, { actors, resourceIds }: DemoSchool, at: Date): Promise<void> {
  const { adam, stella } = actors
  const scope = { lineKinds: ['aircraft'], expiresAfterDays: 365, active: true }
  const hours = {
    name: 'Ten hours in N518FL',
    priceCents: cents(159_000),
    unit: 'deci_hours',
    grantQuantity: 100,
  } as const
  const credit = { name: 'Flying credit', priceCents: cents(100_000), unit: 'cents', grantQuantity: 105_000 } as const
  await school.at(at, (tx) => createPackage(tx, adam, { ...credit, ...scope, resourceIds: [], lineKinds: [] }))
  await school.at(at, async (tx) => {
    const { id } = await createPackage(tx, adam, { ...hours, ...scope, resourceIds: [resourceIds.N518FL] })
    await buyPackage(tx, adam, { packageId: id, orgUserId: stella.orgUserId, mostUnpaid: MOST_UNPAID })
  })
}

/** Issues a credit note for a part of each invoice of the first flight, refunded to the payer's ledger account. */
async function creditBriefing(
  school: SchoolTransaction,
  { actors: { adam } }: DemoSchool,
  invoiceIds: readonly number[],
  at: Date,
): Promise<void> {
  const credit = {
    amountCents: cents(1_500),
    reason: 'The briefing was shorter than billed',
    refund: 'ledger',
  } as const
  for (const id of invoiceIds) await school.at(daysFrom(at, 1), (tx) => issueCredit(tx, adam, id, credit))
}

/** Corrects the reading in of a billed flight; the difference goes back to the payer's ledger account. */
async function correctRental(
  school: SchoolTransaction,
  { actors: { adam } }: DemoSchool,
  id: number,
  at: Date,
): Promise<void> {
  await school.at(at, async (tx) => {
    const flown = await findFlight(tx.db, adam.organizationId, id)
    await correctFlight(tx, adam, id, {
      hobbsTimeOut: flown?.hobbs_out,
      hobbsTimeIn: hundredths((flown?.hobbs_in ?? 0) - 30),
      confirmMeterAnomaly: false,
      confirmMaintenanceTrigger: false,
      reason: 'The Hobbs was read 0.3 too far',
      refund: 'ledger',
    })
  })
}

/** Sells a headset to a member, who pays by check. */
async function sellHeadset(
  school: SchoolTransaction,
  { actors: { adam } }: DemoSchool,
  orgUserId: number,
  at: Date,
): Promise<void> {
  const price = cents(21_900)
  const one = { quantityHundredths: hundredths(100), unit: 'piece', unitPrice: price, amountCents: price }
  await school.at(at, (tx) =>
    createInvoice(tx, adam, {
      payer: { orgUserId, guestId: null },
      memo: 'Headset',
      reservationId: null,
      lines: [{ kind: 'other', description: 'Headset', ...one }],
      paidBy: 'check',
      ledgerKind: 'invoice_charge',
    }),
  )
}
