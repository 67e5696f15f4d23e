import { defineEntity, p } from '@mikro-orm/core'
import { instant } from './columns.ts'

/**
 * A job that is owed. Written in the transaction that makes it necessary; it lives until a worker has done it,
 * so the queue's own store is never the only record of an owed mail, invoice or refund.
 */
export const Outbox = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    id: p.uuid().primary(),
    job: p.text(),
    organizationId: p.integer().nullable(),
    payload: p.json<unknown>(),
    /** Not before this instant. */
    availableAt: instant().defaultRaw('now()'),
    handedOverAt: instant().nullable(),
    failedAt: instant().nullable(),
    /** Written by the release before this one only. */
    done: p.json<number[]>().defaultRaw("'[]'"),
    createdAt: instant().defaultRaw('now()'),
  },
})

/** A POST that carried an Idempotency-Key, and its first answer below 500. `outcome` is what the use case returned. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    owner: p.text().primary(),
    key: p.text().primary(),
    organizationId: p.integer().nullable(),
    fingerprint: p.text(),
    lockedUntil: instant(),
    outcome: p.json<unknown>().nullable(),
    status: p.smallint().nullable(),
    answer: p.text().nullable(),
    createdAt: instant().defaultRaw('now()'),
  },
})
