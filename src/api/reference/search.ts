import { searchedWords } from './search-words.ts'

/** An entry of the search in the reference. */
export interface Entry {
  title: string
  href: string
  /** The text that is shown below the title. */
  text: string
  /** The words that count as much as those of the title: a path, a code, the id of an operation. */
  names: string
  /** The names of the parameters of an operation and of the fields of its body. */
  asked?: readonly string[]
  /** The names of the fields and headers of its answers. */
  answered?: readonly string[]
  /** A text that is searched and not shown. */
  more?: string
}

/** The results that are shown, and how many there are. */
export interface Results {
  shown: Found[]
  total: number
}

/** A found entry, with the fields that contain a word of the search. */
export interface Found extends Entry {
  matched: readonly string[]
}

/** The most fields that are shown with one result. */
const MOST_FIELDS = 6

/** The points of a title that is the search itself: more than words can give. */
const EXACT = 1_000
/** The most results that are shown. */
const MOST = 40
/** The most characters of a search. A longer text is cut. */
const LONGEST = 100

/** What a word that is typed counts, compared with another word that stands for it. */
const TYPED = 2

/** A text in lower case with the words that it has. */
interface Indexed {
  lower: string
  words: Set<string>
}

/** An entry with the texts in which it is searched, and how much a word in each of them counts. */
interface IndexedEntry {
  entry: Entry
  texts: { indexed: Indexed; weight: number }[]
  /** A text in which a word counts once, when it begins there. */
  more: Indexed
}

/**
 * Returns the search over the entries. Their texts are split into words once, because a search runs over all of them
 * while other requests wait.
 */
export function searchOver(entries: readonly Entry[]): (query: string) => Results {
  const indexed = entries.map(indexedEntry)
  return (query) => searchIndexed(indexed, query)
}

/**
 * Returns the entries that contain every word of the search, or another word for it, the best first. A word in the title
 * or the names counts most, then a field of a request and the text, then a field of an answer. A whole word counts more
 * than a part of a word. A title that is the search comes first.
 */
function searchIndexed(entries: readonly IndexedEntry[], query: string): Results {
  const words = searchedWords(query.slice(0, LONGEST))
  if (words.length === 0) return { shown: [], total: 0 }
  const found = entries
    .map((indexed) => ({ entry: indexed.entry, score: scoreOf(indexed, words, query.trim().toLowerCase()) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = found.slice(0, MOST).map(({ entry }) => ({ ...entry, matched: matchedFields(entry, words.flat()) }))
  return { shown, total: found.length }
}

function matchedFields({ asked = [], answered = [] }: Entry, words: string[]): string[] {
  const fields = [...new Set([...asked, ...answered])]
  return fields.filter((field) => words.some((word) => field.toLowerCase().includes(word))).slice(0, MOST_FIELDS)
}

function indexedEntry(entry: Entry): IndexedEntry {
  const { title, names, text, more = '', asked = [], answered = [] } = entry
  return {
    entry,
    texts: [
      { indexed: indexedText(names), weight: 4 },
      { indexed: indexedText(title), weight: 4 },
      { indexed: indexedText(asked.join(' ')), weight: 2 },
      { indexed: indexedText(text), weight: 2 },
      { indexed: indexedText(answered.join(' ')), weight: 1 },
    ],
    more: indexedText(more),
  }
}

function indexedText(text: string): Indexed {
  const lower = text.toLowerCase()
  return { lower, words: new Set(lower.split(/[^a-z0-9_]+/)) }
}

function scoreOf(indexed: IndexedEntry, words: string[][], typedText: string): number {
  let score = indexed.entry.title.toLowerCase() === typedText ? EXACT : 0
  for (const [typed = '', ...others] of words) {
    const points = Math.max(wordScore(indexed, typed) * TYPED, ...others.map((other) => wordScore(indexed, other)))
    if (points === 0) return 0
    score += points
  }
  return score
}

function wordScore({ texts, more }: IndexedEntry, word: string): number {
  const points = texts.reduce((sum, { indexed, weight }) => sum + pointsOf(indexed, word) * weight, 0)
  return points + (pointsOf(more, word) > 1 ? 1 : 0)
}

function pointsOf({ lower, words }: Indexed, word: string): number {
  if (words.has(word)) return 3
  if (!lower.includes(word)) return 0
  for (const one of words) if (one.startsWith(word)) return 2
  return 1
}
