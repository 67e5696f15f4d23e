import type { Codes } from './training-codes.ts'

/** The error codes of people and organizations. */
export const identity = {
  EMAIL_NOT_VERIFIED: {
    status: [403],
    meaning:
      'The account’s address is not verified. Offer to mail the link again (`POST /auth/verify-email/resend`), then repeat.',
  },
  REAUTHENTICATE: {
    status: [403],
    meaning:
      'The sign-in is older than 15 minutes, and this asks for the person again. Ask for the password and repeat the ' +
      'request with it in `password`, or sign in anew.',
  },
  SIGN_UP_CLOSED: {
    status: [403],
    meaning:
      'This installation takes no new accounts (`SIGN_UP`), or only those of people with an invitation: send its `invitationToken`.',
  },
  LAST_OWNER: {
    status: [400, 409],
    meaning:
      'The organization would be left without an owner. Make another member an owner first, or delete the organization.',
  },
  MEMBER_OUT: {
    status: [409],
    meaning: 'The member is out on a flight, `details.reservations`. Ramp it in, then remove them.',
  },
  HAS_BOOKINGS: {
    status: [409],
    meaning:
      'The member is on future bookings, listed in `details.reservations`. Repeat with `cancelBookings=true` to cancel them.',
  },
  INVITATION_NOT_YOURS: {
    status: [403],
    meaning:
      'The invitation ties an account to a membership, or grants a role of staff, and is for the invited address alone. Sign in ' +
      'with the account of that address, or sign up with it.',
  },
  MERGE_CONFLICT: {
    status: [409],
    meaning:
      'The two members have what one person cannot have twice: `details.conflicts` names each. Cancel the booking, end the ' +
      'enrollment or correct the date, and merge again.',
  },
  EXPORT_RUNNING: { status: [409], meaning: 'An export is under way. Follow it at `GET /operations?kind=export`.' },
  NOT_REMOVED: {
    status: [409],
    meaning: 'Only a former member is erased. Remove the member first, or let them delete their account.',
  },
  ALREADY_ERASED: { status: [409], meaning: 'There is nothing left to erase.' },
  STILL_NEEDED: {
    status: [409],
    meaning:
      'The person is needed until the invoices in `details.invoices` are paid, refunded or void. Settle or void them, and repeat.',
  },
  OVERRIDE_NOT_ALLOWED: {
    status: [403],
    meaning:
      'The caller’s roles do not override the rule, `details.rule`; of a rule about oneself only owners and admins do. Ask ' +
      'somebody with a role that `GET /rules` names in `overridableBy`.',
  },
  RULE_FIXED: { status: [409], meaning: 'The rule always blocks: its settings cannot be changed.' },
} as const satisfies Codes
