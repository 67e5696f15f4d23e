import type { Tx } from '../db/transaction.ts'
import { dropStoredFolder, dropStoredObject } from './storage.jobs.ts'

/** Minutes for which a signed upload or link is valid. */
const LINK_MINUTES = 15
/** Minutes after the creation of a row by which every upload that started before the expiry has ended. */
const UPLOAD_MINUTES = 45

/** Returns the instant at which the upload form of a row created at this instant expires. */
export function uploadExpiresAt(createdAt: Date): Date {
  return minutesAfter(createdAt, LINK_MINUTES)
}

/**
 * Returns the instant 15 minutes (`LINK_MINUTES`) before `now`: a row created after it still has an open upload form.
 */
export function formsOpenSince(now: Date): Date {
  return minutesAfter(now, -LINK_MINUTES)
}

/** Returns the instant at which a link that is issued now expires. */
export function linkExpiresAt(now: Date): Date {
  return minutesAfter(now, LINK_MINUTES)
}

/** Returns the instant after which no more bytes can arrive for a row created at this instant. */
export function uploadFinalizedAt(createdAt: Date): Date {
  return minutesAfter(createdAt, UPLOAD_MINUTES)
}

/** Enqueues two deletions of an object: now, and after its upload has ended, in case it arrives later. */
export function dropObject(tx: Tx, { storageKey, createdAt }: { storageKey: string; createdAt: Date }): void {
  tx.enqueue(dropStoredObject, { storageKey })
  const endedAt = uploadFinalizedAt(createdAt)
  if (endedAt > tx.now) tx.enqueue(dropStoredObject, { storageKey }, { availableAt: endedAt })
}

/** Enqueues two deletions of all stored objects of an organization: now, and after its uploads have ended. */
export function dropEverythingOf(tx: Tx, organizationId: number): void {
  tx.enqueue(dropStoredFolder, { folder: organizationId })
  tx.enqueue(dropStoredFolder, { folder: organizationId }, { availableAt: uploadFinalizedAt(tx.now) })
}

function minutesAfter(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000)
}
