import type { CatalogueEntry } from '../../shared/platform/kernel/error-catalogue.ts'
import { problemOnlyCodes } from '../../shared/platform/kernel/problem-codes.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { httpErrors } from './http.errors.ts'
import type { JsonSchema } from './json-schema.ts'

/** The statuses that an endpoint declares itself. */
type DeclaredStatus = 400 | 401 | 403 | 404 | 406 | 408 | 409 | 412 | 413 | 415 | 429 | 503

/** An error of the catalogue that an endpoint can answer. An entry without a status is one of the problems in a 400. */
type Raised = CatalogueEntry<DeclaredStatus | null>

/** An error whose message the document has at another operation, such as `POST /reservations`. */
interface ListedElsewhere {
  entry: Raised
  listedAt: string
}

/** One reason of an error: an entry of the catalogue, with or without a remark for the document. */
export type Reason = Raised | readonly [Raised, remark: string] | ListedElsewhere

/** A reference to the error envelope. */
export const errorSchema: JsonSchema = { $ref: '#/components/schemas/ApiError' }

/** The errors that all endpoints of a kind can answer, by the name of their response in the document. */
export const generalErrors = {
  Invalid: [[httpErrors.unfit, 'by field']],
  SignInAgain: [platformErrors.signIn, [httpErrors.sessionEnded, 'the token is expired or malformed']],
  NotAllowed: [platformErrors.notAllowed, httpErrors.noOrganization],
  NotVerified: [platformErrors.notAllowed, httpErrors.noOrganization, platformErrors.emailNotVerified],
  NotFound: [[platformErrors.noSuchRecord, 'in the organization']],
  ChangedSince: [[httpErrors.changedAfterRead, 'the record differs from `If-Match`']],
  Changed: [platformErrors.changedAtOnce],
  KeyMismatch: [httpErrors.keyMismatch, platformErrors.changedAtOnce],
  TooSlow: [[httpErrors.bodyLate, '30 seconds']],
  TooLarge: [[httpErrors.bodyTooLarge, '1 MiB; 64 KiB without a token']],
  NotJson: [httpErrors.notJson, httpErrors.bodyNotInUtf8, httpErrors.bodyEncoded],
  TooMany: [platformErrors.tooManyRequests],
  Away: [
    [httpErrors.away, 'a service that it depends on is unavailable'],
    platformErrors.busy,
    httpErrors.keyStillRunning,
  ],
} as const satisfies Record<string, readonly Reason[]>

/** Returns the errors that an endpoint declares, by status. Errors without a status are listed under 400. */
export function byStatus(reasons: readonly Reason[]): Map<number, Reason[]> {
  return Map.groupBy(reasons, (reason) => entryOf(reason).status ?? 400)
}

/** The properties of an endpoint that decide which general errors it can answer. */
interface Kind {
  access: unknown
  verified?: boolean
  edits?: string
  params?: unknown
  query?: unknown
  body?: unknown
  read?: unknown
  write?: unknown
}

/** Returns the names of the errors that every endpoint of this kind can answer, by status. */
export function generalErrorsOf(endpoint: Kind, method: string): Map<number, keyof typeof generalErrors> {
  const { access, verified, edits, params, query, body, read, write } = endpoint
  const mounted = Boolean(read || write)
  const stranger = access === 'anyone'
  const names: [boolean, number, keyof typeof generalErrors][] = [
    [mounted || Boolean(params || query || body), 400, 'Invalid'],
    [!stranger, 401, 'SignInAgain'],
    [!stranger && access !== 'account', 403, 'NotAllowed'],
    [Boolean(verified), 403, 'NotVerified'],
    [Boolean(params), 404, 'NotFound'],
    [Boolean(edits), 412, 'ChangedSince'],
    [Boolean(write), 409, 'Changed'],
    [mounted && method === 'POST', 409, 'KeyMismatch'],
    [Boolean(body), 408, 'TooSlow'],
    [Boolean(body), 413, 'TooLarge'],
    [Boolean(body), 415, 'NotJson'],
    [mounted, 429, 'TooMany'],
    [mounted, 503, 'Away'],
  ]
  return new Map(names.flatMap(([answers, status, name]) => (answers ? [[status, name]] : [])))
}

/** The most errors that the name of a response lists. */
const MOST_NAMED = 2

/**
 * Returns the name of the response with these errors, made from the ids of the catalogue, such as
 * `TrainingNoSuchRecord`. `general` is the name of the response that all endpoints of its kind have.
 */
export function nameOfErrors(declared: readonly Reason[], general?: keyof typeof generalErrors): string {
  const names = declared.map((reason, index) => {
    const [context = '', id = ''] = entryOf(reason).id.split('.')
    return index > 0 || ['platform', 'http'].includes(context) ? pascal(id) : `${pascal(context)}${pascal(id)}`
  })
  const others = names.length > MOST_NAMED ? ['Others'] : []
  const also = general === 'NotVerified' ? [general] : []
  const name = [...new Set([...names.slice(0, MOST_NAMED), ...others, ...also])].join('Or')
  return name === general ? `${name}Here` : name
}

/** Returns words as one word: `text/csv` becomes `TextCsv`. */
export function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

/**
 * Returns the response of one status with these errors. The introduction of the document names the errors of all
 * endpoints of a kind, so `verified` alone adds one of them: clients act on its code.
 */
export function errorAnswer(declared: readonly Reason[], verified = false) {
  const isListed = declared.some((reason) => entryOf(reason).id === platformErrors.emailNotVerified.id)
  const reasons = verified && !isListed ? [...declared, platformErrors.emailNotVerified] : declared
  const [elsewhere = [], here = []] = [true, false].map((other) =>
    reasons.filter((one) => isListedElsewhere(one) === other),
  )
  const texts = [...here.map(reasonText), ...listOf(elsewhere.filter(isListedElsewhere))]
  return {
    description: texts.length === 1 ? String(texts[0]) : texts.map((text) => `- ${text}`).join('\n'),
    content: { 'application/json': { schema: errorSchema } },
  }
}

/** Returns a line that names the codes of errors and the operation that has their messages; none without such errors. */
function listOf(reasons: readonly ListedElsewhere[]): string[] {
  const [first] = reasons
  if (!first) return []
  const codes = [...new Set(reasons.flatMap(({ entry }) => codeOf(entry) ?? []))].map((code) => `\`${code}\``)
  return [`The problems of a booking, as of \`${first.listedAt}\`: ${codes.join(', ')}`]
}

function isListedElsewhere(reason: Reason): reason is ListedElsewhere {
  return 'listedAt' in reason
}

/** Returns the line of one reason in the description of an error: its code, its message and the remark. */
function reasonText(reason: Reason): string {
  const { message } = entryOf(reason)
  const code = codeOf(entryOf(reason))
  const remark = isRemarked(reason) ? ` (${reason[1]})` : ''
  return `${code ? `\`${code}\`: ` : ''}${shownMessage(message).replace(/[.]$/, '')}${remark}`
}

/** Returns a message as Markdown: parameters in italics, and words after a number in the plural. */
export function shownMessage(message: string): string {
  return inPlural(message).replace(/\{(\w+)\}/g, '*$1*')
}

/** Returns the code of an entry; undefined when it has none, or one that only problems of a list can have. */
function codeOf({ code }: CatalogueEntry) {
  return code && code in problemOnlyCodes ? undefined : code
}

/** Returns the entry of a reason. */
export function entryOf(reason: Reason): Raised {
  if (isListedElsewhere(reason)) return reason.entry
  return isRemarked(reason) ? reason[0] : reason
}

function isRemarked(reason: Reason): reason is readonly [Raised, remark: string] {
  return Array.isArray(reason)
}

function inPlural(message: string): string {
  return message.replace(/\{\w+\|[^|}]*\|([^}]*)\}/g, '$1')
}
