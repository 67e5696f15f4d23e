import type { OrganizationSettings } from '../../src/shared/platform/authz/organization-settings.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import { buildSchool, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'

/** The fields of an answered booking request that tests read. */
export interface Asked {
  id: number
  status: string
  title: string
  start: string
  notes: string | null
  resource: { id: number } | null
  guest: { name: string; email: string; phone: string | null } | null
  requester: { orgUserId: number; name: string } | null
  decidedBy: { orgUserId: number; name: string } | null
  reservation: { id: number } | null
  meetingUrl: string | null
  meetingError: string | null
}

/** Builds a school that requires approval for the bookings of its students and renters. */
export function buildAskedSchool(api: TestApp, settings: Partial<OrganizationSettings> = {}): Promise<School> {
  return buildSchool(api, { settings: { approvalRequired: { student: true, renter: true }, ...settings } })
}

/**
 * Returns the body of a request for a dual lesson on Monday, 23 November 2026, 10 to 12 UTC, by default for the
 * student.
 */
export function requestBody(school: School, extra: Record<string, unknown> = {}, student: Member = school.student) {
  return {
    type: 'dual',
    start: '2026-11-23T10:00:00Z',
    end: '2026-11-23T12:00:00Z',
    resource: { id: school.plane.id },
    personnel: {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      students: [{ orgUserId: student.orgUserId }],
    },
    ...extra,
  }
}

/** Calls POST /booking-requests. */
export const request = (api: TestApp, who: Pick<Member, 'token'>, body: unknown) =>
  api.call('POST', '/booking-requests', { token: who.token, body })

/** Submits a student's request for a lesson and returns it. */
export function asking(
  api: TestApp,
  school: School,
  extra: Record<string, unknown> = {},
  student: Member = school.student,
): Promise<Asked> {
  return expectOk<Asked>(api, student, 'POST', '/booking-requests', requestBody(school, extra, student))
}

/** Calls one of the decisions about a request. */
export const decide = (
  api: TestApp,
  who: Pick<Member, 'token'>,
  id: number,
  decision: 'approve' | 'cancel' | 'reject',
  body: unknown = {},
) => api.call('POST', `/booking-requests/${id}/${decision}`, { token: who.token, body })

/** Reads one request as this member. */
export const reading = (api: TestApp, who: Pick<Member, 'token'>, id: number) =>
  expectOk<Asked>(api, who, 'GET', `/booking-requests/${id}`)

interface GuestRequest {
  status?: 'awaiting_confirmation' | 'pending'
  /** Minutes after `NOW` at which the slot hold on the plane ends. */
  heldMinutes?: number
  email?: string
  start?: string
  prepaidCents?: number
  plane?: number | null
}

/**
 * Inserts the guest Gia's request for an hour on the school's plane on Monday at ten, in the form that the public
 * endpoints store it; confirmed by default.
 */
export async function insertGuestRequest(api: TestApp, school: School, given: GuestRequest = {}): Promise<number> {
  const { status = 'pending', heldMinutes, email = 'gia@example.com', prepaidCents, plane = school.plane.id } = given
  const { db } = api.core.database
  const organization_id = school.organizationId
  const starts_at = new Date(given.start ?? '2026-11-23T10:00:00Z')
  const guest = { name: 'Gia Visitor', email, phone: '+1 510 555 0123' }
  const guestId = status === 'pending' ? await guestOf(api, organization_id, guest) : null
  const { id } = await db
    .insertInto('booking_request')
    .values({
      organization_id,
      status,
      type: 'guest',
      title: 'Discovery flight',
      time_zone_name: 'UTC',
      starts_at,
      ends_at: new Date(starts_at.getTime() + 3_600_000),
      resource_id: plane,
      guest_name: guest.name,
      guest_email: guest.email,
      guest_phone: guest.phone,
      guest_id: guestId,
      collection_style: prepaidCents === undefined ? 'close_out' : 'prepaid_fixed',
      prepaid_amount_cents: prepaidCents === undefined ? null : cents(prepaidCents),
      held_until: heldMinutes === undefined ? null : new Date(api.clock.now.getTime() + heldMinutes * 60_000),
      confirmed_at: guestId === null ? null : api.clock.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function guestOf(api: TestApp, organization_id: number, guest: { name: string; email: string; phone: string }) {
  const { id } = await api.core.database.db
    .insertInto('guest')
    .values({ organization_id, ...guest })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'email']).where('email', 'is not', null).doUpdateSet({ name: guest.name }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
