import { z } from 'zod'
import { documentCategories } from '../../../shared/platform/authz/rule-settings.ts'
import { documentStatuses } from '../../../shared/qualification/documents/document.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { RoleNames } from '../../http/role-schemas.ts'
import { Id, InstantInput, name, note, QueryMembers, queryWords } from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'

const fields = {
  title: name(200),
  category: z.enum(documentCategories),
  expiresAt: InstantInput.nullish().describe('When the document expires; null: never'),
  roles: RoleNames.optional().describe(
    'For a document of the organization: the roles that see it, in addition to desk staff; empty: everybody',
  ),
  fileName: FileName,
}

export const DocumentBody = z.object({
  ...fields,
  orgUserId: Id.nullish().describe(
    'The owner; null: the organization. Default: the caller. Only desk staff can name another member',
  ),
})

export const DocumentPatch = z.object({
  title: fields.title.optional(),
  category: fields.category.optional(),
  expiresAt: fields.expiresAt,
  roles: fields.roles,
  fileName: fields.fileName.optional().describe('The name of a new file that replaces the present one'),
  status: z
    .enum(documentStatuses)
    .optional()
    .describe('The result of the review; only desk staff can set it, and not on their own documents'),
  notes: note(2_000).nullish().describe('What the member reads about the review; only desk staff can set it'),
})

export const DocumentsQuery = ListQuery.extend({
  orgUserId: QueryMembers.optional().describe('Only documents of these members'),
  category: queryWords(documentCategories).optional(),
  status: queryWords(documentStatuses).optional(),
})
