import { z } from 'zod'
import { Id } from '../http/schemas.ts'

/** A rating of the catalog. */
export const Rating = z
  .object({
    id: Id,
    code: z.string().meta({ examples: ['ASEL'] }),
    name: z.string().meta({ examples: ['Airplane single-engine land'] }),
  })
  .meta({ id: 'Rating' })
