import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import { admins, deskStaff, hasRole } from '../authz/roles.ts'
import { keyset, type Placed, type Position } from '../db/keyset.ts'
import { countUpTo, oneOfWords, pageLimit, readRows, type Source } from '../db/read-rows.ts'
import { byPerson, byText, byValue, nameOf, orderOf, type Sort, type SortKeys } from '../db/sort-keys.ts'
import type { OperationStatus } from '../platform.tables.ts'
import { type OperationKind, sharedAtDesk } from './operation-kinds.rules.ts'

/** An operation as responses show it. */
export interface OperationRecord {
  id: number
  kind: OperationKind
  status: OperationStatus
  startedBy: number
  startedByName: string
  total: number
  done: number
  succeeded: number
  failed: number
  warnings: number
  result: Record<string, unknown> | null
  startedAt: Date | null
  endedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface OperationFilter {
  id?: number
  kinds?: readonly OperationKind[] | undefined
  statuses?: readonly OperationStatus[] | undefined
}

/**
 * The member who reads operations, and the kinds that they may start. A member reads their own operations of these
 * kinds, desk staff those that the desk shares, an admin reads the operations of all members, except exports about a person.
 */
export interface OperationReader {
  actor: Actor
  kinds: readonly OperationKind[]
}

export const operationSortKeys: SortKeys = {
  id: byValue('o.id'),
  kind: byText('o.kind'),
  status: byText('o.status'),
  ...byPerson('startedBy', 'o.started_by'),
  'progress.done': byValue('o.done'),
  'progress.total': byValue('o.total'),
  succeeded: byValue('o.succeeded'),
  failed: byValue('o.failed'),
  warnings: byValue('o.warnings'),
  startedAt: byValue('o.started_at'),
  endedAt: byValue('o.ended_at'),
  // `coalesce` prevents the use of the index by creation time, which covers the operations of all organizations.
  createdAt: sql`coalesce(o.created_at, o.started_at)`,
}

const latestFirst = keyset('desc', ['o.id'])

/** Lists the operations that the reader may read, latest first. Implements interface §Operations. */
export function listOperations(source: Source, reader: OperationReader, filter: OperationFilter) {
  const where = conditions(reader, filter)
  const read = (rest: RawBuilder<unknown>) =>
    readRows(
      source,
      sql<Placed<OperationRecord>>`
        select o.id, o.kind, o.status, o.started_by as "startedBy", ${nameOf(sql`o.started_by`)} as "startedByName", o.total, o.done, o.succeeded,
          o.failed, o.warnings, o.result, o.started_at as "startedAt", o.ended_at as "endedAt", o.created_at as "createdAt",
          o.updated_at as "updatedAt", ${latestFirst.position} as "cursorPosition"
        from operation o where ${where} ${rest}`,
    )
  return {
    sortsBy: (path: string) => !path.startsWith('result'),
    slice(offset: number, limit: number, sort?: Sort) {
      const by = sort && orderOf(operationSortKeys, sort)
      const order = by ? sql`${by}, ${latestFirst.order}` : latestFirst.order
      return read(sql`order by ${order} ${pageLimit(limit, offset)}`)
    },
    following: (after: Position | null, limit: number) =>
      read(sql`and ${latestFirst.after(after)} order by ${latestFirst.order} ${pageLimit(limit)}`),
    count: (most: number) => countUpTo(source, sql`operation o where ${where} order by ${latestFirst.order}`, most),
  }
}

/** Returns one operation that the reader may read; undefined for any other. */
export async function findOperation(
  source: Source,
  reader: OperationReader,
  id: number,
): Promise<OperationRecord | undefined> {
  const [row] = await listOperations(source, reader, { id }).slice(0, 1)
  return row
}

function conditions({ actor, kinds }: OperationReader, filter: OperationFilter): RawBuilder<unknown> {
  const listed = kinds.filter((kind) => filter.kinds?.includes(kind) ?? true)
  const all = [sql`o.organization_id = ${actor.organizationId}`, oneOfWords(sql`o.kind`, listed)]
  // Only the member who started an export about a person may read it.
  const shared = hasRole(actor.roles, deskStaff) ? sharedAtDesk : []
  const others = hasRole(actor.roles, admins) ? sql`o.kind <> 'person_export'` : oneOfWords(sql`o.kind`, shared)
  all.push(sql`(${others} or o.started_by = ${actor.orgUserId})`)
  if (filter.id !== undefined) all.push(sql`o.id = ${filter.id}`)
  if (filter.statuses) all.push(oneOfWords(sql`o.status`, filter.statuses))
  return sql.join(all, sql` and `)
}

/**
 * A row of an operation as responses show it. `outcome` is null until the row is processed. `id` is the id of the row;
 * in an import it is the id of the record that the row created or found, and null before that.
 */
export interface OperationRowRecord {
  id: number | null
  row: number
  subjectId: number | null
  externalId: string | null
  kind: OperationKind
  outcome: string | null
  problems: unknown[]
  warnings: unknown[]
  /** For a batch of invoices: the invoices that the row created, or would create. Null for other kinds. */
  invoices: unknown[] | null
  /** For a bulk change of bookings: what the row keeps of its booking. Null for other kinds. */
  detail: unknown
  createdAt: Date
  updatedAt: Date
}

const idOfRow = (kind: OperationKind) => (kind === 'import' ? 'r.subject_id' : 'r.id')

export const operationRowSortKeys = (kind: OperationKind): SortKeys => ({
  id: byValue(idOfRow(kind)),
  row: byValue('r.number'),
  reservationId: byValue('r.subject_id'),
  externalId: byText('r.external_id'),
  outcome: byText('r.outcome'),
})

const inOrder = keyset('asc', ['r.number'])

/** Lists the rows of an operation in the order in which they are processed. */
export function listOperationRows(
  source: Source,
  organizationId: number,
  { id: operationId, kind }: Pick<OperationRecord, 'id' | 'kind'>,
  outcomes?: readonly string[],
) {
  const among = outcomes ? sql`and ${oneOfWords(sql`r.outcome`, outcomes)}` : sql``
  const where = sql`r.organization_id = ${organizationId} and r.operation_id = ${operationId} ${among}`
  const read = (rest: RawBuilder<unknown>) =>
    readRows(
      source,
      sql<Placed<OperationRowRecord>>`
        select ${sql.ref(idOfRow(kind))} as id, r.number as row, r.subject_id as "subjectId", r.external_id as "externalId",
          ${kind}::text as kind, r.outcome, r.problems, r.warnings, r.detail -> 'invoices' as invoices,
          ${kind === 'reservation_bulk' ? sql`r.detail` : sql`null`} as detail,
          r.created_at as "createdAt", r.updated_at as "updatedAt", ${inOrder.position} as "cursorPosition"
        from operation_row r where ${where} ${rest}`,
    )
  return {
    sortsBy: (path: string) => !/^(problems|warnings|invoices|from|to)/.test(path),
    slice(offset: number, limit: number, sort?: Sort) {
      const by = sort && orderOf(operationRowSortKeys(kind), sort)
      const order = by ? sql`${by}, ${inOrder.order}` : inOrder.order
      return read(sql`order by ${order} ${pageLimit(limit, offset)}`)
    },
    following: (after: Position | null, limit: number) =>
      read(sql`and ${inOrder.after(after)} order by ${inOrder.order} ${pageLimit(limit)}`),
    count: (most: number) => countUpTo(source, sql`operation_row r where ${where}`, most),
  }
}
