import { z } from 'zod'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import type { DocumentRow } from '../../../shared/qualification/documents/document.queries.ts'
import { documentCategories } from '../../../shared/qualification/documents/document.rules.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { fileFields, fileView, linkTo } from '../../platform/storage/signed-files.ts'

/** A document of a member or of the organization. */
export const Document = z
  .object({
    id: Id,
    title: z.string().meta({ examples: ['Medical, third class'] }),
    category: z.enum(documentCategories),
    orgUserId: Id.nullable().describe('Whose it is; null is the organization’s'),
    expiresAt: Instant.nullable(),
    ...fileFields,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Document' })

/** Returns a document without its link. */
export function documentView(row: DocumentRow): Omit<z.input<typeof Document>, 'url'> {
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    orgUserId: row.membership_id ?? null,
    expiresAt: iso(row.expires_at ?? null),
    ...fileView(row),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns a document with its link. */
export async function withLink(row: DocumentRow, storage: ObjectStorage, now: Date): Promise<z.input<typeof Document>> {
  return { ...documentView(row), url: await linkTo(row, storage, now) }
}
