/** At most so many characters of a text, and a sign that there was more; never ends in half a character. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}
