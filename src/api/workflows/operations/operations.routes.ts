import { z } from 'zod'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Source } from '../../../shared/platform/db/read-rows.ts'
import { cancelOperation } from '../../../shared/platform/operations/cancel-operation.ts'
import {
  findOperation,
  listOperations,
  type OperationRecord,
} from '../../../shared/platform/operations/operation.queries.ts'
import { kindsFor, operationKinds } from '../../../shared/platform/operations/operation-kinds.rules.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { operationStatuses } from '../../../shared/platform/platform.tables.ts'
import { planOutcomes } from '../../../shared/scheduling/recoveries/recovery.types.ts'
import { listRowsWithPlaces } from '../../../shared/workflows/bulk-places.queries.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams, queryWords } from '../../http/schemas.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'
import { progressEvents } from '../../platform/operations/progress-events.ts'
import { OperationRow, operationRowView } from './operation-row.view.ts'

const tag = 'Operations'

const OperationQuery = ListQuery.extend({
  kind: queryWords(operationKinds).optional(),
  status: queryWords(operationStatuses).optional(),
})

const RowQuery = ListQuery.extend({
  outcome: queryWords([
    ...['done', 'created', 'updated', 'unchanged', 'refused', 'skipped'],
    ...planOutcomes,
  ] as const).optional(),
})

const reader = (actor: Actor) => ({ actor, kinds: kindsFor(actor.roles) })

/** Returns an operation that the caller may read. */
export async function readOperation(source: Source, actor: Actor, id: number) {
  const row = await findOperation(source, reader(actor), id)
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/**
 * Checks that the caller may read the rows of an operation. Rows of an import can contain profile data, so only the
 * member who started it and owners may read them.
 */
export function assertReadsRows({ orgUserId, roles }: Actor, { kind, startedBy }: OperationRecord): void {
  if (kind === 'import' && startedBy !== orgUserId && !roles.owner) throw platformErrors.noSuchRecord()
}

/** The endpoints of operations, which are long-running work. Implements interface §Operations. */
export const operationRoutes: Routes = (on) => {
  on.get('/operations', {
    id: 'listOperations',
    access: 'member',
    tag,
    summary: 'List operations',
    description:
      'Lists the caller’s own operations whose kinds the caller’s roles still allow, latest first. Desk staff see all ' +
      'recoveries, admins the operations of all members except exports about a person. They are kept for 90 days.',
    query: OperationQuery,
    answers: { 200: envelope(z.array(Operation)) },
    read: async ({ db, actor, query }) => {
      const filter = { kinds: query.kind, statuses: query.status }
      return page(await listPage(listOperations(db, reader(actor), filter), query, operationView))
    },
  })

  on.get('/operations/:id', {
    id: 'readOperation',
    access: 'member',
    tag,
    summary: 'Read an operation',
    description: 'Returns the progress of an operation, and its result once it has ended.',
    params: IdParams,
    answers: { 200: envelope(Operation) },
    errors: [platformErrors.noSuchRecord],
    read: async ({ db, actor, params }) => ok(operationView(await readOperation(db, actor, params.id))),
  })

  on.get('/operations/:id/rows', {
    id: 'listOperationRows',
    access: 'member',
    tag,
    summary: 'List the records of an operation',
    description:
      'Lists the records that the operation works on, in the order in which it works on them, with the outcome of each. The rows ' +
      'of an import can be read only by the member who started it, and by owners.',
    params: IdParams,
    query: RowQuery,
    answers: { 200: envelope(z.array(OperationRow)) },
    errors: [platformErrors.noSuchRecord],
    read: async ({ db, actor, params, query }) => {
      const operation = await readOperation(db, actor, params.id)
      assertReadsRows(actor, operation)
      const rows = listRowsWithPlaces(db, actor.organizationId, operation, query.outcome)
      return page(await listPage(rows, query, operationRowView))
    },
  })

  on.get('/operations/:id/events', {
    id: 'streamOperation',
    access: 'member',
    tag,
    summary: 'Stream the progress of an operation',
    description:
      'Sends server-sent events: `event: progress` with the Operation as data at each step and at least every 2 ' +
      'seconds, then one `event: end`. The stream closes after that, after 10 minutes, or when the token expires. ' +
      'At most 5 streams per account and 50 per organization.',
    params: IdParams,
    answers: { 200: null },
    media: 'text/event-stream',
    errors: [platformErrors.noSuchRecord],
    read: async ({ services, request, actor, params }) => {
      await readOperation(services.database.db, actor, params.id)
      return {
        status: 200,
        body: progressEvents(services, request, actor, params.id),
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      }
    },
  })

  on.delete('/operations/:id', {
    id: 'cancelOperation',
    access: 'member',
    tag,
    summary: 'Cancel an operation',
    description:
      'Stops the operation before its next record. Records that are done stay as they are; the others become ' +
      '`skipped`. The operation can still be read.',
    params: IdParams,
    answers: { 204: null },
    errors: [platformErrors.noSuchRecord, platformErrors.notCancellable],
    write: async (tx, { actor, params }) => {
      await readOperation(tx.db, actor, params.id)
      return cancelOperation(tx, actor, params.id)
    },
    answer: () => done(),
  })
}
