import { admins, desk, members, type Rights } from './rights.ts'

/** Only those on the booking fly it: 400, as the specification's rows say. */
const notOnIt = { owner: 400, admin: 400, dispatcher: 400, renter: 400, technician: 400 } as const
/** Desk staff and those on the booking. */
const notConcerned = { renter: 403, technician: 403 } as const
const cannotSign = { owner: 403, admin: 403, dispatcher: 403, renter: 403, technician: 403 } as const
/** A member reads their own invoices; admins and dispatchers anybody's. */
const notTheirs = { instructor: 404, renter: 404, technician: 404 } as const

/** Members buy for themselves, and see what they bought; admins everybody's. */
const notTheirMoney = { dispatcher: 403, instructor: 403, renter: 403, technician: 403 } as const

export const moneyRights: Rights[] = [
  {
    endpoint: 'POST /reservations/{id}/fee',
    who: desk,
    at: ['cancelledLate'],
    body: () => ({ action: 'waive', reason: 'The ramp was closed' }),
  },
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
    endpoint: 'POST /reservations/{id}/correct',
    who: admins,
    at: ['correctable'],
    body: () => ({
      readings: { hobbsTimeOut: 1000, hobbsTimeIn: 1001.1 },
      reason: 'Read wrong',
      refund: 'none',
    }),
  },
  {
    endpoint: 'PUT /reservations/{id}/payers',
    who: members,
    but: notConcerned,
    at: ['rampedIn'],
    body: ({ school }) => ({ payers: [{ orgUserId: school.student.orgUserId, percentage: 100 }] }),
  },
  {
    endpoint: 'POST /reservations/{id}/invoices',
    desk: ['cashier'],
    deskBut: { instructor: 403 },
    who: admins,
    verified: true,
    at: ['booked'],
  },
  {
    endpoint: 'POST /reservations/{id}/prepaid/ensure',
    who: members,
    but: { student: 403, ...notConcerned },
    at: ['prepaid'],
  },
  {
    endpoint: 'POST /reservations/{id}/prepaid/record-offline',
    who: members,
    but: { student: 403, ...notConcerned },
    at: ['prepaid'],
    body: () => ({ method: 'cash' }),
  },

  { endpoint: 'GET /invoices', desk: ['cashier'], who: admins },
  {
    endpoint: 'POST /invoices',
    desk: ['cashier'],
    who: admins,
    verified: true,
    body: ({ pupilMember }) => ({
      customer: { orgUserId: pupilMember },
      memo: 'Shop',
      items: [{ description: 'Headset', unitPrice: 4_500 }],
    }),
  },
  {
    endpoint: 'POST /invoices',
    desk: ['cashier'],
    when: 'to a guest',
    who: admins,
    verified: true,
    body: ({ guest }) => ({ guest: { guestId: guest }, items: [{ description: 'Video', unitPrice: 3_000 }] }),
  },
  {
    endpoint: 'POST /invoices/batch',
    desk: ['cashier'],
    who: admins,
    verified: true,
    body: () => ({ filter: { endedBefore: '2026-12-01T00:00:00Z' }, dryRun: true }),
  },
  { endpoint: 'PATCH /invoices/{id}', who: admins, at: ['invoice'], body: () => ({ memo: 'Thank you' }) },
  { endpoint: 'POST /invoices/{id}/remind', who: admins, verified: true, at: ['invoice'] },
  {
    endpoint: 'POST /invoices/{id}/void',
    who: admins,
    at: ['voidable'],
    body: () => ({ reason: 'Billed to the wrong person' }),
  },
  { endpoint: 'POST /invoices/{id}/refund', who: admins, at: ['refundable'], body: () => ({ approved: true }) },
  {
    endpoint: 'POST /invoices/{id}/creditNotes',
    who: admins,
    at: ['credited'],
    body: () => ({ amountCents: 100, reason: 'Billed too much', refund: 'none' }),
  },
  { endpoint: 'POST /creditNotes/{id}/refund', who: admins, at: ['creditNote'], body: () => ({ refund: 'processor' }) },
  {
    endpoint: 'POST /invoices/{id}/payments',
    desk: ['cashier'],
    who: admins,
    at: ['partlyPaid'],
    body: () => ({ amountCents: 1_000, method: 'cash' }),
  },
  {
    endpoint: 'POST /invoices/{id}/payments/{paymentId}/reverse',
    who: admins,
    at: ['partlyPaid', 'payment'],
    body: () => ({ reason: 'The check bounced' }),
  },
  {
    endpoint: 'POST /orgUsers/{id}/paymentMethods/setup',
    who: members,
    but: { student: 403, ...notTheirMoney },
    verified: true,
    at: ['pupilMember'],
  },
  {
    endpoint: 'GET /orgUsers/{id}/paymentMethods',
    who: members,
    but: { student: 403, ...notTheirMoney },
    at: ['pupilMember'],
  },
  {
    endpoint: 'DELETE /orgUsers/{id}/paymentMethods/{methodId}',
    who: members,
    but: { student: 403, ...notTheirMoney },
    at: ['pupilMember', { text: 'pm_1PbX2eFxkQ' }],
  },
  { endpoint: 'GET /packages', who: members },
  {
    endpoint: 'POST /packages',
    who: admins,
    body: () => ({ name: 'Ten hours', priceCents: 160_000, grant: { deciHours: 100 } }),
  },
  { endpoint: 'GET /packages/{id}', who: members, at: ['package'] },
  { endpoint: 'PATCH /packages/{id}', who: admins, at: ['package'], body: () => ({ active: true }) },
  {
    endpoint: 'POST /packages/{id}/purchases',
    desk: ['cashier'],
    who: members,
    but: notTheirMoney,
    verified: true,
    at: ['package'],
    body: ({ school }) => ({ orgUserId: school.student.orgUserId }),
  },
  {
    endpoint: 'GET /orgUsers/{id}/packages',
    who: members,
    but: { student: 403, ...notTheirMoney },
    at: ['pupilMember'],
  },
  { endpoint: 'GET /invoices/{id}/creditNotes', desk: ['cashier'], who: members, but: notTheirs, at: ['credited'] },
  { endpoint: 'GET /creditNotes/{id}', desk: ['cashier'], who: members, but: notTheirs, at: ['creditNote'] },
  { endpoint: 'GET /invoices/summary', who: admins },
  { endpoint: 'GET /invoices/{id}', desk: ['cashier'], who: members, but: notTheirs, at: ['invoice'] },
  {
    endpoint: 'GET /invoices/orgUsers/{orgUserId}',
    desk: ['cashier'],
    who: members,
    but: { dispatcher: 400, instructor: 400, student: 400, renter: 400, technician: 400 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'GET /invoices/reservation/{reservationId}',
    desk: ['cashier'],
    who: members,
    but: notTheirs,
    at: ['billed'],
  },
  { endpoint: 'GET /invoices/reservation/{reservationId}/invoiceTotals', who: members, at: ['signedOff'] },

  {
    endpoint: 'GET /orgUsers/{id}/ledger',
    desk: ['cashier'],
    who: members,
    but: { dispatcher: 403, instructor: 403, student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'GET /orgUsers/{id}/statement',
    desk: ['cashier'],
    who: members,
    but: { dispatcher: 403, instructor: 403, student: 403, renter: 403, technician: 403 },
    at: ['pupilMember'],
  },
  {
    endpoint: 'POST /orgUsers/{id}/ledger',
    desk: ['cashier'],
    who: admins,
    at: ['pupilMember'],
    body: () => ({ kind: 'deposit', amountCents: 50_000, memo: 'Check 1042' }),
  },
  { endpoint: 'GET /payRuns', who: admins },
  { endpoint: 'POST /payRuns', who: admins, body: () => ({ startDate: '2026-11-01', endDate: '2026-11-30' }) },
  { endpoint: 'GET /payRuns/{id}', who: admins, at: ['payRun'] },
  {
    endpoint: 'POST /ledger/{id}/reverse',
    who: admins,
    at: ['ledgerEntry'],
    body: () => ({ reason: 'Bounced' }),
  },
]
