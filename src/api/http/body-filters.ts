import { z } from 'zod'
import { distinct, Id, id, idOrMe } from './schemas.ts'
import { sentenceFor } from './wording.ts'

/** The most values of a filter in a body. */
const MOST_VALUES = 1_000

/**
 * Returns the schema of a filter in a body, where a list is an array: one value, or several of which any matches. The
 * parsed value is an array.
 */
function oneOrMore<T extends z.ZodType>(value: T, override: object) {
  const list = z.array(value).min(1).max(MOST_VALUES).transform(distinct)
  return z
    .unknown()
    .transform((given, context): z.output<T>[] => {
      const { data, error } = list.safeParse(Array.isArray(given) ? given : [given], { error: sentenceFor })
      if (!error) return data
      for (const issue of error.issues) {
        // What is wrong with the only value is said of the filter itself.
        const path = Array.isArray(given) ? issue.path : issue.path.slice(1)
        context.issues.push({ ...issue, path } as z.core.$ZodRawIssue)
      }
      return z.NEVER
    })
    .meta({ override: { anyOf: [override, { type: 'array', items: override, minItems: 1, maxItems: MOST_VALUES }] } })
}

/** Ids in a filter of a body. */
export const FilterIds = oneOrMore(Id, id)

/** orgUserIds in a filter of a body. `me` is the caller; `membersOf` replaces it. */
export const FilterMembers = oneOrMore(z.union([Id, z.literal('me')]), idOrMe)

/** Returns the schema of allowed words in a filter of a body. */
export function filterWords<const Words extends readonly [string, ...string[]]>(words: Words) {
  return oneOrMore(z.enum(words), { type: 'string', enum: words })
}
