import { admins, members, type Rights } from './rights.ts'

/** Only those on the booking fly it: 400, as the specification's rows say. */
const notOnIt = { owner: 400, admin: 400, dispatcher: 400, renter: 400, technician: 400 } as const
/** Desk staff and those on the booking. */
const notConcerned = { renter: 403, technician: 403 } as const
const cannotSign = { owner: 403, admin: 403, dispatcher: 403, renter: 403, technician: 403 } as const
/** A member reads their own invoices; admins and dispatchers anybody's. */
const notTheirs = { instructor: 404, renter: 404, technician: 404 } as const

export const moneyRights: Rights[] = [
  {
    endpoint: 'POST /reservations/{id}/rampOut',
    who: members,
    but: notOnIt,
    at: ['booked'],
    body: () => ({ hobbsTimeOut: 1002.8, tachTimeOut: 902.4 }),
    by: 'instructor',
  },
  {
    endpoint: 'POST /reservations/{id}/rampIn',
    who: members,
    but: notOnIt,
    at: ['rampedOut'],
    body: () => ({ hobbsTimeIn: 1004.2, tachTimeIn: 903.6 }),
    by: 'instructor',
  },
  {
    endpoint: 'POST /reservations/{id}/confirmReview',
    who: members,
    but: cannotSign,
    at: ['rampedIn'],
    body: () => ({}),
    by: 'instructor',
  },
  {
    endpoint: 'POST /reservations/{id}/updateReviewTimes',
    who: members,
    but: notConcerned,
    at: ['rampedIn'],
    body: () => ({ tachTimeOut: 901.2, tachTimeIn: 902.3 }),
  },
  {
    endpoint: 'POST /reservations/{id}/reopen',
    who: members,
    but: { student: 403, ...notConcerned },
    at: ['signedOff'],
    body: () => ({ reason: 'Wrong tach' }),
  },
  {
    endpoint: 'PUT /reservations/{id}/payers',
    who: members,
    but: notConcerned,
    at: ['signedOff'],
    body: ({ school }) => ({ payers: [{ orgUserId: school.student.orgUserId, percentage: 100 }] }),
  },
  { endpoint: 'POST /reservations/{id}/invoices', who: admins, verified: true, at: ['booked'] },

  { endpoint: 'GET /invoices', who: admins },
  { endpoint: 'GET /invoices/summary', who: admins },
  { endpoint: 'GET /invoices/{id}', who: members, but: notTheirs, at: ['invoice'] },
  {
    endpoint: 'GET /invoices/orgUsers/{orgUserId}',
    who: members,
    but: { dispatcher: 400, instructor: 400, student: 400, renter: 400, technician: 400 },
    at: ['pupilMember'],
  },
  { endpoint: 'GET /invoices/reservation/{reservationId}', who: members, but: notTheirs, at: ['billed'] },
  { endpoint: 'GET /invoices/reservation/{reservationId}/invoiceTotals', who: members, at: ['signedOff'] },
]
