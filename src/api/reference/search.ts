/** An entry of the search in the reference. */
export interface Entry {
  title: string
  href: string
  /** The text that is shown below the title. */
  text: string
  /** The words that count more than those of `text`: a path, a code, the id of an operation. */
  names: string
  /** The names of the parameters, fields and headers of an operation. */
  fields?: readonly string[]
}

/** A found entry, with the fields that contain a word of the search. */
export interface Found extends Entry {
  matched: readonly string[]
}

/** The most fields that are shown with one result. */
const MOST_FIELDS = 6

/** The most results that are shown. */
const MOST = 40
/** The most characters of a search. A longer text is cut. */
const LONGEST = 100

/** A text in lower case with the words that it has. */
interface Indexed {
  lower: string
  words: Set<string>
}

/** An entry with the texts in which it is searched, and how much a word in each of them counts. */
interface IndexedEntry {
  entry: Entry
  texts: { indexed: Indexed; weight: number }[]
}

/**
 * Returns the search over the entries. Their texts are split into words once, because a search runs over all of them
 * while other requests wait.
 */
export function searchOver(entries: readonly Entry[]): (query: string) => Found[] {
  const indexed = entries.map(indexedEntry)
  return (query) => searchIndexed(indexed, query)
}

/**
 * Returns the entries that contain every word of the search, the best first. A word in the title or the names counts
 * more than a field, a field more than a word in the text, and a whole word more than a part of a word.
 */
function searchIndexed(entries: readonly IndexedEntry[], query: string): Found[] {
  const words = [...new Set(query.slice(0, LONGEST).toLowerCase().split(/\s+/).filter(Boolean))]
  if (words.length === 0) return []
  return entries
    .map(({ entry, texts }) => ({ entry, score: scoreOf(texts, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => ({ ...entry, matched: matchedFields(entry, words) }))
}

function matchedFields({ fields = [] }: Entry, words: string[]): string[] {
  return fields.filter((field) => words.some((word) => field.toLowerCase().includes(word))).slice(0, MOST_FIELDS)
}

function indexedEntry(entry: Entry): IndexedEntry {
  const { title, names, text, fields = [] } = entry
  return {
    entry,
    texts: [
      { indexed: indexedText(names), weight: 4 },
      { indexed: indexedText(title), weight: 3 },
      { indexed: indexedText(fields.join(' ')), weight: 2 },
      { indexed: indexedText(text), weight: 1 },
    ],
  }
}

function indexedText(text: string): Indexed {
  const lower = text.toLowerCase()
  return { lower, words: new Set(lower.split(/[^a-z0-9_]+/)) }
}

function scoreOf(texts: IndexedEntry['texts'], words: string[]): number {
  let score = 0
  for (const word of words) {
    const points = texts.reduce((sum, { indexed, weight }) => sum + pointsOf(indexed, word) * weight, 0)
    if (points === 0) return 0
    score += points
  }
  return score
}

function pointsOf({ lower, words }: Indexed, word: string): number {
  if (words.has(word)) return 3
  if (!lower.includes(word)) return 0
  for (const one of words) if (one.startsWith(word)) return 2
  return 1
}
