/** Returns at most `length` characters of a text, with a sign for omitted text. Never splits a character. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}
