import { randomInt } from 'node:crypto'

/** Letters and digits that are not confused with one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 6

/**
 * Returns a random join code of six characters. A unique constraint rejects a code that is taken; the transaction then
 * runs again.
 * Implements interface §User and organization.
 */
export function drawJoinCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
