import { type Actor, mustBeVerified } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { type ImportKindName, importKinds } from './find-import-kind.ts'
import { insertContent } from './import.access.ts'
import type { ImportInput } from './import.types.ts'

/** The most imports of an organization that wait for the one that runs. */
const MOST_WAITING = 10
/** How soon it is worth to ask again, in seconds. */
const RETRY_SECONDS = 60

export interface NewImport extends Omit<ImportInput, 'read'> {
  kind: ImportKindName
  atomic: boolean
  /** The file: CSV, or a JSON array of objects. */
  content: string
}

/**
 * Starts an import. Those of an organization are done one after another. Implements interface §Imports.
 * @throws Forbidden EMAIL_NOT_VERIFIED when it brings addresses and the caller's own is not verified.
 * @throws TooManyRequests while ten imports wait, or too many operations are not over.
 */
export async function startImport(
  tx: Tx,
  actor: Actor,
  { content, atomic, ...input }: NewImport,
): Promise<{ id: number }> {
  if (importKinds[input.kind].bringsAddresses) mustBeVerified(actor)
  const refusal = () => portabilityErrors.importsWaiting({ retryAfterSeconds: RETRY_SECONDS, most: MOST_WAITING })
  const mostOpen = { count: MOST_WAITING + 1, refusal }
  const { id } = await startOperation(tx, actor, {
    kind: 'import',
    atomic,
    input: { ...input },
    subjectIds: [],
    mostOpen,
  })
  await insertContent(tx, { organizationId: actor.organizationId, operationId: id }, content)
  return { id }
}
