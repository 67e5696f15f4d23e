import { z } from 'zod'
import { contentTypeOf, fileExtensions } from '../../shared/adapters/storage/file-types.ts'
import { fileCategories, fileVisibilities, MAX_FILES } from '../../shared/resources/resource-file.rules.ts'
import { name, PathId, text } from '../http/schemas.ts'

const Category = z.enum(fileCategories)
const Visibility = z.enum(fileVisibilities)
const Label = text(200).trim().nullish()

const FileName = name(255)
  .refine((fileName) => !/[/\\\p{Cc}]/u.test(fileName), 'must be a file name, without folders')
  .refine((fileName) => contentTypeOf(fileName) !== null, `must end in ${fileExtensions.join(', ')}`)
  .meta({ examples: ['poh.pdf'] })

export const FilesBody = z.object({
  category: Category,
  visibility: Visibility.optional().describe('Left out: `bookers` for `poh` and `weight_and_balance`, else `staff`'),
  label: Label.meta({ examples: ['Pilot’s operating handbook'] }),
  fileNames: z.array(FileName).min(1).max(MAX_FILES),
})

export const FilePatch = z.object({
  category: Category.optional(),
  visibility: Visibility.optional(),
  label: Label.describe('null clears it'),
})

export const FileParams = z.object({ id: PathId, fileId: PathId })
