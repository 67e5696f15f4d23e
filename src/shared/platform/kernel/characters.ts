/** C0 and C1 controls and DEL. */
const controls = /\p{Cc}/u
/** The same, but for the tab and the two characters that break lines. */
const controlsInText = /[^\P{Cc}\t\n\r]/u
/** Embeddings, overrides and isolates: they make text read otherwise than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/

/**
 * What stands against storing a text as one of several lines (notes, memos, bodies); null when nothing does.
 * Implements interface §1: a tab and line breaks are its only control characters.
 */
export function problemOfText(text: string): string | null {
  if (controlsInText.test(text)) return 'must not contain control characters'
  if (directionMarks.test(text)) return 'must not contain marks that turn the direction of text'
  // Halves of characters are what PostgreSQL cannot store.
  if (!text.isWellFormed()) return 'must be well-formed text'
  return null
}

/** What stands against storing a text as one of one line (names, titles, labels, file names); null when nothing does. */
export function problemOfLine(text: string): string | null {
  if (controls.test(text)) return 'must be one line without control characters'
  return problemOfText(text)
}
