import type { Records } from '../support/records.ts'
import { desk, members, type Rights } from './rights.ts'

/** The requests are the renter's. */
const notTheirs = { instructor: 404, student: 404, technician: 404 } as const
/** Only renters need approval in this school. */
const bookAtOnce = { owner: 400, admin: 400, dispatcher: 400, instructor: 400, student: 400, technician: 400 } as const

function rental({ school, plane, location }: Records) {
  return {
    start: '2026-12-22T10:00:00Z',
    end: '2026-12-22T12:00:00Z',
    type: 'rental',
    title: 'Sightseeing',
    timeZoneName: 'UTC',
    notes: 'Two on board',
    resource: { id: plane },
    location: { id: location },
    rating: { id: 1 },
    personnel: { renters: [{ orgUserId: school.renter.orgUserId }] },
  }
}

export const bookingRequestRights: Rights[] = [
  { endpoint: 'GET /booking-requests', who: desk },
  { endpoint: 'POST /booking-requests', who: members, but: bookAtOnce, body: rental, by: 'renter' },
  { endpoint: 'GET /booking-requests/me', who: members },
  { endpoint: 'GET /booking-requests/policy/me', who: members },
  { endpoint: 'GET /booking-requests/{id}', who: members, but: notTheirs, at: ['bookingRequest'] },
  {
    endpoint: 'POST /booking-requests/{id}/approve',
    who: desk,
    at: ['approvable'],
    body: ({ school, plane, location }) => ({
      resource: { id: plane },
      location: { id: location },
      instructorOrgUserId: school.instructor.orgUserId,
      title: 'Sightseeing with an instructor',
    }),
  },
  {
    endpoint: 'POST /booking-requests/{id}/approve',
    when: 'with other people',
    who: desk,
    at: ['approvableToo'],
    body: ({ school, plane }) => ({
      resource: { id: plane },
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        renters: [{ orgUserId: school.renter.orgUserId }],
      },
    }),
  },
  { endpoint: 'POST /booking-requests/{id}/cancel', who: members, but: notTheirs, at: ['bookingRequest'] },
  {
    endpoint: 'POST /booking-requests/{id}/reject',
    who: desk,
    at: ['rejectable'],
    body: () => ({ reason: 'The aircraft is in maintenance that week' }),
  },
]
