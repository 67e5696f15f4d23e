import { p } from '@mikro-orm/core'
import { instant } from '../db/columns.ts'

/**
 * Whether the bytes are there: `awaited` until the upload is over, then `stored`, or `missing` when nobody came.
 */
const uploadStates = ['awaited', 'stored', 'missing'] as const

/** What a row carries that stands for a file in object storage. */
export const fileColumns = {
  fileName: p.text(),
  contentType: p.text(),
  storageKey: p.text(),
  upload: p.enum(uploadStates).default('awaited'),
  uploadedBy: p.integer(),
  /** The form that the bytes come by ended before its time: who arranged it may not add the file any more. */
  formEndedAt: instant().nullable(),
}
