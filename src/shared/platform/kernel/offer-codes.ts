import type { Codes } from './training-codes.ts'

/** The error codes of operations, closures, the waiting list and its offers. */
export const planning = {
  NOT_CANCELLABLE: {
    status: [409],
    meaning: 'The operation has ended, or it is all-or-nothing and has started. Read it: its rows say what it did.',
  },
  CHANGED_MEANWHILE: {
    status: [409],
    meaning:
      'The selection differs from that of the dry run, or a booking from the plan of its recovery. Check it; for a bulk, send the new `expectedCount`.',
  },
  TOO_MANY_CLOSURES: { status: [409], meaning: 'There are as many future closures as allowed. Delete some first.' },
  TOO_MANY_ENTRIES: {
    status: [409],
    meaning:
      'The member or the organization has as many entries of the waiting list as allowed: `details.limit`. Delete one ' +
      'first.',
  },
  OFFER_ENDED: {
    status: [409],
    meaning:
      'The offer is no longer open; `details.status` says what became of it: `accepted` by somebody else’s answer, ' +
      '`declined`, `expired` or `withdrawn`.',
  },
} as const satisfies Codes

/** The code of a place that an open offer keeps for somebody else. */
export const offered = {
  OFFERED: {
    status: [400],
    meaning: 'The place is kept for somebody else for a while. Choose another time or resource, or try again later.',
  },
} as const satisfies Codes
