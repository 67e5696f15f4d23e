import { z } from 'zod'
import { documentCategories } from '../../../shared/platform/authz/organization-settings.ts'
import { documentStatuses } from '../../../shared/qualification/documents/document.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, note, QueryId, RoleNames } from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'

const fields = {
  title: name(200).meta({ examples: ['Medical, third class'] }),
  category: z.enum(documentCategories),
  expiresAt: InstantInput.nullish().describe('null: never'),
  roles: RoleNames.optional()
    .describe('Of one of the organization: which roles see it, besides desk staff; empty: everybody')
    .meta({ examples: [[]] }),
  fileName: FileName.meta({ examples: ['medical.pdf'] }),
}

export const DocumentBody = z.object({
  ...fields,
  orgUserId: Id.nullish().describe(
    'Whose: one’s own when left out. Desk staff: a member’s, or null, the organization’s',
  ),
})

export const DocumentPatch = z.object({
  title: fields.title.optional(),
  category: fields.category.optional(),
  expiresAt: fields.expiresAt,
  roles: fields.roles,
  fileName: fields.fileName.optional().describe('A new file in place of the present one; its upload is answered'),
  status: z.enum(documentStatuses).optional().describe('Desk staff, but nobody of their own'),
  note: note(2_000)
    .nullish()
    .describe('Desk staff: what the member reads about it')
    .meta({ examples: ['The second page is missing.'] }),
})

export const DocumentsQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe('This member’s only'),
  category: z.enum(documentCategories).optional(),
  status: z.enum(documentStatuses).optional(),
})
