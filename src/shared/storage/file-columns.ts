import { p } from '@mikro-orm/core'

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
}
