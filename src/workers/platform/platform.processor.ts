import { operationWorks } from '../../shared/composition/operation-works.ts'
import { subscriptions } from '../../shared/composition/subscriptions.ts'
import type { fanOutEvents } from '../../shared/platform/contracts/events.jobs.ts'
import type { closeAbandonedDeliveries } from '../../shared/platform/deliveries/deliveries.jobs.ts'
import { closeAbandoned } from '../../shared/platform/deliveries/delivery.access.ts'
import { fanOutNotification } from '../../shared/platform/events/fan-out.ts'
import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { OfOtherRelease } from '../../shared/platform/kernel/errors.ts'
import { abandonOperation } from '../../shared/platform/operations/end-operations.ts'
import type { runOperation } from '../../shared/platform/operations/operations.jobs.ts'
import { runRest } from '../../shared/platform/operations/run-operation.ts'
import { PURGED_AT_ONCE, purgeBatch, purgedTables } from '../../shared/platform/retention/purge-batch.access.ts'
import type { purgeExpired } from '../../shared/platform/retention/retention.jobs.ts'
import { HALF_UPLOAD_DAYS, keptSince } from '../../shared/platform/retention/retention.rules.ts'
import type { dropStoredFolder, dropStoredObject, finalizeUpload } from '../../shared/platform/storage/storage.jobs.ts'
import { endUpload, findUpload } from '../../shared/platform/storage/upload-form.access.ts'
import { deleteKeptDocuments } from '../../shared/qualification/documents/delete-document.ts'

/** Calls the subscriptions to the events of one transaction, all in one new transaction. */
export const fanOutEventsProcessor: JobProcessor<typeof fanOutEvents> = async ({ organizationId }, tools, run) => {
  await tools.transaction((tx) => fanOutNotification(tx, subscriptions, { id: run.id, organizationId }))
}

/**
 * Deletes rows whose retention period has ended: table by table, one batch per transaction. Also deletes documents of
 * former members, with their files, and partial uploads.
 */
export const purgeExpiredProcessor: JobProcessor<typeof purgeExpired> = async (_payload, tools) => {
  const purged: Record<string, number> = {}
  for (const table of purgedTables(tools.database.tables)) {
    purged[table] = await inBatches(tools, (tx) => purgeBatch(tx, table), PURGED_AT_ONCE)
  }
  purged.document = await inBatches(tools, (tx) => deleteKeptDocuments(tx, PURGED_AT_ONCE), PURGED_AT_ONCE)
  purged.uploads = (await tools.storage.own?.dropHalves(keptSince(tools.clock(), HALF_UPLOAD_DAYS))) ?? 0
  tools.log.info({ purged }, 'purged what was kept long enough')
}

/** Gives up deliveries that a killed worker left open and whose job has ended. */
export const closeAbandonedDeliveriesProcessor: JobProcessor<typeof closeAbandonedDeliveries> = async (
  _payload,
  tools,
) => {
  const closed = await inBatches(tools, (tx) => closeAbandoned(tx.db, PURGED_AT_ONCE), PURGED_AT_ONCE)
  if (closed > 0) tools.log.info({ closed }, 'closed deliveries whose jobs have ended')
}

/**
 * Processes the pending rows of an operation, also after the worker that started it crashed. Ends the operation when
 * the last attempt fails.
 */
export const runOperationProcessor: JobProcessor<typeof runOperation> = async (payload, tools, run) => {
  try {
    await runRest({ transaction: tools.transaction, outside: tools }, operationWorks, payload)
  } catch (error) {
    const isOver = run.lastAttempt && !(error instanceof OfOtherRelease)
    if (isOver) await tools.transaction((tx) => abandonOperation(tx, payload))
    throw error
  }
}

/**
 * Stores whether the file of an upload form was uploaded, so that reads need not query the storage. Does nothing when
 * the row has another object by now.
 */
export const finalizeUploadProcessor: JobProcessor<typeof finalizeUpload> = async (payload, { database, storage }) => {
  const file = await findUpload(database.db, payload)
  if (payload.storageKey !== undefined && payload.storageKey !== file?.storageKey) return
  // External object storage can accept an upload after its form has ended. Such an object is deleted.
  if (file?.upload === 'missing') await storage.remove(file.storageKey)
  if (file?.upload !== 'awaited') return
  await endUpload(database.db, { ...payload, storageKey: file.storageKey }, await storage.sizeOf(file.storageKey))
}

/** Deletes one stored object; does nothing for a missing one. */
export const dropStoredObjectProcessor: JobProcessor<typeof dropStoredObject> = async ({ storageKey }, tools) => {
  await tools.storage.remove(storageKey)
}

/** Deletes everything that a deleted organization stored. */
export const dropStoredFolderProcessor: JobProcessor<typeof dropStoredFolder> = async ({ folder }, tools) => {
  await tools.storage.removeAll(folder)
}
