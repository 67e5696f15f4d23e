import { z } from 'zod'
import { fileCategories, fileVisibilities, MAX_FILES } from '../../../shared/fleet/resources/resource.rules.ts'
import { InstantInput, oneLine, PathId } from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'

const Category = z.enum(fileCategories)
const Visibility = z.enum(fileVisibilities)
const Label = oneLine(200).trim().nullish()

export const FilesBody = z.object({
  category: Category,
  visibility: Visibility.optional().describe(
    'Who sees the file. Default: `bookers` for `poh`, `weight_and_balance`, `registration` and `airworthiness`, ' +
      'otherwise `staff`',
  ),
  label: Label,
  expiresAt: InstantInput.nullish().describe('After this instant the file no longer counts for a release'),
  fileNames: z.array(FileName).min(1).max(MAX_FILES),
})

export const FilePatch = z.object({
  category: Category.optional(),
  visibility: Visibility.optional(),
  label: Label.describe('null clears it'),
  expiresAt: InstantInput.nullish().describe('null clears it'),
})

export const FileParams = z.object({ id: PathId, fileId: PathId })
