import { members, type Rights } from './rights.ts'

/** The entry is the student's. */
const notTheirs = { instructor: 404, renter: 404, technician: 404 } as const
/** The offer is to the student, of the instructor's hours. */
const notTheirOffer = { renter: 404, technician: 404 } as const
/** Owners, admins and dispatchers answer in the student's name. */
const byPhone = () => ({ how: 'phone' })
const window = { start: '2026-12-28T08:00:00Z', end: '2026-12-28T18:00:00Z' }

export const waitlistRights: Rights[] = [
  { endpoint: 'GET /waitlist', who: members },
  {
    endpoint: 'POST /waitlist',
    when: 'for the student',
    who: members,
    but: { renter: 400, technician: 400 },
    body: ({ school, plane, booked }) => ({
      orgUserId: school.student.orgUserId,
      type: 'dual',
      durationMinutes: 60,
      windows: [window],
      resourceIds: [plane],
      pool: null,
      instructorOrgUserIds: [school.instructor.orgUserId],
      noticeMinutes: 120,
      insteadOf: booked,
    }),
  },
  {
    endpoint: 'POST /waitlist',
    who: members,
    but: { owner: 400, admin: 400, dispatcher: 400, instructor: 400, renter: 400, technician: 400 },
    body: () => ({ type: 'dual', durationMinutes: 60, windows: [window] }),
    by: 'student',
  },
  { endpoint: 'GET /waitlist/{id}', who: members, but: notTheirs, at: ['waitlistEntry'] },
  {
    endpoint: 'PATCH /waitlist/{id}',
    who: members,
    but: notTheirs,
    at: ['waitlistEntry'],
    body: ({ school, plane, booked }) => ({
      durationMinutes: 90,
      windows: [window],
      resourceIds: [plane],
      pool: null,
      instructorOrgUserIds: [school.instructor.orgUserId],
      noticeMinutes: 120,
      insteadOf: booked,
    }),
  },
  { endpoint: 'DELETE /waitlist/{id}', who: members, but: notTheirs, at: ['waitlistEntry'] },
  { endpoint: 'GET /offers', who: members },
  { endpoint: 'GET /offers/{id}', who: members, but: notTheirOffer, at: ['offer'] },
  {
    endpoint: 'POST /offers/{id}/accept',
    who: members,
    but: { ...notTheirOffer, instructor: 403 },
    at: ['offer'],
    body: byPhone,
  },
  { endpoint: 'POST /offers/{id}/decline', who: members, but: notTheirOffer, at: ['declinable'], body: byPhone },
  { endpoint: 'POST /offers/lookup', who: 'anyone', body: ({ offerToken: token }) => ({ token }) },
  { endpoint: 'POST /offers/answer', who: 'anyone', body: ({ offerToken: token }) => ({ token, answer: 'accept' }) },
]
