import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../db/columns.ts'

/** The kinds of external calls. */
export const deliveryKinds = [
  'mail',
  'push',
  'meeting',
  'payments.issue',
  'payments.void',
  'payments.settle',
  'payments.refund',
  'payments.close',
  'payments.connect',
  'payments.charge',
  'payments.detach',
  'webhook',
] as const

export type DeliveryKind = (typeof deliveryKinds)[number]

export type DeliveryOutcome = 'delivered' | 'given_up'

/**
 * One external call, identified by kind and subject. It is claimed before the call and marked after it, by the
 * database's clock, so that two runs of a job make one call. Kysely writes the table; the ORM only declares its
 * columns.
 */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    kind: p.text().primary(),
    /** The id of the job that enqueued the call, with the device or invoice where a job makes several calls. */
    subject: p.text().primary(),
    organizationId: p.integer().nullable(),
    /** 32 random hexadecimal digits, the same on every attempt: the receiver's idempotency key. */
    key: p.text().defaultRaw(`replace(gen_random_uuid()::text, '-', '')`),
    /** The number of claims. A run marks the row with the number of its own claim. */
    attempts: p.integer(),
    /** One run holds the claim until this instant. */
    claimedUntil: instant().nullable(),
    sentAt: instant().nullable(),
    outcome: p.text().$type<DeliveryOutcome>().nullable(),
    createdAt: instant().defaultRaw('now()'),
  },
})
