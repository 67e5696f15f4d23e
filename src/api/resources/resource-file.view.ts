import { z } from 'zod'
import type { ObjectStorage } from '../../shared/adapters/storage/storage.port.ts'
import type { ResourceFileRow } from '../../shared/resources/resource-file.queries.ts'
import { fileCategories, fileVisibilities } from '../../shared/resources/resource-file.rules.ts'
import { linkExpiresAt } from '../../shared/storage/uploads.ts'
import { iso } from '../http/iso.ts'
import { Id, Instant } from '../http/schemas.ts'

/** A file held on an aircraft. */
export const ResourceFile = z
  .object({
    id: Id,
    category: z.enum(fileCategories),
    visibility: z.enum(fileVisibilities),
    label: z.string().nullable(),
    fileName: z.string().meta({ examples: ['poh.pdf'] }),
    contentType: z.string().meta({ examples: ['application/pdf'] }),
    url: z
      .string()
      .nullable()
      .describe('Answers the file for 15 minutes; null until it is uploaded')
      .meta({ format: 'uri' }),
    uploadedBy: z.object({ orgUserId: Id, name: z.string() }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ResourceFile' })

/** Everything about a file but its link, which the storage signs. */
export function fileView(row: ResourceFileRow): Omit<z.input<typeof ResourceFile>, 'url'> {
  return {
    id: row.id,
    category: row.category,
    visibility: row.visibility,
    label: row.label,
    fileName: row.file_name,
    contentType: row.content_type,
    uploadedBy: { orgUserId: row.uploaded_by, name: row.uploader },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** A file with its link. Only while its upload may be under way is the storage asked whether the bytes are there. */
export async function withLink(
  row: ResourceFileRow,
  storage: ObjectStorage,
  now: Date,
): Promise<z.input<typeof ResourceFile>> {
  const key = row.storage_key
  const isThere = row.upload === 'stored' || (row.upload === 'awaited' && (await storage.has(key)))
  const link = { key, fileName: row.file_name, expiresAt: linkExpiresAt(now) }
  return { ...fileView(row), url: isThere ? await storage.presignRead(link) : null }
}
