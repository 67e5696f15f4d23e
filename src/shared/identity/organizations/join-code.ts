import { randomInt } from 'node:crypto'

/** Letters and digits that nobody mistakes for one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 6

/** Draws a join code. Two organizations never share one: the database refuses the second, and another is drawn. */
export function drawJoinCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
