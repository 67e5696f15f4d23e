import { z } from 'zod'
import { Id } from '../http/schemas.ts'

/** A rating of the catalog. */
export const Rating = z
  .object({
    id: Id,
    code: z.string(),
    name: z.string(),
  })
  .meta({ id: 'Rating' })
