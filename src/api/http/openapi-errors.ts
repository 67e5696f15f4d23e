import type { CatalogueEntry } from '../../shared/platform/kernel/error-catalogue.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { httpErrors } from './http.errors.ts'
import type { JsonSchema } from './openapi-schema.ts'

/** The statuses that an endpoint declares itself. */
export type DeclaredStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 503

/**
 * One reason of an error: an entry of the catalogue of errors, by itself or with a remark; or, for a reason without a
 * code, words.
 */
export type Reason<Of extends DeclaredStatus = DeclaredStatus> =
  | string
  | CatalogueEntry<Of | null>
  | readonly [CatalogueEntry<Of | null>, remark: string]

/** A reference to the error envelope. */
export const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }

/** What every endpoint of its kind raises besides what it lists itself. */
export const alsoRaised = { keyed: httpErrors.keyMismatch, verified: platformErrors.emailNotVerified }

/** Builds the response of one status; `also` is what the endpoint's kind raises too. The first entry is the example. */
export function errorAnswer(declared: string | readonly Reason[], also?: CatalogueEntry<DeclaredStatus>): unknown {
  const reasons = typeof declared === 'string' ? [declared] : declared
  const entries = reasons.flatMap((reason) => entryOf(reason) ?? [])
  const all = also && !entries.some(({ id }) => id === also.id) ? [...reasons, also] : reasons
  const [first] = entries
  const example = first ? exampleOf(first) : { message: spoken(String(reasons[0])) }
  return {
    description: all.map(reasonText).join('; or '),
    content: { 'application/json': { schema: errorSchema, example } },
  }
}

/** Returns what the description of an error says about one reason: its code, its message and the remark. */
export function reasonText(reason: Reason): string {
  const entry = entryOf(reason)
  if (!entry) return String(reason)
  const remark = Array.isArray(reason) ? ` (${reason[1]})` : ''
  const code = entry.code ? `\`${entry.code}\`: ` : ''
  return `${code}${shownMessage(entry.message).replace(/[.]$/, '')}${remark}`
}

/** Returns a message as Markdown: parameters in italics, a word that follows a number as its plural. */
export function shownMessage(message: string): string {
  return inPlural(message).replace(/\{(\w+)\}/g, '*$1*')
}

/** Returns the body of an error of the catalogue, with an example for each parameter. */
export function exampleOf({ message, code }: CatalogueEntry) {
  const words = inPlural(message).replace(/\{(\w+)\}/g, (_, name: string) => parameterExamples[name] ?? name)
  return code ? { message: words, code } : { message: words }
}

const parameterExamples: Readonly<Record<string, string>> = {
  bookings: '2',
  decision: 'approved',
  label: '2026-07',
  most: '20',
  obstacles: 'Night training is not met',
  organization: 'Hayward Flying Club',
  reminders: 'Annual inspection',
  resource: 'N172SP',
  status: 'paid',
  type: 'dual',
}

type Entry = CatalogueEntry<DeclaredStatus | null>

function entryOf(reason: Reason): Entry | undefined {
  if (typeof reason === 'string') return undefined
  return Array.isArray(reason) ? reason[0] : (reason as Entry)
}

function inPlural(message: string): string {
  return message.replace(/\{\w+\|[^|}]*\|([^}]*)\}/g, '$1')
}

/** Returns words as a sentence without code marks. */
function spoken(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}.`.replaceAll('`', '')
}
