import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../db/columns.ts'
import type { OperationKind } from './operation-kinds.rules.ts'

export const operationStatuses = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

export type OperationStatus = (typeof operationStatuses)[number]

/**
 * Long work of a member: its input, progress and result. It is over when `endedAt` is set; one that was cancelled
 * while it ran is ended by its job. Kysely writes the table; the ORM only declares its columns.
 */
export const Operation = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    ...tenantRecord,
    kind: p.text().$type<OperationKind>(),
    status: p.text().$type<OperationStatus>().default('queued'),
    startedBy: p.integer(),
    /** All rows or none. It cannot be cancelled while it runs. */
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
    /** Runs since the last progress that began and did not end: one is under way, or its worker was killed. */
    openRuns: p.integer().default(0),
  },
})

/**
 * One record that an operation works on. The transaction that does the work writes its outcome, a word of the kind of
 * operation; null until then. A row that was not started when the operation ended is `skipped`.
 */
export const OperationRow = defineEntity({
  name: 'OperationRow',
  tableName: 'operation_row',
  properties: {
    ...tenantRecord,
    operationId: p.integer(),
    /** From 1, in the order of the work. */
    number: p.integer(),
    /** The record that it works on; null until the row of an import has made or found it. */
    subjectId: p.integer().nullable(),
    /** What an import calls the record. */
    externalId: p.text().nullable(),
    outcome: p.text().nullable(),
    problems: p.json<unknown[]>(),
    warnings: p.json<unknown[]>(),
    /** Facts for the end of the operation. No response has them. */
    detail: p.json<Record<string, unknown>>().nullable(),
  },
})

/** The file that an operation made, deleted after a week. Kysely writes it. */
export const OperationFile = defineEntity({
  name: 'OperationFile',
  tableName: 'operation_file',
  properties: {
    ...tenantRecord,
    operationId: p.integer(),
    storageKey: p.text(),
    /** Null until the file is whole. */
    sizeBytes: p.bigint('number').columnType('int8').nullable(),
  },
})
