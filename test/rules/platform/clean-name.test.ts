import { describe, expect, test } from 'vitest'
import { cleanName, holdsAddress } from '../../../src/shared/platform/kernel/text.ts'

describe('a name', () => {
  test.each([
    ['https://evil.example', true],
    ['Bay Flight WWW.evil.example', true],
    ['ftp://x', true],
    ['ww\u200bw.evil.example', true],
    ['ｗｗｗ．evil.example', true],
    ['Bay Flight Academy', false],
    ['A/B Flying: club', false],
    ['Awww Inc.', false],
    ['Zoë 🛩️ O’Brien', false],
  ])('is checked for an address of the web: %s holds one: %s', (name, held) => {
    expect(holdsAddress(name)).toBe(held)
  })

  test.each([
    ['Bay Flight Academy', 'Bay Flight Academy'],
    ['  Bay\r\nFlight\t Academy ', 'Bay Flight Academy'],
    ['Bay\u202e Flight\u0000', 'Bay Flight'],
    ['Pay at https://evil.example now', 'Pay at … now'],
    ['x'.repeat(200), `${'x'.repeat(79)}…`],
    ['', ''],
  ])('is cleaned for a mail subject: %j becomes %j', (name, clean) => {
    expect(cleanName(name)).toBe(clean)
  })
})
