import type { Tx } from '../db/transaction.ts'
import { dropStoredFolder, dropStoredObject } from './storage.jobs.ts'

/** How long a signed upload, and a link to a file, is good for. */
const LINK_MINUTES = 15
/** By then an upload that began in time has ended, however slow the line. */
const SETTLED_MINUTES = 45

/** When the signed upload of a row made at this instant is over. */
export function uploadExpiresAt(createdAt: Date): Date {
  return minutesAfter(createdAt, LINK_MINUTES)
}

/** Rows made later than this have an upload that is not over. */
export function formsOpenSince(now: Date): Date {
  return minutesAfter(now, -LINK_MINUTES)
}

/** When the link that is given out now is over. */
export function linkExpiresAt(now: Date): Date {
  return minutesAfter(now, LINK_MINUTES)
}

/** From when on nothing more can arrive for a row made at this instant. */
export function uploadFinalizedAt(createdAt: Date): Date {
  return minutesAfter(createdAt, SETTLED_MINUTES)
}

/** Owes that an object is dropped: now, and again once its upload cannot arrive any more. */
export function dropObject(tx: Tx, { storageKey, createdAt }: { storageKey: string; createdAt: Date }): void {
  tx.enqueue(dropStoredObject, { storageKey })
  const settledAt = uploadFinalizedAt(createdAt)
  if (settledAt > tx.now) tx.enqueue(dropStoredObject, { storageKey }, { availableAt: settledAt })
}

/** Owes that everything stored for an organization is dropped, and whatever may still arrive. */
export function dropEverythingOf(tx: Tx, organizationId: number): void {
  tx.enqueue(dropStoredFolder, { folder: organizationId })
  tx.enqueue(dropStoredFolder, { folder: organizationId }, { availableAt: uploadFinalizedAt(tx.now) })
}

function minutesAfter(instant: Date, minutes: number): Date {
  return new Date(instant.getTime() + minutes * 60_000)
}
