/** The most levels of nested arrays and objects. */
const MAX_DEPTH = 64
/** The most values, including those in lists and objects. An import of 1,000 rows with 90 columns has fewer. */
export const MOST_VALUES = 100_000
/** The most different field names. `JSON.parse` takes fifty times as long for a new name as for a repeated one. */
export const MOST_NAMES = 2_000

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Returns what is wrong with the shape of a JSON text; null when it is fine. It runs before `JSON.parse`, which is slow
 * for such a text: a megabyte of different names takes fifty times as long as a megabyte of plain text.
 */
export function problemOfShape(json: string): 'tooDeep' | 'tooMany' | null {
  const names = new Set<string>()
  let [depth, values, from, to] = [0, 1, 0, 0]
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i)
    if (character === QUOTE) {
      from = i
      to = i = endOfText(json, i)
    } else if (character === COMMA) values++
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) return 'tooDeep'
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--
    else if (character === COLON) names.add(json.slice(from, to))
    if (values > MOST_VALUES || names.size > MOST_NAMES) return 'tooMany'
  }
  return null
}

/** Returns the index of the closing quote of the string that opens at `start`. */
function endOfText(json: string, start: number): number {
  let i = start + 1
  for (; i < json.length && json.charCodeAt(i) !== QUOTE; i++) {
    if (json.charCodeAt(i) === BACKSLASH) i++
  }
  return i
}
