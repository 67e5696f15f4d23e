import { z } from 'zod'
import type { Position } from '../../shared/platform/db/keyset.ts'
import type { Invalid, Sentence } from '../../shared/platform/kernel/errors.ts'
import { invalidFields } from '../../shared/platform/platform.errors.ts'
import type { Answer } from './answers.ts'
import type { AnyCall } from './declaration.ts'
import { httpErrors } from './http.errors.ts'

/** A cursor: where a page of a list begins. */
export interface Cursor {
  /** The text that the client sent; empty for the first page. */
  sealed: string
  /**
   * The position of the last row of the previous page. Null for the first page, and until `readPage` decrypts the
   * cursor.
   */
  after: Position | null
}

/** An example of a cursor. */
export const cursorExample = 'k1.9Qm1Yl0cZtTz3oTz2nK6rC4d7b0yJ8vQxw'

/** The longest cursor that is decrypted, in characters. A real one is shorter: a position has at most three values. */
const LONGEST = 4_000

/** The query parameter with which a client reads a list page by page. */
export const CursorParameter = z
  .string()
  .max(LONGEST)
  .transform((sealed): Cursor => ({ sealed, after: null }))
  .optional()
  .meta({
    override: { type: 'string', maxLength: LONGEST },
    examples: ['', cursorExample],
    description:
      'Empty for the first page, then the value in the `Link` header of the previous page. Not with `offset` or ' +
      '`sort`. Each row that exists throughout is returned once, even if others are added meanwhile',
  })

/**
 * Reads a page of a list: decrypts the cursor of the query, and sets the address of the next page in `Link`. A cursor
 * is encrypted, because it contains values of a row, and request URLs are logged. It is valid only for the same caller,
 * list and parameters; `limit` may differ.
 * Implements interface §Conventions that hold across the interface.
 * @throws Invalid when the cursor does not belong to this list, or is combined with `offset` or `sort`.
 */
export async function readPage(call: AnyCall, read: (call: AnyCall) => Promise<Answer>): Promise<Answer> {
  const query = call.query as ListOptions | undefined
  if (!query?.cursor) return read(call)
  if (query.offset !== undefined || query.sort !== undefined) throw refused(httpErrors.cursorBesideOffset())
  const answer = await read({
    ...call,
    query: { ...query, cursor: opened(call, query.cursor) } as unknown as undefined,
  })
  return answer.next ? { ...answer, headers: { ...answer.headers, link: linkTo(call, answer.next) } } : answer
}

interface ListOptions {
  cursor?: Cursor
  offset?: number
  sort?: string
}

function opened(call: AnyCall, { sealed }: Cursor): Cursor {
  if (sealed === '') return { sealed, after: null }
  const text = call.services.cursors.open(sealed, listOf(call))
  if (text === null) throw refused(httpErrors.cursorUnknown())
  return { sealed, after: JSON.parse(text) as Position }
}

function refused(message: Sentence): Invalid {
  return invalidFields([{ field: 'cursor', message }])
}

function linkTo(call: AnyCall, next: Position): string {
  return nextPage(call, { cursor: call.services.cursors.seal(JSON.stringify(next), listOf(call)) })
}

/** Returns the `Link` to the next page of an answer: the same address with other values of some parameters. */
export function nextPage(call: Pick<AnyCall, 'request'>, changed: Record<string, string>): string {
  const { path, parameters } = addressOf(call)
  for (const [name, value] of Object.entries(changed)) parameters.set(name, value)
  return `<${path}?${parameters}>; rel="next"`
}

/** Returns a text that identifies the list for which a cursor is valid. */
function listOf(call: AnyCall): string {
  const { path, parameters } = addressOf(call)
  const asked = [...parameters].filter(([name]) => name !== 'cursor' && name !== 'limit').sort()
  return JSON.stringify([call.account?.accountId, call.actor?.organizationId, path, asked])
}

function addressOf({ request }: Pick<AnyCall, 'request'>): { path: string; parameters: URLSearchParams } {
  const [path = '', search = ''] = request.url.split(/\?(.*)/s)
  return { path, parameters: new URLSearchParams(search) }
}
