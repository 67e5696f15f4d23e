import { p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'

/** `proposed` until `chargeAt`, `objected` until the desk decides. A charged one is an invoice. */
export const feeStatuses = ['proposed', 'objected', 'waived', 'charged'] as const
export type FeeStatus = (typeof feeStatuses)[number]

/**
 * The fee of a late cancellation: at most one for each cancellation of a booking. With 0 cents, the payer cancelled late in a category that
 * costs nothing, for the desk to see.
 */
export const CancellationFee = set('cancellation_fee', {
  exported: true,
  rights: {
    update: [
      'status',
      'cents',
      'freeCount',
      'chargeAt',
      'objection',
      'objectedAt',
      'reason',
      'decidedBy',
      'decidedAt',
      'invoiceId',
      'membershipId',
    ],
  },
  mayName: ['objection', 'reason'],
  columns: {
    ...tenantRecord,
    reservationId: p.integer(),
    /** The instant of the cancellation. */
    cancelledAt: instant(),
    /** Who owes it: the leading payer of the booking, whose bill-to payer pays. */
    membershipId: member.money('invoices').nullable(),
    guestId: p.integer().nullable(),
    cents: p.integer().$type<Cents>(),
    status: p.enum(feeStatuses).default('proposed'),
    /** When it is charged by itself; null: the desk decides. */
    chargeAt: instant().nullable(),
    /** How many late cancellations in free categories the payer chose in 90 days, with this one; 0 for a fee of more than 0. */
    freeCount: p.smallint().default(0),
    objection: p.text().nullable(),
    objectedAt: instant().nullable(),
    /** Why it was waived or charged, or why it could not be charged by itself. `decidedBy`: null for the service. */
    reason: p.text().nullable(),
    decidedBy: member.act('invoices', 'money').nullable(),
    decidedAt: instant().nullable(),
    invoiceId: p.integer().nullable(),
  },
})
