import { z } from 'zod'
import {
  contentTypeOf,
  fileExtensions,
  MAX_OBJECT_BYTES,
} from '../../../shared/platform/adapters/storage/file-types.ts'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { linkExpiresAt, uploadExpiresAt } from '../../../shared/platform/storage/uploads.ts'
import { personView } from '../../http/persons.ts'
import { name, Person } from '../../http/schemas.ts'

/** The file columns of a row. */
interface FileRow {
  file_name: string
  content_type: string
  storage_key: string
  upload: 'awaited' | 'stored' | 'missing'
  uploaded_by: number
  uploader: string
  created_at: Date
}

/** The name of a file to upload. */
export const FileName = name(255)
  .refine((fileName) => !/[/\\\p{Cc}]/u.test(fileName), fieldErrors.fileName())
  .refine(
    (fileName) => contentTypeOf(fileName) !== null,
    fieldErrors.fileEnding({ endings: fileExtensions.join(', ') }),
  )

/** The fields of a response with the signed uploads of new rows. */
export const signedUrlData = {
  signedUrlData: z
    .array(z.object({ url: z.string(), fields: z.record(z.string(), z.string()) }).meta({ id: 'SignedUpload' }))
    .describe(
      'One signed upload for each file, in the order of the rows. Send all `fields`, then the file as `file`, to ' +
        '`url` as multipart/form-data',
    ),
}

/** The fields of a file in a response. */
export const fileFields = {
  fileName: z.string(),
  contentType: z.string(),
  url: z
    .string()
    .nullable()
    .describe('A link to the file, valid for 15 minutes; null until the file is uploaded')
    .meta({ format: 'uri' }),
  uploadedBy: Person,
}

/** Returns the fields of a file, except its link, which the storage signs. */
export function fileView(row: FileRow) {
  return {
    fileName: row.file_name,
    contentType: row.content_type,
    uploadedBy: personView(row.uploaded_by, row.uploader),
  }
}

/**
 * Returns the link of a file; null while it is not uploaded. Asks the storage only while the upload can be in progress.
 */
export async function linkTo(row: FileRow, storage: ObjectStorage, now: Date): Promise<string | null> {
  const key = row.storage_key
  const isThere = row.upload === 'stored' || (row.upload === 'awaited' && (await storage.sizeOf(key)) !== null)
  return isThere ? storage.presignRead({ key, fileName: row.file_name, expiresAt: linkExpiresAt(now) }) : null
}

/** Returns the signed upload for the file of a new row: one object of the file's type. */
export function signUpload(row: FileRow, storage: ObjectStorage) {
  return storage.presignUpload({
    key: row.storage_key,
    contentType: row.content_type,
    maxBytes: MAX_OBJECT_BYTES,
    expiresAt: uploadExpiresAt(row.created_at),
  })
}
