import type { Records } from '../support/records.ts'
import { desk, members, type Rights, staff } from './rights.ts'

const december = '?startDate=2026-12-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'
const oneDay = '?startDate=2026-12-20T00:00:00Z&endDate=2026-12-21T00:00:00Z&durationMinutes=60&type=maintenance'
/** Those on the booking, who made it, and staff: the bookings are the student's, and the dispatcher made them. */
const notOnIt = { renter: 403, technician: 403 } as const
/** Read by the admin who started it, and by other admins. */
const notTheirs = { dispatcher: 404, instructor: 404, student: 404, renter: 404, technician: 404 } as const
/** Only desk staff and technicians book maintenance. */
const cannotMaintain = { instructor: 400, student: 400, renter: 400 } as const
const nextDay = { start: '2026-12-21T10:00:00Z', end: '2026-12-21T12:00:00Z' }
const cancellation = { reason: 'Ceiling below minimums', category: 'weather' }

/** A dual flight of the school's instructor and student: renters and technicians may not book such a one. */
function dual({ school, plane, location }: Records) {
  return {
    title: 'Lesson 5: landings',
    type: 'dual',
    start: '2026-12-20T10:00:00Z',
    end: '2026-12-20T12:00:00Z',
    timeZoneName: 'UTC',
    notes: 'Bring the checklist',
    resource: { id: plane },
    location: { id: location },
    personnel: {
      instructors: [{ orgUserId: school.instructor.orgUserId }],
      students: [{ orgUserId: school.student.orgUserId }],
    },
  }
}

export const schedulingRights: Rights[] = [
  { endpoint: 'GET /reservations', who: members, query: december },
  { endpoint: 'POST /reservations', who: members, but: { renter: 400, technician: 400 }, body: dual },
  {
    endpoint: 'POST /reservations',
    when: 'prepaid',
    who: members,
    verified: true,
    but: { student: 403, renter: 400, technician: 400 },
    body: (records) => ({ ...dual(records), ...nextDay, collectionStyle: 'prepaid_fixed', prepaidAmountCents: 9_900 }),
  },
  { endpoint: 'GET /reservations/{id}', who: members, at: ['booked'] },
  {
    endpoint: 'PATCH /reservations/{id}',
    who: members,
    but: notOnIt,
    at: ['booked'],
    body: () => ({ title: 'Lesson 6: crosswind', notes: 'Runway 28R', lessonId: null }),
  },
  { endpoint: 'DELETE /reservations/{id}', who: members, but: notOnIt, at: ['spare'], body: () => cancellation },
  {
    endpoint: 'POST /reservations/{id}/restore',
    who: desk,
    at: ['cancelled'],
  },
  {
    endpoint: 'DELETE /reservations/series/{seriesId}',
    who: members,
    but: notOnIt,
    at: ['series'],
    body: () => ({ ...cancellation, from: 2 }),
  },
  { endpoint: 'GET /reservations/resource/{resourceId}', who: members, at: ['plane'] },
  { endpoint: 'GET /reservations/user/{userId}', who: members, at: ['pupilAccount'] },
  { endpoint: 'GET /reservations/{id}/history', who: staff, at: ['booked'] },
  { endpoint: 'GET /reservations/{id}/log', who: members, but: notOnIt, at: ['rampedIn'] },
  {
    endpoint: 'PUT /reservations/{id}/log',
    who: members,
    but: notOnIt,
    at: ['rampedIn'],
    body: ({ school }) => ({ rows: [{ orgUserId: school.student.orgUserId, dualReceived: 10 }] }),
  },
  {
    endpoint: 'POST /reservations/bulk',
    who: desk,
    body: ({ booked }) => ({ ids: [booked], action: { move: { minutes: 30 } } }),
  },
  {
    endpoint: 'POST /recoveries',
    who: desk,
    body: ({ sparePlane }) => ({
      cause: { resourceIds: [sparePlane] },
      startDate: '2027-03-01',
      endDate: '2027-03-02',
    }),
  },
  { endpoint: 'GET /recoveries', who: desk },
  { endpoint: 'GET /recoveries/{id}', who: [...desk, 'technician'], but: { technician: 404 }, at: ['recovery'] },
  { endpoint: 'POST /recoveries/{id}/apply', who: desk, at: ['recovery'], body: () => ({}) },
  { endpoint: 'DELETE /recoveries/{id}', who: desk, at: ['openRecovery'] },
  { endpoint: 'GET /reservations/atRisk', who: staff },
  { endpoint: 'GET /operations', who: members },
  { endpoint: 'GET /operations/{id}', who: members, but: notTheirs, at: ['operation'] },
  { endpoint: 'GET /operations/{id}/rows', who: members, but: notTheirs, at: ['operation'] },
  { endpoint: 'GET /operations/{id}/events', who: members, but: notTheirs, at: ['operation'] },
  { endpoint: 'DELETE /operations/{id}', who: members, but: notTheirs, at: ['openOperation'] },
  { endpoint: 'GET /board', who: staff },
  { endpoint: 'GET /reservations/{id}/release', who: members, but: notOnIt, at: ['booked'] },
  {
    endpoint: 'POST /reservations/{id}/overrides',
    who: [...staff, 'technician'],
    at: ['booked'],
    body: () => ({ overrides: [{ rule: 'inspection_due', reason: 'Agreed by phone' }] }),
  },
  { endpoint: 'POST /reservations/check', who: members, body: dual, foreignInBody: 200 },
  { endpoint: 'GET /reservations/openings', who: members, but: cannotMaintain, query: oneDay },
  { endpoint: 'GET /reports/cancellations/categories', who: members },

  { endpoint: 'POST /calendar/token', who: members },
  { endpoint: 'DELETE /calendar/token', who: members },
  { endpoint: 'GET /calendar/{token}.ics', who: 'anyone', at: [{ text: 'x' }] },

  { endpoint: 'GET /closures', who: members },
  {
    endpoint: 'POST /closures',
    who: desk,
    body: ({ sparePlane }) => ({
      start: '2027-03-01T00:00:00Z',
      end: '2027-03-02T00:00:00Z',
      reason: 'Washing',
      resourceId: sparePlane,
      recurrence: { frequency: 'weekly', count: 2 },
    }),
  },
  { endpoint: 'GET /closures/{id}', who: members, at: ['closure'] },
  { endpoint: 'DELETE /closures/{id}', who: desk, at: ['closure'], query: '?series=true' },

  { endpoint: 'GET /rules', who: members },
  { endpoint: 'GET /rules/{key}', who: members, at: [{ text: 'opening_hours' }] },
  {
    endpoint: 'PATCH /rules/{key}',
    who: ['owner', 'admin'],
    at: [{ text: 'opening_hours' }],
    body: () => ({ enforcement: 'warn' }),
  },

  { endpoint: 'GET /currencies', who: members },
  {
    endpoint: 'POST /currencies',
    who: ['owner', 'admin'],
    body: ({ plane }) => ({ name: '90 days', kind: 'recent_flights', count: 3, days: 90, resourceIds: [plane] }),
  },
  { endpoint: 'GET /currencies/{id}', who: members, at: ['currency'] },
  { endpoint: 'PATCH /currencies/{id}', who: ['owner', 'admin'], at: ['currency'], body: () => ({ warnDays: 14 }) },
  { endpoint: 'DELETE /currencies/{id}', who: ['owner', 'admin'], at: ['currency'] },
  { endpoint: 'GET /currencies/me', who: members },
  {
    endpoint: 'GET /orgUsers/{id}/currencies',
    who: members,
    but: { student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'GET /orgUsers/{id}/logbook',
    who: members,
    but: { student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'POST /orgUsers/{id}/currencies/{currencyId}/end',
    who: members,
    // The pupil is no student of the instructor's.
    but: { instructor: 403, dispatcher: 403, student: 403, renter: 403, technician: 403 },
    at: ['pupilMember', 'heldCurrency'],
    body: () => ({ on: '2026-11-20', because: 'suspended' }),
  },
  {
    endpoint: 'POST /orgUsers/{id}/currencies/{currencyId}/resume',
    who: ['owner', 'admin'],
    at: ['pupilMember', 'endedCurrency'],
  },
  {
    endpoint: 'PUT /orgUsers/{id}/currencies/{currencyId}',
    who: staff,
    at: ['pupilMember', 'currency'],
    body: ({ pupilDocument }) => ({
      completedAt: '2026-11-20T15:00:00Z',
      expiresAt: '2027-11-30T00:00:00Z',
      documentId: pupilDocument,
    }),
  },
]
