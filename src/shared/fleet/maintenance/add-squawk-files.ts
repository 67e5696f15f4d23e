import { assertTakesUploads } from '../../identity/members/member.access.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Squawk } from '../fleet.tables.ts'
import { insertFiles } from '../resources/add-files.ts'
import { deleteFile } from '../resources/change-file.ts'
import { maintainers } from './change-squawk.ts'
import { lockSquawk } from './maintenance.access.ts'

/**
 * Inserts a row for each file that will be uploaded for a squawk. Returns the ids. Maintainers may add files at any
 * time, the reporter only while the squawk is open.
 * Implements interface §Maintenance.
 */
export async function addSquawkFiles(
  tx: Tx,
  actor: Actor,
  id: number,
  { fileNames, label }: { fileNames: string[]; label?: string | null | undefined },
): Promise<{ ids: number[] }> {
  await assertTakesUploads(tx, actor, fileNames.length, 'member')
  const squawk = await lockSquawk(tx, actor, id)
  assertChangesFiles(actor, squawk)
  const files = { category: 'other', visibility: 'bookers', label, fileNames, squawkId: id } as const
  return insertFiles(tx, actor, squawk.resourceId, files)
}

/**
 * Deletes a file of a squawk. Those who may add files may delete them.
 * Implements interface §Maintenance.
 */
export async function deleteSquawkFile(
  tx: Tx,
  actor: Actor,
  { id, fileId }: { id: number; fileId: number },
): Promise<void> {
  const squawk = await lockSquawk(tx, actor, id)
  assertChangesFiles(actor, squawk)
  await deleteFile(tx, actor, { id: squawk.resourceId, fileId, squawkId: id })
}

function assertChangesFiles(actor: Actor, squawk: Squawk): void {
  if (is(actor, maintainers)) return
  if (squawk.reportedBy !== actor.orgUserId || squawk.status !== 'open') throw fleetErrors.squawkFileOfOthers()
}
