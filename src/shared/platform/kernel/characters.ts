/** C0 and C1 controls and DEL. */
const controls = /\p{Cc}/u
/** The same, but for the tab and the two characters that break lines. */
const controlsInText = /[^\P{Cc}\t\n\r]/u
/** Embeddings, overrides and isolates: they make text display differently than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Returns why a text cannot be stored as multi-line text (notes, memos, bodies), or null.
 * Implements interface §1: a tab and line breaks are its only control characters.
 */
export function problemOfText(text: string): string | null {
  if (controlsInText.test(text)) return 'must not contain control characters'
  if (directionMarks.test(text)) return 'must not contain marks that turn the direction of text'
  // PostgreSQL cannot store lone surrogates.
  if (!text.isWellFormed()) return 'must be well-formed text'
  return null
}

/** Returns why a text cannot be stored as one line (names, titles, labels, file names), or null. */
export function problemOfLine(text: string): string | null {
  if (controls.test(text)) return 'must be one line without control characters'
  return problemOfText(text)
}
