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

/**
 * Returns the entries that contain every word of the search, the best first. A word in the title or the names counts
 * more than a field, a field more than a word in the text, and a whole word more than a part of a word. A title that is
 * the search comes first.
 */
export function searchEntries(entries: readonly Entry[], query: string): Results {
  const words = query.slice(0, LONGEST).toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { shown: [], total: 0 }
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = found.slice(0, MOST).map(({ entry }) => ({ ...entry, matched: matchedFields(entry, words) }))
  return { shown, total: found.length }
}

function matchedFields({ fields = [] }: Entry, words: string[]): string[] {
  return fields.filter((field) => words.some((word) => field.toLowerCase().includes(word))).slice(0, MOST_FIELDS)
}

function scoreOf({ title, names, text, fields = [] }: Entry, words: string[]): number {
  let score = title.toLowerCase() === words.join(' ') ? EXACT : 0
  for (const word of words) {
    const points =
      pointsOf(names, word) * 4 +
      pointsOf(title, word) * 3 +
      pointsOf(fields.join(' '), word) * 2 +
      pointsOf(text, word)
    if (points === 0) return 0
    score += points
  }
  return score
}

function pointsOf(text: string, word: string): number {
  const lower = text.toLowerCase()
  if (!lower.includes(word)) return 0
  const parts = lower.split(/[^a-z0-9_]+/)
  return parts.includes(word) ? 3 : parts.some((part) => part.startsWith(word)) ? 2 : 1
}
