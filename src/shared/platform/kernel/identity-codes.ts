import type { Codes } from './training-codes.ts'

/** The error codes of people and organizations. */
export const identity = {
  EMAIL_NOT_VERIFIED: {
    status: [403],
    meaning:
      'The account’s address is not verified. Offer to mail the link again (`POST /auth/verify-email/resend`), then repeat.',
  },
  ALREADY_REGISTERED: {
    status: [400],
    meaning: 'The address has an account. Offer to sign in, or to reset the password.',
  },
  ALREADY_MEMBER: { status: [400], meaning: 'The person is a member of the organization. Nothing is left to do.' },
  ALREADY_INVITED: {
    status: [400],
    meaning: 'An invitation to this address is open. Withdraw it to send another.',
  },
  REAUTHENTICATE: {
    status: [403],
    meaning:
      'The sign-in is older than 15 minutes, and this request needs a fresh proof of identity. Ask for the password ' +
      'and repeat the request with it in `password`, or sign in again.',
  },
  SIGN_UP_CLOSED: {
    status: [403],
    meaning:
      'This installation accepts no new accounts (`SIGN_UP`), or only those of people with an invitation: send its ' +
      '`invitationToken`.',
  },
  LAST_OWNER: {
    status: [400, 409],
    meaning:
      'The organization would be left without an owner. Make another member an owner first, or delete the organization.',
  },
  MEMBER_OUT: {
    status: [409],
    meaning: 'The member is out on a flight, listed in `details.reservations`. Ramp it in, then remove the member.',
  },
  HAS_BOOKINGS: {
    status: [409],
    meaning:
      'The member is on future bookings, listed in `details.reservations`. Repeat with `cancelBookings=true` to cancel them.',
  },
  INVITATION_NOT_YOURS: {
    status: [403],
    meaning:
      'The invitation is to a managed membership or to owner, admin, dispatcher or instructor, so only the invited ' +
      'address can accept it. Sign in with the account of that address, or sign up with it.',
  },
  MERGE_CONFLICT: {
    status: [409],
    meaning:
      'Both members have records that one member cannot have twice, listed in `details.conflicts`. Cancel the booking, ' +
      'end the enrollment or correct the date, then merge again.',
  },
  EXPORT_RUNNING: { status: [409], meaning: 'An export is running. Follow it at `GET /operations?kind=export`.' },
  NOT_REMOVED: {
    status: [409],
    meaning: 'Only former members can be erased. Remove the member first, or let them delete their account.',
  },
  ALREADY_ERASED: { status: [409], meaning: 'There is nothing left to erase.' },
  STILL_NEEDED: {
    status: [409],
    meaning:
      'The member has invoices that are open or disputed, listed in `details.invoices`. Settle or void them, then ' +
      'repeat.',
  },
  OVERRIDE_NOT_ALLOWED: {
    status: [403],
    meaning:
      'The caller’s roles may not override the rule in `details.rule`; only owners and admins override rules about ' +
      'themselves. Ask a member with a role that `GET /rules` lists in `overridableBy`.',
  },
  RULE_FIXED: { status: [409], meaning: 'The rule always blocks: its settings cannot be changed.' },
} as const satisfies Codes
