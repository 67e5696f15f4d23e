import { p } from '@mikro-orm/core'
import type { ActorKind } from './contracts/event.types.ts'
import type { EventKind } from './contracts/event-kinds.ts'
import type { SubjectKind } from './contracts/subject-kinds.ts'
import type { BackupKind } from './db/backup-mark.ts'
import { instant, tenantRecord } from './db/columns.ts'
import { log } from './db/declare-table.ts'
import { member } from './db/member-columns.ts'
import type { UndeliveredReason } from './deliveries/undelivered-mail.types.ts'
import type { OperationKind } from './operations/operation-kinds.rules.ts'

/** When the last backup was made, and when its journal was last updated. Written by commands of operators. */
export const BackupMark = log('backup_mark', {
  columns: { kind: p.text().$type<BackupKind>().primary(), at: instant() },
})

/**
 * A job in the outbox. The row is written in the transaction that causes the job and deleted when a worker has done
 * it, so that the queue is never the only record of a mail, an invoice or a refund. Implements docs/decisions/0003.
 */
export const Outbox = log('outbox', {
  exported: false,
  /** Applies to jobs that were given up; the row of a job that is done is deleted immediately. */
  kept: { days: 90, since: 'failedAt' },
  columns: {
    id: p.uuid().primary(),
    job: p.text(),
    organizationId: p.integer().nullable(),
    payload: p.json<unknown>(),
    /** The job does not start before this instant. */
    availableAt: instant().defaultRaw('now()'),
    /** When the sweep last saw the job in its queue, or added it; null until then. */
    seenAt: instant().nullable(),
    failedAt: instant().nullable(),
    /** The number of failures. The next two columns describe the latest one. */
    failures: p.integer().default(0),
    lastFailure: p.text().nullable(),
    lastFailedAt: instant().nullable(),
    traceParent: p.text().nullable(),
    createdAt: instant().defaultRaw('now()'),
  },
})

/**
 * A note for a job: data that the job reads has changed. The sweep of the outbox publishes one job per organization and
 * job name, for any number of marks. The job deletes the marks that it handles. Database triggers write marks too.
 */
export const JobMark = log('job_mark', {
  exported: false,
  columns: {
    ...tenantRecord,
    job: p.text(),
    /** What to check, in a format of the job; empty means all records of the organization. */
    about: p.json<Record<string, unknown>>(),
  },
})

/**
 * An Idempotency-Key with its first response below 500. `outcome` is the result of the use case.
 * Implements interface §Conventions that hold across the interface.
 */
export const IdempotencyKey = log('idempotency_key', {
  exported: false,
  /**
   * A repeated request gets the stored response for this time: interface §Conventions that hold across the interface.
   */
  kept: { days: 1, since: 'createdAt' },
  mayName: ['answer', 'outcome'],
  columns: {
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
 * database's clock, so that two runs of a job make one call.
 */
export const Delivery = log('delivery', {
  exported: false,
  /** By then the job of the call has ended, so nothing repeats the call. */
  kept: { days: 30, since: 'createdAt', where: '(sent_at is not null or claimed_until is null)' },
  columns: {
    kind: p.text().primary(),
    /** The id of the job; when a job makes several calls, followed by what tells them apart, such as the device. */
    subject: p.text().primary(),
    organizationId: p.integer().nullable(),
    /** The job that made the last claim; null when the job has no row in the outbox. */
    jobId: p.uuid().nullable(),
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

/**
 * The latest given-up mail about a record. `matters`: what those to a member or guest were about (`forgetGivenUp`).
 */
export const UndeliveredMail = log('undelivered_mail', {
  exported: false,
  kept: { days: 30, since: 'givenUpAt', where: 'invitation_id is null and invoice_id is null' },
  columns: {
    ...tenantRecord,
    invitationId: p.integer().nullable(),
    invoiceId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    membershipId: member.own('notices').nullable(),
    reason: p.text().$type<UndeliveredReason>(),
    givenUpAt: instant(),
    matters: p.array().defaultRaw("'{}'::text[]"),
  },
})

/**
 * The events of an organization: one row per event, written in the transaction of the use case. The database refuses to
 * change a row, and to delete a row younger than seven years.
 */
export const Event = log('event', {
  exported: { without: ['address', 'requestId'] },
  rights: 'append only',
  /** Seven years, leap days included. */
  kept: { days: 2557, purge: 'purge_events' },
  columns: {
    organizationId: p.integer().primary(),
    /** The public id. */
    id: p.uuid().primary(),
    /** Increases with each event. Events of one subject have the order of their transactions. */
    sequence: p.bigint('number').autoincrement(),
    at: instant(),
    kind: p.text().$type<EventKind>(),
    actorKind: p.text().$type<ActorKind>(),
    membershipId: member.act('events', 'log').nullable(),
    /** The actor's name at the time of the event. It stays when the account is deleted. */
    actorName: p.text().nullable(),
    /** The network of the request, /24 or /48; null for jobs. */
    address: p.text().nullable(),
    /** The id of the request or job. */
    requestId: p.text().nullable(),
    subjectKind: p.text().$type<SubjectKind>(),
    subjectId: p.integer(),
    before: p.json<Record<string, unknown>>().nullable(),
    after: p.json<Record<string, unknown>>().nullable(),
    reason: p.text().nullable(),
    updatedAt: instant().defaultRaw('now()'),
  },
})

export const operationStatuses = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

export type OperationStatus = (typeof operationStatuses)[number]

/** A long task that a member started. It has ended when `endedAt` is set; when it is cancelled while it runs, its job sets `endedAt` later. */
export const Operation = log('operation', {
  exported: false,
  /** Its rows (`operation_row`) are deleted with it. */
  kept: { days: 90, since: 'createdAt' },
  mayName: ['input', 'result'],
  columns: {
    ...tenantRecord,
    kind: p.text().$type<OperationKind>(),
    status: p.text().$type<OperationStatus>().default('queued'),
    startedBy: member.act('work', 'others'),
    /** Whether it processes all rows or none. Such an operation cannot be cancelled while it runs. */
    atomic: p.boolean(),
    input: p.json<Record<string, unknown>>(),
    total: p.integer(),
    done: p.integer().default(0),
    succeeded: p.integer().default(0),
    failed: p.integer().default(0),
    warnings: p.integer().default(0),
    result: p.json<Record<string, unknown>>().nullable(),
    startedAt: instant().nullable(),
    endedAt: instant().nullable(),
    /**
     * The runs that have started since the last progress and have not ended: a run is in progress, or its worker was
     * killed.
     */
    openRuns: p.integer().default(0),
  },
})

/**
 * One record that an operation processes. `outcome` is null until the transaction that processes the row writes it; its
 * values depend on the kind of operation. A row that was not started when the operation ended is `skipped`.
 */
export const OperationRow = log('operation_row', {
  exported: false,
  mayName: ['problems', 'warnings', 'detail'],
  columns: {
    ...tenantRecord,
    operationId: p.integer(),
    /** From 1, in the order in which rows are processed. */
    number: p.integer(),
    /** The id of the record. In an import it is null until the row has created or found the record. */
    subjectId: p.integer().nullable(),
    /** The id that an import gives the record. */
    externalId: p.text().nullable(),
    outcome: p.text().nullable(),
    problems: p.json<unknown[]>(),
    warnings: p.json<unknown[]>(),
    /** Data that the end of the operation needs. Responses contain only its `invoices`. */
    detail: p.json<Record<string, unknown>>().nullable(),
  },
})

/** The file that an operation made. */
export const OperationFile = log('operation_file', {
  exported: false,
  kept: { days: 7, since: 'createdAt' },
  columns: {
    ...tenantRecord,
    operationId: p.integer(),
    storageKey: p.text(),
    /** Null until the file is complete. */
    sizeBytes: p.bigint('number').columnType('int8').nullable(),
  },
})
