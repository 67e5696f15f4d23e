import { contentTypeOf, newStorageKey } from '../adapters/storage/file-types.ts'
import type { Actor } from '../authz/actor.ts'
import type { Role } from '../authz/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { Forbidden, Invalid } from '../kernel/errors.ts'
import { mustStillBe } from '../../identity/members/must-still-be.ts'
import { lockOrganization } from '../../identity/organizations/lock-organization.ts'
import { type FileTable, settleUpload } from './storage.jobs.ts'
import { mustHaveFormsLeft } from './upload-forms.ts'
import { uploadSettledAt } from './uploads.ts'

/**
 * Lets an actor arrange so many uploads: behind the organization's lock, so that neither a role that is being taken
 * away nor another upload at the same moment is overlooked.
 * @throws Forbidden in a demo organization, which strangers share, and for who has none of the roles any more
 * @throws TooManyRequests when too many would be open
 */
export async function mustTakeUploads(
  tx: Tx,
  actor: Actor,
  count: number,
  by: readonly Role[] | 'member',
): Promise<void> {
  if (actor.organization.demo) throw new Forbidden('Uploads are off in a demo organization.')
  await lockOrganization(tx, actor.organizationId)
  await mustStillBe(tx, actor, by)
  await mustHaveFormsLeft(tx, actor.organizationId, count)
}

/**
 * What a new row says of the file that is about to be uploaded for it.
 * @throws Invalid for a kind of file that is not taken, naming the field
 */
export function newFile(tx: Tx, actor: Actor, fileName: string, field: string) {
  const contentType = contentTypeOf(fileName)
  if (!contentType) throw new Invalid(`${field}: must be a jpg, jpeg, png, heic, heif or pdf file`)
  return {
    organizationId: actor.organizationId,
    fileName,
    contentType,
    storageKey: newStorageKey(actor.organizationId, fileName),
    uploadedBy: actor.orgUserId,
    createdAt: tx.now,
  }
}

/** Owes a look at whether the bytes of a row made now have come, once their upload is over. */
export function expectUpload(tx: Tx, table: FileTable, { organizationId, id }: { organizationId: number; id: number }) {
  tx.enqueue(settleUpload, { organizationId, table, fileId: id }, { availableAt: uploadSettledAt(tx.now) })
}
