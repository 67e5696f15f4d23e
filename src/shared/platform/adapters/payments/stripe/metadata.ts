/** The metadata field of our key. It identifies the objects that the service created in a Stripe account. */
export const KEY = 'flightlineKey'

/** The longest text that is accepted from Stripe: ids have about thirty characters, URLs about a hundred. */
const LONGEST = 2_000

/** Returns whether the database can store a value as text: a non-empty string that is not too long and has no NUL. */
export function isStorable(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= LONGEST && !text.includes('\u0000')
}
