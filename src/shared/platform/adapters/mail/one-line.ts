const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const TEXT_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Folds a value into one line of plain text, fit for a header: line breaks, NUL and other control characters become
 * a space, overrides of the text direction (which make an address read backwards) go, lone surrogates are replaced.
 */
export function oneLine(value: string): string {
  return value.toWellFormed().replace(CONTROL, ' ').replace(TEXT_DIRECTION, '').replace(/ +/g, ' ').trim()
}
