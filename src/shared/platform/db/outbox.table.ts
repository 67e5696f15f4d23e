import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from './columns.ts'

/**
 * A job in the outbox. The row is written in the transaction that causes the job and deleted when a worker has done
 * it, so that the queue is never the only record of a mail, an invoice or a refund. Implements docs/decisions/0003.
 */
export const Outbox = defineEntity({
  name: 'Outbox',
  tableName: 'outbox',
  properties: {
    id: p.uuid().primary(),
    job: p.text(),
    organizationId: p.integer().nullable(),
    payload: p.json<unknown>(),
    /** The job is not done before this instant. */
    availableAt: instant().defaultRaw('now()'),
    handedOverAt: instant().nullable(),
    failedAt: instant().nullable(),
    /** How often it failed, and the error of the last time. */
    failures: p.integer().default(0),
    lastFailure: p.text().nullable(),
    lastFailedAt: instant().nullable(),
    traceParent: p.text().nullable(),
    createdAt: instant().defaultRaw('now()'),
  },
})

/**
 * What a job has to look at, since something changed that it reads. Any number of marks make one job of their organization,
 * which the sweep of the outbox publishes; the job deletes the marks that it takes. Triggers and Kysely write the table.
 */
export const JobMark = defineEntity({
  name: 'JobMark',
  tableName: 'job_mark',
  properties: {
    ...tenantRecord,
    job: p.text(),
    /** What is to be looked at, in the words of the job; all of the organization when it is empty. */
    about: p.json<Record<string, unknown>>(),
  },
})

/**
 * An Idempotency-Key with its first response below 500. `outcome` is the result of the use case.
 * Implements interface §Conventions that hold across the interface.
 */
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
