import { z } from 'zod'
import type { ObjectStorage } from '../../../shared/platform/adapters/storage/storage.port.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import { documentCategories } from '../../../shared/platform/authz/rule-settings.ts'
import type { DocumentRow } from '../../../shared/qualification/documents/document.queries.ts'
import { documentStatuses } from '../../../shared/qualification/documents/document.rules.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { fileFields, fileView, linkTo } from '../../platform/storage/signed-files.ts'

/** A document of a member or of the organization. */
export const Document = z
  .object({
    id: Id,
    title: z.string(),
    category: z.enum(documentCategories),
    orgUserId: Id.nullable().describe('The owner; null: the organization'),
    roles: z
      .array(z.enum(roles))
      .describe(
        'For a document of the organization: the roles that see it, in addition to desk staff; empty: everybody',
      ),
    expiresAt: Instant.nullable(),
    status: z.enum(documentStatuses).describe('The result of the review by desk staff; `pending` until the review'),
    notes: z.string().nullable().describe('What desk staff write to the member about the review; null: nothing'),
    verifiedBy: Person.nullable(),
    verifiedAt: Instant.nullable(),
    ...fileFields,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'MemberDocument' })

/** Returns a document without its link. */
export function documentView(row: DocumentRow): Omit<z.input<typeof Document>, 'url'> {
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    orgUserId: row.membership_id ?? null,
    roles: row.roles,
    expiresAt: iso(row.expires_at ?? null),
    status: row.status,
    notes: row.notes ?? null,
    verifiedBy: personView(row.verified_by, row.verifier),
    verifiedAt: iso(row.verified_at ?? null),
    ...fileView(row),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns a document with its link. */
export async function withLink(row: DocumentRow, storage: ObjectStorage, now: Date): Promise<z.input<typeof Document>> {
  return { ...documentView(row), url: await linkTo(row, storage, now) }
}
