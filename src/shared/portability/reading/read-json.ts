import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** How an object stands in a cell: no column reads it, and its row says so. */
export const NESTED = '\u0000nested'

/** The most levels of objects and arrays in each other. */
const MOST_DEPTH = 20

type Row = Record<string, unknown>

/**
 * Yields a JSON array of objects as rows of cells, the header first: the keys of all objects in the order of the first of each. The
 * text is opened a second time for the rows; one object is in memory at a time, beside those of a chunk.
 * @throws OperationStopped NOT_JSON for anything else, TOO_DEEP for more than 20 levels
 */
export async function* readJson(open: () => AsyncIterable<string>): AsyncGenerator<string[]> {
  const header = new Set<string>()
  for await (const row of objectsOf(open())) for (const key of Object.keys(row)) header.add(key)
  yield [...header]
  for await (const row of objectsOf(open())) {
    yield [...header].map((key) => cellOf(Object.hasOwn(row, key) ? row[key] : null))
  }
}

/** Yields the objects of an array while its text is read. */
async function* objectsOf(text: AsyncIterable<string>): AsyncGenerator<Row> {
  const tokens = new Tokenizer()
  const values = new TokenParser({ paths: ['$.*'], keepStack: false })
  let depth = 0
  let begun = false
  let found: Row[] = []
  tokens.onToken = (token) => {
    if (!begun && token.token !== TokenType.LEFT_BRACKET) throw notJson()
    begun = true
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) depth += 1
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > MOST_DEPTH) throw new OperationStopped('TOO_DEEP', portabilityErrors.tooDeep({ most: MOST_DEPTH }))
    values.write(token)
  }
  values.onValue = ({ value }) => {
    if (!isObject(value)) throw notJson()
    found.push(value)
  }
  for await (const chunk of text) {
    within(() => tokens.write(chunk))
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

function notJson(): OperationStopped {
  return new OperationStopped('NOT_JSON', portabilityErrors.notJson())
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value as the cell that a spreadsheet would have for it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') ? NESTED : value.join(' ')
  return typeof value === 'object' ? NESTED : String(value)
}
