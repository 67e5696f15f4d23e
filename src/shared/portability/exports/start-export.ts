import { assertStillIs } from '../../identity/members/member.access.ts'
import { findOwners } from '../../identity/members/owner.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { findOperation } from '../../platform/operations/operation.queries.ts'
import { findFile } from '../../platform/operations/operation-file.access.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { workflowsErrors } from '../../workflows/workflows.errors.ts'
import { type exportNews, mailExport } from './exports.jobs.ts'

/** Starts the export of all records of the organization. Implements interface §Exports. */
export async function startExport(tx: Tx, actor: Actor): Promise<{ id: number }> {
  await assertStillIs(tx, actor, ['owner'])
  const { id } = await startOperation(tx, actor, {
    kind: 'export',
    atomic: false,
    input: {},
    subjectIds: [],
    mostOpen: { count: 1, refusal: () => workflowsErrors.exportRunning() },
  })
  await say(tx, actor, id, 'started')
  return { id }
}

/** The file of an export, to be downloaded. */
export interface ExportedFile {
  storageKey: string
  bytes: number
  fileName: string
}

/**
 * Records a download and returns the file: of an export, for an owner; of a person's export, for the member who started
 * it. Implements interface §Exports.
 */
export async function startDownload(tx: Tx, actor: Actor, id: number): Promise<ExportedFile> {
  const { organizationId } = actor
  const operation = await findOperation(tx.db, { actor, kinds: ['export', 'person_export'] }, id)
  const file = await findFile(tx.db, { organizationId, operationId: id })
  if (operation?.status !== 'done' || file?.bytes == null) throw platformErrors.noSuchRecord()
  const day = operation.createdAt.toISOString().slice(0, 10)
  const found = { storageKey: file.storageKey, bytes: file.bytes }
  if (operation.kind === 'person_export') {
    if (operation.startedBy !== actor.orgUserId) throw platformErrors.noSuchRecord()
    const subject = { kind: 'member', id: actor.orgUserId } as const
    emit(tx, actor, { kind: 'person_export.downloaded', subject, after: { operationId: id } })
    return { ...found, fileName: `about-me-${day}.json` }
  }
  await assertStillIs(tx, actor, ['owner'])
  await say(tx, actor, id, 'downloaded')
  return { ...found, fileName: `export-${day}.zip` }
}

async function say(tx: Tx, actor: Actor, operationId: number, what: 'started' | 'downloaded'): Promise<void> {
  const { organizationId, orgUserId } = actor
  const subject = { kind: 'organization', id: organizationId } as const
  emit(tx, actor, { kind: `export.${what}`, subject, after: { operationId } })
  await notifyOwnersOfExport(tx, { organizationId, what, by: orgUserId })
}

/**
 * Mails all owners about an export. The owner who caused the event is mailed too, because somebody else may use that
 * owner's token.
 */
export async function notifyOwnersOfExport(
  tx: Tx,
  { organizationId, what, by }: { organizationId: number; what: (typeof exportNews)[number]; by: number },
): Promise<void> {
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    tx.enqueue(mailExport, { organizationId, orgUserId, what, by })
  }
}
