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
  expiresAt: InstantInput.nullish().describe(
    'When the document expires; null: never. The member, or the admins for a document of the organization, are notified ' +
      '(`document_expiring`) 30, 14 and 3 days before, and again after a change',
  ),
  roles: RoleNames.optional().describe(
    'For a document of the organization: the roles that see it, in addition to desk staff; empty: everybody',
  ),
  fileName: FileName.describe(
    'pdf, jpeg, png, heic or heif. The form takes one file of this type, of at most 25 MiB, for 15 minutes. It ends earlier ' +
      'when the uploader’s membership, role or grant ends',
  ),
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
  fileName: fields.fileName
    .optional()
    .describe(
      'The name of a new file. The present one is deleted, and the answer has a form for the upload of the new one',
    ),
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
