import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { NESTED } from './cells.rules.ts'
import { MOST_COLUMNS, MOST_RECORD, tooManyColumns } from './read-csv.ts'

/** The most levels of objects and arrays in each other. */
const MOST_DEPTH = 20

/** The most tokens of an object: 200 columns have four each, and some hold lists. What is parsed takes many times its bytes. */
const MOST_TOKENS = 20_000

/** The same of a kind that reads objects: a syllabus of some hundred lessons with their tasks. */
const MOST_TOKENS_NESTED = 200_000

/** Without buffers each character of a text or a number is joined to it by itself, which takes many times their bytes. */
const BUFFERS = { stringBufferSize: 64 * 1024, numberBufferSize: 64 }

type Row = Record<string, unknown>

/**
 * Yields a JSON array of objects as rows of cells, the header first: the keys of all objects in the order of the first of each. The
 * text is opened a second time for the rows; one object is in memory at a time, beside those of a chunk.
 * @throws OperationStopped NOT_JSON for anything else, TOO_DEEP for more than 20 levels, TOO_MANY_COLUMNS for more than 200 keys,
 * ROW_TOO_LARGE for an object of more than 20,000 tokens,
 * or larger than a row of CSV can be. With `nested` objects stand in cells as JSON, and an object has up to 200,000 tokens.
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
    if (depth > MOST_DEPTH) throw new OperationStopped('TOO_DEEP', portabilityErrors.tooDeep({ most: MOST_DEPTH }))
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

/** Runs the parser: what it cannot read is no JSON. */
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

/** Returns a value as the cell that a spreadsheet would have for it; an object behind a mark, as JSON where it is read. */
function cellOf(value: unknown, nested: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value) && !value.some((one) => typeof one === 'object')) {
    return nested && value.length === 0 ? `${NESTED}[]` : value.join(' ')
  }
  return nested ? NESTED + JSON.stringify(value) : NESTED
}
