import { newStorageKey } from '../../platform/adapters/storage/file-types.ts'
import { type Actor, assertIsVerified } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { type ImportKindName, importKinds } from './find-import-kind.ts'
import { insertContent, insertObject } from './import.access.ts'
import type { ImportInput } from './import.types.ts'
import { lookLater } from './start-awaited.ts'

/** The most imports of an organization that wait while another one runs. */
const MOST_WAITING = 10
/** The seconds after which a refused caller should try again. */
const RETRY_SECONDS = 60
/** The seconds until the first check whether the file was uploaded. */
const FIRST_LOOK_SECONDS = 3

export interface NewImport extends Omit<ImportInput, 'read' | 'format' | 'awaits'> {
  kind: ImportKindName
  atomic: boolean
  /** The content that was sent (CSV, or a JSON array of objects), or the name of the file that will be uploaded. */
  file: { format: ImportInput['format']; content: string } | { fileName: string }
}

/** The content types of the files that can be imported, by file extension. */
const fileTypes = { csv: 'text/csv', json: 'application/json' } as const

/**
 * Starts an import. The imports of an organization run one after another. An import by upload waits until its file was
 * uploaded.
 * Implements interface §Imports.
 */
export async function startImport(tx: Tx, actor: Actor, { file, atomic, ...rest }: NewImport): Promise<{ id: number }> {
  if (importKinds[rest.kind].bringsAddresses) assertIsVerified(actor)
  const format = 'content' in file ? file.format : formatOf(file.fileName)
  const waits = !('content' in file)
  const refusal = () => portabilityErrors.importsWaiting({ retryAfterSeconds: RETRY_SECONDS, limit: MOST_WAITING })
  const mostOpen = { count: MOST_WAITING + 1, refusal }
  const { id } = await startOperation(tx, actor, {
    kind: 'import',
    atomic,
    input: { ...rest, format, ...(waits && { awaits: true }) },
    subjectIds: [],
    mostOpen,
    waits,
  })
  const of = { organizationId: actor.organizationId, operationId: id }
  if ('content' in file) await insertContent(tx, of, file.content)
  else {
    const storageKey = newStorageKey(actor.organizationId, file.fileName)
    await insertObject(tx, of, { storageKey, contentType: fileTypes[format] })
    lookLater(tx, of, FIRST_LOOK_SECONDS)
  }
  return { id }
}

function formatOf(fileName: string): ImportInput['format'] {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'csv' || ending === 'json') return ending
  throw portabilityErrors.fileOfImport()
}
