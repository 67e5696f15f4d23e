import { admins, members, type Rights } from './rights.ts'

/** Only those on the booking fly it: 400, as the specification's rows say. */
const notOnIt = { owner: 400, admin: 400, dispatcher: 400, renter: 400, technician: 400 } as const
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
  },
  {
    endpoint: 'POST /reservations/{id}/rampIn',
    who: members,
    but: notOnIt,
    at: ['rampedOut'],
    body: () => ({ hobbsTimeIn: 1004.2, tachTimeIn: 903.6 }),
  },
  {
    endpoint: 'POST /reservations/{id}/confirmReview',
    who: members,
    but: cannotSign,
    at: ['rampedIn'],
    body: () => ({}),
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
  { endpoint: 'GET /invoices/reservation/{reservationId}/invoiceTotals', who: members, at: ['signedOff'] },
]
