import type { NotificationKind } from '../../src/shared/communication/notifications/notification-kinds.rules.ts'
import { cents, ZERO } from '../../src/shared/platform/kernel/units.ts'
import { NOW, type TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** A booking inserted directly into the database, without checks. */
export interface PlainBooking {
  seats: { side: 'instructors' | 'students' | 'renters' | 'pilots' | 'guests'; member?: Member; guestId?: number }[]
  /** Hours after `NOW`. */
  fromHour?: number
  cancelled?: boolean
  signedOff?: boolean
  zone?: string
}

/** Inserts a booking of two hours on the school's plane, titled First solo; by default tomorrow at noon. */
export async function buildBooking(api: TestApp, school: School, given: PlainBooking): Promise<number> {
  const { seats, fromHour = 24, cancelled = false, signedOff = false, zone = 'America/New_York' } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const time = { starts_at: hoursAfterNow(fromHour), ends_at: hoursAfterNow(fromHour + 2), live: !cancelled }
  const { id } = await db
    .insertInto('reservation')
    .values({
      organization_id,
      title: 'First solo',
      type: seats.some((seat) => seat.side === 'instructors') ? 'dual' : 'solo',
      ...time,
      time_zone_name: zone,
      resource_id: school.plane.id,
      created_by: school.dispatcher.orgUserId,
      reminded_for: time.starts_at,
      cancelled_at: cancelled ? NOW : null,
      cancellation_category: cancelled ? 'weather' : null,
      signed_off_at: signedOff ? NOW : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [position, { side, member, guestId }] of seats.entries()) {
    const person = { membership_id: member?.orgUserId ?? null, guest_id: guestId ?? null }
    await db
      .insertInto('seat')
      .values({ organization_id, reservation_id: id, side, position, ...person, ...time })
      .execute()
  }
  return id
}

/** An invoice inserted directly into the database. */
export interface PlainInvoice {
  payer: Member | { guestId: number }
  status?: 'pending' | 'open' | 'paid' | 'void' | 'failed'
  number?: number | null
  totalCents?: number
  memo?: string | null
  createdAt?: Date
  dueAt?: Date | null
  /** Whether its refund waits for an admin. */
  refundWaiting?: boolean
}

/** Inserts an invoice; by default an open one of 185.00 with a pay link, due on November 30. */
export async function buildInvoice(api: TestApp, school: School, given: PlainInvoice): Promise<number> {
  const { payer, status = 'open', number = 31, totalCents: total = 18_500, memo = null, createdAt = NOW } = given
  const { dueAt = new Date('2026-11-30T12:00:00Z') } = given
  const { id } = await api.core.database.db
    .insertInto('invoice')
    .values({
      organization_id: school.organizationId,
      number,
      status,
      membership_id: 'guestId' in payer ? null : payer.orgUserId,
      guest_id: 'guestId' in payer ? payer.guestId : null,
      total_cents: cents(total),
      amount_paid_cents: status === 'paid' ? cents(total) : ZERO,
      gateway_paid_cents: status === 'paid' ? cents(total) : ZERO,
      currency: 'usd',
      memo,
      created_at: createdAt,
      due_at: dueAt,
      paid_at: status === 'paid' ? NOW : null,
      voided_at: status === 'void' ? NOW : null,
      pay_url: 'https://pay.example/31',
      refund_waiting_at: given.refundWaiting ? NOW : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a guest. */
export async function buildGuest(api: TestApp, school: School, email: string | null): Promise<number> {
  const { id } = await api.core.database.db
    .insertInto('guest')
    .values({ organization_id: school.organizationId, name: 'Gia Visitor', email })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a notification in the form that the workers store it. */
export async function buildNotification(
  api: TestApp,
  to: Member,
  given: { title?: string; body?: string; kind?: NotificationKind; read?: boolean; minutesAgo?: number } = {},
): Promise<number> {
  const { title = 'New booking', body = 'Tomorrow', kind = 'reservation_created', read = false, minutesAgo = 0 } = given
  const { id } = await api.core.database.db
    .insertInto('notification')
    .values({
      organization_id: to.organizationId,
      membership_id: to.orgUserId,
      kind,
      title,
      body,
      data: { reservationId: 12 },
      dedupe_key: crypto.randomUUID(),
      read_at: read ? NOW : null,
      created_at: new Date(NOW.getTime() - minutesAgo * 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function hoursAfterNow(hours: number): Date {
  return new Date(NOW.getTime() + hours * 3_600_000)
}
