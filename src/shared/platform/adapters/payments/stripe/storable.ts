/** The longest text that is taken from the processor: its ids have some thirty characters, its addresses some hundred. */
const LONGEST = 2_000

/** Whether the database can hold it as a text: a string with something in it, not too long and without null characters. */
export function isStorable(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= LONGEST && !text.includes('\u0000')
}
