import { z } from 'zod'
import { fileCategories, fileVisibilities } from '../../../shared/fleet/resources/resource.rules.ts'
import type { ResourceFileRow } from '../../../shared/fleet/resources/resource-file.queries.ts'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { fileFields, fileView, linkTo } from '../../platform/storage/signed-files.ts'

/** A file of an aircraft. */
export const ResourceFile = z
  .object({
    id: Id,
    category: z.enum(fileCategories),
    visibility: z.enum(fileVisibilities),
    label: z.string().nullable(),
    expiresAt: Instant.nullable(),
    ...fileFields,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ResourceFile' })

/** Returns a file of an aircraft without its link. */
export function resourceFileView(row: ResourceFileRow): Omit<z.input<typeof ResourceFile>, 'url'> {
  return {
    id: row.id,
    category: row.category,
    visibility: row.visibility,
    label: row.label,
    expiresAt: iso(row.expires_at),
    ...fileView(row),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns a file of an aircraft with its link. */
export async function withLink(
  row: ResourceFileRow,
  storage: ObjectStorage,
  now: Date,
): Promise<z.input<typeof ResourceFile>> {
  return { ...resourceFileView(row), url: await linkTo(row, storage, now) }
}
