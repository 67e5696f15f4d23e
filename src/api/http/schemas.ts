import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { readAddress } from '../../shared/platform/kernel/addresses.ts'
import { isDay, type NoInstant, readInstant } from '../../shared/platform/kernel/instants.ts'
import { holdsAddress } from '../../shared/platform/kernel/text.ts'
import { inCents, MAX_ID } from '../../shared/platform/kernel/units.ts'
import { isZone } from '../../shared/platform/kernel/zones.ts'
import { name, oneLine } from '../../shared/platform/text.schemas.ts'
import { choicesNamed, sentenceFor } from './wording.ts'

export { name, note, oneLine, text } from '../../shared/platform/text.schemas.ts'

export { MAX_ID }

/** The largest amount of one field, in cents: 20 million in the main unit of the currency. */
export const MAX_CENTS = 2_000_000_000

/** A whole number in a path or query: digits with an optional minus. */
const WholeNumberText = z
  .string()
  .regex(/^-?[0-9]+$/, fieldErrors.wholeNumber())
  .transform((text) => Math.max(Math.min(Number(text), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER))

/**
 * An id in a path. A value that is not a positive integer gives 400. A value above the largest id becomes 0, which no
 * record has, so it gives 404.
 */
export const PathId = WholeNumberText.pipe(z.int().min(1))
  .transform((id) => (id > MAX_ID ? 0 : id))
  .meta({ override: { type: 'integer', minimum: 1, example: 1 } })

/** `{ id }` in a path, for most endpoints of one record. */
export const IdParams = z.object({ id: PathId })

/** An id in a body or an answer. */
export const Id = z.int().min(1).max(MAX_ID)

/** `{ id }` in a body or an answer. */
export const Reference = z.object({ id: Id }).meta({ id: 'Reference' })

/** A member in a body. */
export const MemberReference = z.object({ orgUserId: Id }).meta({ id: 'MemberReference' })

/** A request that somebody is asked to make. */
export const ActionRequest = z.object({ method: z.enum(['GET', 'POST', 'PUT', 'PATCH']), path: z.string() }).meta({
  id: 'ActionRequest',
  description:
    'The request that completes the task, or removes the cause. A dispute is answered at the payment processor, and its invoice only read',
})

/** A record with its name, in an answer. */
export const NamedReference = z.object({ id: Id, name: z.string() }).meta({ id: 'NamedReference' })

/** A record by its kind and id. */
export const RecordReference = z.object({ kind: z.string(), id: Id }).meta({ id: 'RecordReference' })

/** A member with name, in an answer. */
export const Person = z.object({ orgUserId: Id, name: z.string() }).meta({ id: 'Person' })

/** Returns each item once, in the order of the first occurrences. */
export function distinct<T>(items: T[]): T[] {
  return [...new Set(items)]
}

/** Returns the schema of a whole number in a query, from `min` to `max`. */
export function queryNumber(min: number, max: number) {
  return WholeNumberText.pipe(z.int().min(min).max(max))
}

/**
 * Returns the schema of the name of a person or an organization. Web addresses are refused, because mails to people
 * outside the organization contain the name.
 */
export function properName(max: number) {
  return name(max).refine((value) => !holdsAddress(value), fieldErrors.noWebAddress())
}

/** An email address in the form in which it is stored and compared: lower case, domain in ASCII. */
export const Email = oneLine(254)
  .trim()
  .transform((value, context) => {
    const address = readAddress(value)
    if (address !== null) return address
    context.addIssue(fieldErrors.email())
    return z.NEVER
  })
  .meta({ override: { type: 'string', maxLength: 254, format: 'idn-email' } })

const noInstant: Record<NoInstant, string> = {
  malformed: fieldErrors.instant(),
  local: fieldErrors.instantWithOffset(),
  outside: fieldErrors.instantInYears(),
}

/** An instant in a body or query: ISO 8601 with an explicit offset or `Z`. The parsed value is a Date. */
export const InstantInput = z
  .string({ error: ({ input }) => (input === undefined || Array.isArray(input) ? undefined : noInstant.malformed) })
  // `abort` stops here. Otherwise checks over several fields would get a text instead of a Date.
  .max(64, { error: noInstant.malformed, abort: true })
  .transform((value, context) => {
    const instant = readInstant(value)
    if (instant instanceof Date) return instant
    context.addIssue(noInstant[instant])
    return z.NEVER
  })
  .meta({ override: { type: 'string', format: 'date-time' } })

/** A day of the calendar in a body, `YYYY-MM-DD`. */
export const DayInput = z.string().max(64, fieldErrors.day()).refine(isDay, fieldErrors.day()).meta({ format: 'date' })

/** A day of the calendar in an answer. */
export const Day = z.string().meta({ format: 'date' })

/** An instant in an answer: UTC with `Z` and milliseconds. */
export const Instant = z.string().meta({ format: 'date-time' })

/** A booking with its start, in an answer. */
export const BookingReference = z.object({ id: Id, start: Instant }).meta({ id: 'BookingReference' })

/** The same beside other ids, under `reservationId`. */
export const BookingStart = z.object({ reservationId: Id, start: Instant }).meta({ id: 'BookingStart' })

/** An IANA zone name. */
export const ZoneName = z
  .string()
  // A longer text is not looked up.
  .max(64, { abort: true })
  .refine(isZone, fieldErrors.zone())

/** Money in a body: whole cents. */
export const CentsInput = inCents(z.int().min(0).max(MAX_CENTS).meta({ unit: 'Cents' }))

/** Money in an answer: whole cents, signed. */
export const Cents = z.int().meta({ unit: 'Cents' })

/** A flag in a query: `true` or `false`. */
export const QueryFlag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ override: { type: 'boolean' } })

/** A text to search for, in a query. */
export const QueryText = oneLine(200).trim()

/** The values of filters by id and by member, as the document has them. */
export const id = { type: 'integer', minimum: 1 }
export const idOrMe = { $ref: '#/components/schemas/IdOrMe' }
/** The longest text of a list of ids, and the most ids in it. */
const [LONGEST_IDS, MOST_IDS] = [120_000, 10_000]

/** Returns the parts of a comma-separated list in a query. */
function partsOf(value: string): string[] {
  return value.split(',').map((part) => part.trim())
}

function isId(part: string): boolean {
  return /^[0-9]{1,10}$/.test(part) && Number(part) >= 1
}

/** Returns an id of a query. A value above the largest id becomes 0, which no record has. */
function idOf(part: string): number {
  return Number(part) > MAX_ID ? 0 : Number(part)
}

/** Comma-separated ids in a query. */
export const QueryIds = z
  .string()
  .max(LONGEST_IDS)
  .transform((value, context) => {
    const parts = partsOf(value)
    if (parts.length <= MOST_IDS && parts.every(isId)) return distinct(parts.map(idOf))
    context.addIssue(fieldErrors.ids())
    return z.NEVER
  })
  .meta({ override: { type: 'array', items: id } })

/** Comma-separated orgUserIds in a query. `me` is the caller; `membersOf` replaces it. */
export const QueryMembers = z
  .string()
  .max(LONGEST_IDS)
  .transform((value, context) => {
    const parts = partsOf(value)
    if (parts.length <= MOST_IDS && parts.every((part) => part === 'me' || isId(part))) {
      return distinct(parts.map((part) => (part === 'me' ? part : idOf(part))))
    }
    context.addIssue(fieldErrors.members())
    return z.NEVER
  })
  .meta({
    override: {
      type: 'array',
      items: idOrMe,
      example: ['me'],
    },
  })

/** The parameter of an endpoint that answers about one member. It has the form of the other filters by member. */
export const QueryMember = QueryMembers.refine((members) => members.length === 1, fieldErrors.onlyOne())

/** Returns the orgUserIds that a query names; undefined when it names none. */
export function membersOf(named: readonly (number | 'me')[], caller: { orgUserId: number }): number[]
export function membersOf(
  named: readonly (number | 'me')[] | undefined,
  caller: { orgUserId: number },
): number[] | undefined
export function membersOf(named: readonly (number | 'me')[] | undefined, { orgUserId }: { orgUserId: number }) {
  return named && distinct(named.map((one) => (one === 'me' ? orgUserId : one)))
}

/** Returns the schema of a comma-separated list of allowed words in a query. Repeated words are dropped. */
export function queryWords<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .string()
    .max(4_000)
    .transform((value, context): Words[number][] => {
      const parts = partsOf(value)
      if (parts.every((part) => words.includes(part))) return distinct(parts)
      context.addIssue(fieldErrors.someOf({ choices: choicesNamed(words) }))
      return z.NEVER
    })
    .meta({ override: { type: 'array', items: { type: 'string', enum: words } } })
}

/** Returns the schema of a comma-separated list of texts in a query, each of at most `max` characters. */
export function queryTexts(max: number) {
  const one = name(max)
  return z
    .string()
    .max(4_000)
    .transform((value, context) => {
      const parts = partsOf(value).map((part) => one.safeParse(part, { error: sentenceFor }))
      const issue = parts.flatMap(({ error }) => error?.issues ?? [])[0]
      if (issue) context.addIssue(issue.message)
      return issue ? z.NEVER : distinct(parts.flatMap(({ data }) => data ?? []))
    })
    .meta({ override: { type: 'array', items: { type: 'string', minLength: 1, maxLength: max } } })
}

/** Returns the schema of `{ data }` and the fields beside it. */
export function envelope<T extends z.ZodType, B extends z.ZodRawShape = Record<never, never>>(data: T, beside?: B) {
  return z.object({ data, ...(beside as B) })
}

/** The field `warnings` beside `data`: what could not be done. */
export const warnings = {
  warnings: z.array(z.string()).optional(),
}
