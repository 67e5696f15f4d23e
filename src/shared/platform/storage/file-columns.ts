import { p } from '@mikro-orm/core'
import { instant } from '../db/columns.ts'

/** The state of an upload: `awaited` until it expires, then `stored` or `missing`. */
const uploadStates = ['awaited', 'stored', 'missing'] as const
export type UploadState = (typeof uploadStates)[number]

/** The columns of a row that represents a stored file. */
export const fileColumns = {
  fileName: p.text(),
  contentType: p.text(),
  storageKey: p.text(),
  upload: p.enum(uploadStates).default('awaited'),
  uploadedBy: p.integer(),
  /** Set when the upload form was ended early, because its member may no longer add the file. */
  formEndedAt: instant().nullable(),
}
