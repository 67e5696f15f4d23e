import { type EditedTable, lockRecord } from '../../shared/platform/db/lock-record.ts'
import type { Tx } from '../../shared/platform/db/transaction.ts'
import { AppError } from '../../shared/platform/kernel/errors.ts'
import type { AccessRule } from './authentication.ts'
import { holds, tagOf, withoutLinks } from './conditions.ts'
import type { AnyCall, AnyDeclaration, Reading, Shape } from './declaration.ts'
import { httpErrors } from './http.errors.ts'
import { serializerCompiler } from './serializer.ts'

type AnyReading = Reading<AccessRule, Shape, Shape, Shape>

/** A record that several people edit: the table in which it is locked, and the endpoint that reads it. */
export interface Edited {
  table: EditedTable
  read: AnyReading
}

/**
 * Returns the record that an endpoint edits, with the one of `others` that reads it; undefined when it declares none.
 */
export function editedBy(
  { edits }: AnyDeclaration,
  url: string,
  others: readonly { method: string; url: string; declaration: AnyDeclaration }[],
): Edited | undefined {
  if (!edits) return undefined
  const record = recordOf(url)
  const read = others.find((other) => other.method === 'GET' && other.url === record)?.declaration
  return read && 'read' in read ? { table: edits, read: read as AnyReading } : undefined
}

/**
 * Returns the address of the record that an endpoint edits. The last segment of a command is removed:
 * `/reservations/:id/confirmReview` edits `/reservations/:id`.
 */
function recordOf(url: string): string {
  return url.replace(/(\/:\w+)\/\w+$/, '$1')
}

/**
 * Runs a use case under the `If-Match` header of its request. The record is locked before it is compared, so that one
 * of two requests that start from the same state is refused. The 412 is thrown only after the use case: a caller
 * without the right, or with an unknown id, gets the same error as without the header.
 * Implements RFC 9110 §13.1.1.
 */
export async function underCondition<R>(
  tx: Tx,
  { table, read }: Edited,
  call: AnyCall,
  run: () => Promise<R>,
): Promise<R> {
  const condition = call.request.headers['if-match']
  if (condition === undefined) return run()
  const tag = await tagOfRecord(tx, table, read, call)
  const result = await run()
  if (tag !== null && holds(condition, tag)) return result
  throw httpErrors.changedAfterRead()
}

/** Locks the record and returns the ETag with which the caller would read it; null when the caller cannot read it. */
async function tagOfRecord(tx: Tx, table: EditedTable, read: AnyReading, call: AnyCall): Promise<string | null> {
  const actor = call.actor as { organizationId: number } | null
  const id = Object.values((call.params ?? {}) as Record<string, number>)[0]
  if (!actor || id === undefined) return null
  await lockRecord(tx.db, table, actor.organizationId, id)
  const services = { ...call.services, database: { ...call.services.database, db: tx.db } }
  const query = read.query?.safeParse({}).data as undefined
  try {
    const { status, body } = await read.read({ ...call, db: tx.db, services, query })
    const schema = (read as AnyDeclaration).answers[200]
    if (status !== 200 || !schema) return null
    const answer = serializerCompiler({ schema, method: 'GET', url: '' })(body)
    return tagOf((read as AnyDeclaration).links ? withoutLinks(answer) : answer)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
