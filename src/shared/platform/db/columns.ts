import { p } from '@mikro-orm/core'
import { member } from './member-columns.ts'

/**
 * The columns of every record; instants have milliseconds. The database assigns ids. A trigger sets `updatedAt` to the
 * time of the transaction, so a loaded entity keeps the value that it had when it was loaded.
 */
export const record = {
  id: p.integer().primary().autoincrement(),
  createdAt: p.datetime().length(3).defaultRaw('now()'),
  updatedAt: p.datetime().length(3).defaultRaw('now()'),
}

/** The columns of a record of one organization. Its foreign keys are composite: (organization_id, id). */
export const tenantRecord = { ...record, organizationId: p.integer() }

/** A timestamp column with milliseconds. */
export const instant = () => p.datetime().length(3)

/** One column per role, for memberships, invitations and join requests. */
export const roleColumns = {
  owner: p.boolean().default(false),
  admin: p.boolean().default(false),
  dispatcher: p.boolean().default(false),
  instructor: p.boolean().default(false),
  student: p.boolean().default(false),
  renter: p.boolean().default(false),
  technician: p.boolean().default(false),
}

/** The state of an upload: `awaited`, then `stored` when the file arrives in time, otherwise `missing`. */
export const uploadStates = ['awaited', 'stored', 'missing'] as const
export type UploadState = (typeof uploadStates)[number]

/** The columns of a row that represents a stored file. */
export const fileColumns = {
  fileName: p.text(),
  contentType: p.text(),
  storageKey: p.text(),
  upload: p.enum(uploadStates).default('awaited'),
  /** The size of the stored object; null while there is none. */
  sizeBytes: p.integer().nullable(),
  uploadedBy: member.act('work', 'others'),
  /** Set when the upload form was ended early, because its member may no longer add the file. */
  formEndedAt: instant().nullable(),
}
