/** C0 and C1 controls and DEL. */
const controls = /\p{Cc}/u
/** Control characters except tab, line feed and carriage return. */
const controlsInText = /[^\P{Cc}\t\n\r]/u
/** Unicode direction controls (embeddings, overrides, isolates), which display a text in another order than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Returns why a text cannot be stored as multi-line text (notes, memos, bodies); null when it can. The only control characters
 * that it can have are tabs and line breaks.
 * Implements interface §Conventions that hold across the interface.
 */
export function problemOfText(text: string): string | null {
  if (controlsInText.test(text)) return 'must not contain control characters'
  if (directionMarks.test(text)) return 'must not contain marks that turn the direction of text'
  // PostgreSQL cannot store lone surrogates.
  if (!text.isWellFormed()) return 'must be well-formed text'
  return null
}

/** Returns why a text cannot be stored as one line (names, titles, labels, file names); null when it can. */
export function problemOfLine(text: string): string | null {
  if (controls.test(text)) return 'must be one line without control characters'
  return problemOfText(text)
}

/** Invisible characters: controls, joiners, fillers, spaces of any width. */
const UNSHOWN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\u2800]/gu

/** Returns whether a text has no visible character. */
export function showsNothing(text: string): boolean {
  return text.replace(UNSHOWN, '') === ''
}

/**
 * 31 combining marks in a row: more than any language uses (UAX #15). Normalizing such a row takes time proportional to the
 * square of its length.
 */
const PILED = /\p{M}{31}/u

/**
 * Returns a text with composed letters (NFC), so that “é” is one character, however a keyboard or a file wrote it. A text with
 * 31 or more combining marks in a row is returned unchanged.
 */
export function composed(text: string): string {
  return PILED.test(text) ? text : text.normalize('NFC')
}

/** `SIDES`: invisible marks that set a direction. `ALL_MARKS`: also the controls that start and end an embedded part. */
const SIDES = /[\u061c\u200e\u200f]/
const ALL_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** The most rounds in which marks are removed from both ends. Copied text needs fewer, and each round reads the whole line. */
const MOST_AROUND = 8
const AROUND = /^(?:[\u202a\u202b\u202d\u202e](.*)\u202c|[\u2066-\u2068](.*)\u2069)$/s

/**
 * Returns a line without the direction marks at its two ends, which address books copy together with a phone number. Marks
 * around a whole line do not change how it reads. A line with digits and without letters loses all its direction marks.
 */
export function unwrapped(line: string): string {
  const bare = line.replace(ALL_MARKS, '')
  if (bare === line) return line
  if (/\d/.test(bare) && !/\p{L}/u.test(bare)) return bare
  let inner = line.trim()
  for (let around = 0; around < MOST_AROUND; around++) {
    const within = AROUND.exec(inner)
    const next = within ? (within[1] ?? within[2] ?? '') : withoutSides(inner)
    if (next === inner) return inner
    inner = next.trim()
  }
  return inner
}

function withoutSides(line: string): string {
  const from = SIDES.test(line.charAt(0)) ? 1 : 0
  return line.slice(from, line.length > from && SIDES.test(line.at(-1)!) ? -1 : undefined)
}

/** Invisible characters: controls, text directions, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const ADDRESS = /:\/\/|www\./i
/** The most characters of a name in a mail. */
const LONGEST = 80

/** Returns whether a name contains the start of a web address (`://` or `www.`), also in full-width or other compatibility characters. */
export function holdsAddress(name: string): boolean {
  return ADDRESS.test(name.replace(UNSEEN, '').normalize('NFKC'))
}

/**
 * Returns a name for mails to people who do not know its owner: one line of at most 80 visible characters. Words that contain
 * a web address become `…`, because names stored before the rule against them can have such words.
 */
export function cleanName(name: string): string {
  const words = name.toWellFormed().replace(/\s+/gu, ' ').replace(UNSEEN, '').trim().split(' ')
  return shortened(words.map((word) => (holdsAddress(word) ? '…' : word)).join(' '), LONGEST)
}

/** Returns at most `length` characters of a text, ending with `…` when it is shortened. Never splits a character. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const TEXT_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a value as one line of plain text for a header. Replaces control characters by spaces and replaces lone surrogates.
 * Removes text direction overrides, which can display an address backwards.
 */
export function oneLine(value: string): string {
  return value.toWellFormed().replace(CONTROL, ' ').replace(TEXT_DIRECTION, '').replace(/ +/g, ' ').trim()
}
