import { z } from 'zod'
import { documentCategories } from '../../../shared/qualification/documents/document.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, QueryId } from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'

const fields = {
  title: name(200).meta({ examples: ['Medical, third class'] }),
  category: z.enum(documentCategories),
  expiresAt: InstantInput.nullish().describe('null: never'),
}

export const DocumentBody = z.object({
  ...fields,
  orgUserId: Id.nullish().describe(
    'Whose: one’s own when left out. Desk staff: a member’s, or null, the organization’s',
  ),
  fileName: FileName.meta({ examples: ['medical.pdf'] }),
})

export const DocumentPatch = z.object({
  title: fields.title.optional(),
  category: fields.category.optional(),
  expiresAt: fields.expiresAt,
})

export const DocumentsQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe('This member’s only'),
  category: z.enum(documentCategories).optional(),
})
