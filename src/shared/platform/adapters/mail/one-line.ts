const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const TEXT_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a value as one line of plain text for a header: control characters become spaces, text direction overrides
 * (which can display an address backwards) are removed, and lone surrogates are replaced.
 */
export function oneLine(value: string): string {
  return value.toWellFormed().replace(CONTROL, ' ').replace(TEXT_DIRECTION, '').replace(/ +/g, ' ').trim()
}
