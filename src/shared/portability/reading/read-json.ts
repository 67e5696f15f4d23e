import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { NESTED } from './cells.rules.ts'
import { MOST_COLUMNS, MOST_RECORD, tooManyColumns } from './read-csv.ts'

/** The most levels of nested objects and arrays. */
const MOST_DEPTH = 20

/**
 * The most tokens of an object: four for each of 200 columns, and more for lists. There is a limit because parsed
 * values take many times their bytes in memory.
 */
const MOST_TOKENS = 20_000

/** The most tokens of an object of a kind that reads objects: a syllabus of some hundred lessons with their tasks. */
const MOST_TOKENS_NESTED = 200_000

/**
 * The sizes of the buffers for a text and a number, in bytes. Without buffers the parser appends each character
 * separately, which takes many times the memory.
 */
const BUFFERS = { stringBufferSize: 64 * 1024, numberBufferSize: 64 }

type Row = Record<string, unknown>

/**
 * Yields a JSON array of objects as rows of cells, the header first. The header has the keys of all objects, in the
 * order in which they first appear. The text is opened twice, for the header and for the rows. Only the objects of one
 * chunk are in memory at a time. With `nested`, cells contain objects as JSON, and an object can have 200,000 tokens.
 * @throws OperationStopped NOT_JSON for anything but an array of objects, TOO_DEEP for more than 20 levels,
 * TOO_MANY_COLUMNS for more than 200 keys, ROW_TOO_LARGE for an object of more than 20,000 tokens or more characters
 * than a row of CSV can have
 */
export async function* readJson(open: () => AsyncIterable<string>, nested: boolean = false): AsyncGenerator<string[]> {
  const header = new Set<string>()
  const mostTokens = nested ? MOST_TOKENS_NESTED : MOST_TOKENS
  for await (const row of objectsOf(open(), mostTokens)) {
    for (const key of Object.keys(row)) header.add(key)
    if (header.size > MOST_COLUMNS) throw tooManyColumns()
  }
  yield [...header]
  for await (const row of objectsOf(open(), mostTokens)) {
    yield [...header].map((key) => cellOf(Object.hasOwn(row, key) ? row[key] : null, nested))
  }
}

/** Yields the objects of an array while its text is read. */
async function* objectsOf(text: AsyncIterable<string>, mostTokens: number): AsyncGenerator<Row> {
  const tokens = new Tokenizer(BUFFERS)
  const values = new TokenParser({ paths: ['$.*'], keepStack: false })
  let depth = 0
  let begun = false
  let object = 1
  let size = 0
  let unread = 0
  let found: Row[] = []
  tokens.onToken = (token) => {
    if (!begun && token.token !== TokenType.LEFT_BRACKET) throw notJson()
    begun = true
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) depth += 1
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > MOST_DEPTH) throw new OperationStopped('TOO_DEEP', portabilityErrors.tooDeep({ limit: MOST_DEPTH }))
    size = depth > 1 ? size + 1 : 0
    if (size > mostTokens) throw tooLarge(object)
    values.write(token)
  }
  values.onValue = ({ value }) => {
    if (!isObject(value)) throw notJson()
    found.push(value)
    object += 1
  }
  for await (const chunk of text) {
    within(() => tokens.write(chunk))
    unread = found.length > 0 ? 0 : unread + chunk.length
    if (unread > MOST_RECORD) throw tooLarge(object)
    yield* found
    found = []
  }
  if (!begun || !values.isEnded) throw notJson()
}

/** Runs the parser. Its errors become NOT_JSON. */
function within(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof OperationStopped ? error : notJson()
  }
}

function tooLarge(object: number): OperationStopped {
  return new OperationStopped('ROW_TOO_LARGE', portabilityErrors.objectTooLarge({ object }))
}

function notJson(): OperationStopped {
  return new OperationStopped('NOT_JSON', portabilityErrors.notJson())
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a value as a cell: blank for null, the values of a list joined by blanks, other values as text. An object, or
 * a list with objects, becomes `NESTED`, followed by its JSON when `nested` is true.
 */
function cellOf(value: unknown, nested: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) && !value.some((one) => typeof one === 'object')) {
    return nested && value.length === 0 ? `${NESTED}[]` : value.join(' ')
  }
  return nested ? NESTED + JSON.stringify(value) : NESTED
}
