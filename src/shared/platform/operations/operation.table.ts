import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../db/columns.ts'

/** The kinds of long work. */
export const operationKinds = ['reservation_bulk'] as const

export type OperationKind = (typeof operationKinds)[number]

export const operationStatuses = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

export type OperationStatus = (typeof operationStatuses)[number]

/**
 * A long piece of work of a member: its input, how far it is, and what came of it. It is over when `endedAt` is set; what was
 * cancelled while it ran has still to be ended by its job. Kysely writes it; the ORM only declares the columns.
 */
export const Operation = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    ...tenantRecord,
    kind: p.text().$type<OperationKind>(),
    status: p.text().$type<OperationStatus>().default('queued'),
    startedBy: p.integer(),
    /** All rows or none: it cannot be cancelled once it runs. */
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
  },
})

/**
 * One record that an operation works on. Its outcome, a word of the kind of operation, is written in the transaction that
 * does the work; null until then. What was not begun when the operation ended is `skipped`.
 */
export const OperationRow = defineEntity({
  name: 'OperationRow',
  tableName: 'operation_row',
  properties: {
    ...tenantRecord,
    operationId: p.integer(),
    /** From 1, in the order of the work. */
    number: p.integer(),
    subjectId: p.integer(),
    outcome: p.text().nullable(),
    problems: p.json<unknown[]>(),
    warnings: p.json<unknown[]>(),
    /** What the end of the operation needs of it; never answered. */
    detail: p.json<Record<string, unknown>>().nullable(),
  },
})
