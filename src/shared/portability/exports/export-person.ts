import { Readable } from 'node:stream'
import type { RawBuilder } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Table } from '../../platform/db/declare-table.ts'
import { inSnapshot, type ReadSnapshot } from '../../platform/db/snapshot.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { OperationTools, OperationToRun, OperationWork } from '../../platform/operations/operation.types.ts'
import { completeFile, findFile, reserveFile } from '../../platform/operations/operation-file.access.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { workflowsErrors } from '../../workflows/workflows.errors.ts'
import { fieldOf, selectExportedColumns } from './export.queries.ts'
import {
  type Person,
  type PersonsTable,
  personsTables,
  selectAccount,
  selectMemberships,
  selectPersonsRows,
} from './person.queries.ts'

/**
 * The work of the operation `person_export`, which writes what the service holds about a person into one JSON file. The
 * operation has no rows.
 */
export const personExportWork: OperationWork = {
  prepare: exportPerson,
  groups: async () => [],
  perform: async () => [],
  async finish(tx, { organizationId, id: operationId, status }) {
    const file = await findFile(tx.db, { organizationId, operationId })
    return status === 'running' && file?.bytes != null ? { bytes: file.bytes } : {}
  },
}

/** Starts the export of what the service holds about the caller in all organizations. Implements interface §Exports. */
export async function startPersonExport(tx: Tx, actor: Actor): Promise<{ id: number }> {
  const { id } = await startOperation(tx, actor, {
    kind: 'person_export',
    atomic: false,
    input: {},
    subjectIds: [],
    mostOpen: { count: 20, refusal: () => workflowsErrors.exportRunning() },
  })
  const subject = { kind: 'member', id: actor.orgUserId } as const
  emit(tx, actor, { kind: 'person_export.started', subject, after: { operationId: id } })
  return { id }
}

/** What the service holds about a person, in the shape of the exported file. */
export interface PersonsData {
  createdAt: string
  account: Record<string, unknown>
  memberships: Record<string, unknown>[]
}

/**
 * Returns what the service holds about an account that is in no organization now: its own facts, and the records that
 * its former organizations keep. An operation cannot export them, because an operation belongs to an organization.
 * Implements interface §Exports.
 */
export async function readPersonsData(
  { db, tables }: { db: Db; tables: readonly Table[] },
  accountId: number,
  now: Date,
): Promise<PersonsData> {
  async function* read<Row>(query: RawBuilder<Row>): AsyncGenerator<Row[]> {
    yield (await query.execute(db)).rows
  }
  let text = ''
  for await (const part of textOf(read, tables, { accountId }, now)) text += part
  return JSON.parse(text)
}

/**
 * Writes the file to the storage, from one snapshot of the database. After a worker was killed, the next run writes the
 * file again, under the same storage key.
 */
async function exportPerson({ transaction, outside }: OperationTools, operation: OperationToRun): Promise<void> {
  const { organizationId, id: operationId, startedBy } = operation
  if (!outside) throw new Error('an export needs the storage')
  const of = { organizationId, operationId }
  const { key, now } = await transaction(async (tx) => ({ key: await reserveFile(tx, of, 'json'), now: tx.now }))
  await inSnapshot(outside.database, (read) =>
    outside.storage.write(
      key,
      Readable.from(textOf(read, outside.database.tables, { orgUserId: startedBy }, now), { objectMode: false }),
    ),
  )
  const bytes = (await outside.storage.sizeOf(key)) ?? 0
  await transaction((tx) => completeFile(tx, of, bytes))
}

/**
 * Yields the JSON text: the account, and each membership with its records by table. Only one batch of rows is in memory
 * at a time.
 */
async function* textOf(
  read: ReadSnapshot,
  declared: readonly Table[],
  person: Person,
  now: Date,
): AsyncGenerator<string> {
  const [found] = await all(read(selectAccount(person)))
  if (!found) throw new Error('the account is deleted')
  const tables = personsTables(declared, await all(read(selectExportedColumns(declared))))
  yield `{"createdAt":${JSON.stringify(now)},"account":${JSON.stringify(found.account)},"memberships":[`
  let first = true
  for (const { organization, membership, ...of } of await all(read(selectMemberships(found.accountId)))) {
    const head = JSON.stringify({ organization: { id: of.organizationId, name: organization }, ...of, membership })
    yield `${first ? '' : ','}${head.slice(0, -1)},"records":{`
    first = false
    for (const [at, table] of tables.entries()) yield* recordsOf(read, table, of, at === 0)
    yield '}}'
  }
  yield ']}\n'
}

async function* recordsOf(
  read: ReadSnapshot,
  table: PersonsTable,
  of: { organizationId: number; orgUserId: number },
  isFirst: boolean,
): AsyncGenerator<string> {
  const names = table.columns.map(fieldOf)
  yield `${isFirst ? '' : ','}${JSON.stringify(fieldOf(table.table))}:[`
  let first = true
  for await (const rows of read(selectPersonsRows(table, of))) {
    const lines = rows.map(({ cells }) =>
      JSON.stringify(Object.fromEntries(names.map((name, at) => [name, cells[at]]))),
    )
    if (lines.length > 0) yield `${first ? '' : ','}${lines.join(',')}`
    first = false
  }
  yield ']'
}

async function all<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const some of batches) rows.push(...some)
  return rows
}
