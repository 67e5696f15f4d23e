import type { OwnStore } from '../adapters/storage/storage.port.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Forbidden } from '../kernel/errors.ts'
import { platformErrors } from '../platform.errors.ts'
import { type FileTable, finalizeUpload } from './storage.jobs.ts'
import { changeUpload, countFiles, endForms, findOpenForms, isFormOpen } from './upload-form.access.ts'
import { uploadExpiresAt } from './uploads.ts'

/** The most open upload forms per organization. */
export const MAX_OPEN_FORMS = 50

/** The most files of a demo organization, which anybody can sign in to. */
export const MOST_DEMO_FILES = 40

/** Ensures that a demo organization has at most `MOST_DEMO_FILES`. The caller holds the organization's lock. */
export async function assertKeepsDemoQuota({ db }: Tx, organizationId: number, wanted: number): Promise<void> {
  if ((await countFiles(db, organizationId)) + wanted <= MOST_DEMO_FILES) return
  throw platformErrors.demoFilesFull({ limit: MOST_DEMO_FILES })
}

/**
 * Ensures that the organization does not have too many open upload forms. The caller holds the organization's lock. A
 * form is open until its file is stored or it expires.
 */
export async function assertHasFormsLeft(tx: Tx, organizationId: number, wanted: number): Promise<void> {
  const createdAt = await findOpenForms(tx.db, organizationId, tx.now)
  const tooMany = createdAt.length + wanted - MAX_OPEN_FORMS
  const last = createdAt[tooMany - 1]
  if (!last) return
  const seconds = Math.ceil((uploadExpiresAt(last).getTime() - tx.now.getTime()) / 1000)
  throw platformErrors.tooManyUploads({ retryAfterSeconds: Math.max(1, seconds), limit: MAX_OPEN_FORMS })
}

/**
 * Ends the open upload forms of a member for one kind of file; with `whose` `not-own`, only those of files that do not
 * belong to the member. Later uploads are rejected, or deleted when an external object storage accepted them.
 */
export async function endUploadForms(
  tx: Tx,
  table: FileTable,
  member: { organizationId: number; id: number },
  whose: 'all' | 'not-own' = 'all',
): Promise<void> {
  const { organizationId } = member
  for (const fileId of await endForms(tx.db, table, member, { whose, now: tx.now })) {
    tx.enqueue(finalizeUpload, { organizationId, table, fileId })
  }
}

/** Accepts the upload of one form. A form accepts one file; after a failed attempt it is still open. */
export async function takeUpload(
  db: Db,
  own: OwnStore,
  policy: Parameters<OwnStore['receive']>[0],
  content: Parameters<OwnStore['receive']>[1],
): Promise<void> {
  if (!(await isFormOpen(db, policy.key))) throw formClosed()
  let stored = false
  try {
    await own.receive(policy, content, async (bytes) => {
      stored = await changeUpload(db, policy.key, { from: 'awaited', to: 'stored', bytes })
      if (!stored) throw formClosed()
    })
  } catch (error) {
    if (stored) await changeUpload(db, policy.key, { from: 'stored', to: 'awaited', bytes: null })
    throw error
  }
}

function formClosed(): Forbidden {
  return platformErrors.uploadUsed()
}
