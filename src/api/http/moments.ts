import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { type NoInstant, readInstant } from '../../shared/platform/kernel/instants.ts'
import { wallToInstant } from '../../shared/platform/kernel/zones.ts'
import { innerOf } from './bounded-lists.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/

const noMoment: Record<NoInstant, string> = {
  malformed: fieldErrors.dayOrInstant(),
  local: fieldErrors.instantWithOffset(),
  outside: fieldErrors.instantInYears(),
}

/** A day in a parsed body, before the zone of the caller's organization is known. */
class LocalDay {
  readonly day: string
  constructor(day: string) {
    this.day = day
  }
}

/**
 * When something took place, in a body: an instant with an offset, or a local day, `YYYY-MM-DD`, which means its first instant in
 * the zone of the caller's organization. `withMoments` makes the day a Date before an endpoint sees the body, so the type is Date.
 */
export const MomentInput = z
  .string()
  .max(64, { error: noMoment.malformed, abort: true })
  .transform((value, context): Date => {
    const isDay = DATE.test(value)
    const instant = readInstant(isDay ? `${value}T00:00:00Z` : value)
    if (instant instanceof Date) return isDay ? (new LocalDay(value) as unknown as Date) : instant
    context.addIssue(noMoment[instant])
    return z.NEVER
  })
  .meta({ override: { type: 'string' } })

/** What makes a day of a text: the same in every copy of `MomentInput` that has another description. */
const toMoment: z.core.$ZodType = MomentInput._zod.def.out

/** Returns whether a schema has a `MomentInput` anywhere. */
export function holdsMoments(schema: z.core.$ZodType | undefined, seen = new Set<z.core.$ZodType>()): boolean {
  if (schema === undefined || seen.has(schema)) return false
  seen.add(schema)
  return schema === toMoment || innerOf(schema).some((inner) => holdsMoments(inner, seen))
}

/** Returns a parsed body in which each day of `MomentInput` is its first instant in the zone of the caller's organization. */
export function withMoments(body: unknown, caller: { organization: { timeZoneName: string } } | null): unknown {
  if (body instanceof LocalDay) return wallToInstant(body.day, 0, caller?.organization.timeZoneName ?? 'UTC')
  if (Array.isArray(body)) return body.map((one) => withMoments(one, caller))
  if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, withMoments(value, caller)]))
}
