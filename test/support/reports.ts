import { cents, hundredths, tenths, ZERO } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** A flight or lesson inserted directly into the database: ended, with its meters. */
export interface PlainFlight {
  /** When it was ramped in. It was booked for the two hours before. */
  endedAt: Date
  type?: 'dual' | 'ground' | 'sim' | 'solo'
  resourceId?: number | null
  instructor?: Member
  student?: Member
  /** Hundredths of an hour. */
  hobbs?: number
  tach?: number
  /** Tenths of an hour. */
  briefing?: number
}

const HOUR_MS = 3_600_000

/** Inserts a flight that ended, with its seats. */
export async function buildFlight(api: TestApp, school: School, given: PlainFlight): Promise<number> {
  const { endedAt, type = 'dual', instructor, student, hobbs = 0, tach = 0, briefing } = given
  const { resourceId = school.plane.id } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const time = { starts_at: new Date(endedAt.getTime() - 2 * HOUR_MS), ends_at: endedAt }
  const metered = type !== 'ground'
  const { id } = await db
    .insertInto('reservation')
    .values({
      organization_id,
      title: 'A lesson',
      type,
      ...time,
      time_zone_name: 'UTC',
      resource_id: resourceId,
      created_by: school.dispatcher.orgUserId,
      briefing_tenths: briefing === undefined ? null : tenths(briefing),
      ...(metered && {
        ramped_out_at: time.starts_at,
        ramped_in_at: endedAt,
        hobbs_out: hundredths(100_000),
        hobbs_in: hundredths(100_000 + hobbs),
        tach_out: hundredths(90_000),
        tach_in: hundredths(90_000 + tach),
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const seats = [
    ['instructors', instructor],
    ['students', student],
  ] as const
  for (const [position, [side, member]] of seats.entries()) {
    if (!member) continue
    await db
      .insertInto('seat')
      .values({ organization_id, reservation_id: id, side, position, membership_id: member.orgUserId, ...time })
      .execute()
  }
  return id
}

/** An invoice with its lines, inserted directly into the database. */
export interface PlainBill {
  payer: Member | { guestId: number }
  flight?: number
  lines: { kind: string; amountCents: number }[]
  taxCents?: number
  createdAt?: Date
  dueAt?: Date
  paidAt?: Date
  refunded?: { at: Date; cents: number }
  status?: 'open' | 'pending' | 'void' | 'failed'
}

/** Inserts an invoice with its lines: paid when `paidAt` is given, otherwise open. */
export async function buildBill(api: TestApp, school: School, given: PlainBill): Promise<number> {
  const { payer, flight = null, lines, createdAt = api.clock.now, dueAt = null, paidAt = null, refunded } = given
  const { status = paidAt ? ('paid' as const) : ('open' as const) } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const { taxCents = 0 } = given
  const total = lines.reduce((sum, { amountCents }) => sum + amountCents, taxCents)
  const { id } = await db
    .insertInto('invoice')
    .values({
      organization_id,
      membership_id: 'guestId' in payer ? null : payer.orgUserId,
      guest_id: 'guestId' in payer ? payer.guestId : null,
      reservation_id: flight,
      status,
      total_cents: cents(total),
      tax_cents: cents(taxCents),
      amount_paid_cents: paidAt ? cents(total) : ZERO,
      currency: 'usd',
      created_at: createdAt,
      due_at: dueAt,
      paid_at: paidAt,
      voided_at: status === 'void' ? createdAt : null,
      refunded_at: refunded?.at ?? null,
      refunded_cents: cents(refunded?.cents ?? 0),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [position, { kind, amountCents }] of lines.entries()) {
    await db
      .insertInto('invoice_item')
      .values({
        organization_id,
        invoice_id: id,
        position,
        kind,
        description: kind,
        unit: 'each',
        quantity_hundredths: hundredths(100),
        unit_price: cents(amountCents),
        amount_cents: cents(amountCents),
      })
      .execute()
  }
  return id
}

/** A payment of an invoice through the payment gateway, inserted directly into the database. */
export interface PlainPayment {
  cents: number
  at: Date
  /** When all of it was taken back. */
  reversed?: Date | null
  /** What of it went back since it was too much. */
  overpaid?: { cents: number; at: Date }
}

/** Inserts a payment of an invoice, and adds it to the invoice's sums; the status of the invoice stays. */
export async function buildPayment(
  api: TestApp,
  { organizationId }: School,
  invoiceId: number,
  { cents: amount, at, reversed = null, overpaid }: PlainPayment,
): Promise<void> {
  const { pool } = api.core.database
  const [kept, back] = [reversed ? 0 : amount, overpaid?.cents ?? 0]
  await pool.query(
    `insert into payment (organization_id, invoice_id, way, method, amount_cents, received_at, reversed_cents, reversed_at,
       overpaid_cents, overpaid_returned_at) values ($1, $2, 'processor', 'card', $3, $4, $5, $6, $7, $8)`,
    [organizationId, invoiceId, amount, at, amount - kept, reversed, back, overpaid?.at ?? null],
  )
  await pool.query(
    `update invoice set amount_paid_cents = amount_paid_cents + $3, gateway_paid_cents = gateway_paid_cents + $3,
       refunded_cents = refunded_cents + $4, gateway_refunded_cents = gateway_refunded_cents + $4
     where organization_id = $1 and id = $2`,
    [organizationId, invoiceId, kept, back],
  )
}
