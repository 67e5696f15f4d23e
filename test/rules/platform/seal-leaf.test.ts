import { describe, expect, test } from 'vitest'
import type { NewSeal } from '../../../src/shared/platform/contracts/seal-kinds.ts'
import { authenticated, canonicalJson, leafOf } from '../../../src/shared/platform/contracts/seal-leaf.ts'

describe('canonical JSON (RFC 8785)', () => {
  test.each([
    [
      'the example of the RFC',
      {
        numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        string: '€$\u000f\nA\'B"\\\\"/',
        literals: [null, true, false],
      },
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      'names by their UTF-16 code units',
      { '€': 1, '\r': 2, '1': 3, '😀': 4, ö: 5 },
      '{"\\r":2,"1":3,"ö":5,"€":1,"😀":4}',
    ],
    ['nested objects', { b: [{ d: 1, c: 2 }], a: {} }, '{"a":{},"b":[{"c":2,"d":1}]}'],
    ['an instant', { at: new Date('2026-11-21T12:00:00Z') }, '{"at":"2026-11-21T12:00:00.000Z"}'],
    [
      'bytes as their SHA-256',
      Buffer.from('abc'),
      '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
    ],
  ])('of %s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })
})

describe('the leaf of a seal', () => {
  const seal: NewSeal = {
    organizationId: 1,
    kind: 'endorsement.confirmed',
    id: 7,
    memberId: 3,
    signerId: 2,
    signedAt: new Date('2026-11-21T12:00:00Z'),
  }
  const content = { confirmed_at: new Date('2026-11-21T12:00:00Z') }
  const salt = Buffer.alloc(16, 1)
  const leaf = leafOf(seal, content, salt)

  test('is the same for the same salt, seal and content', () => {
    expect(leafOf({ ...seal }, { ...content }, Buffer.alloc(16, 1)).equals(leaf)).toBe(true)
  })

  test.each([
    ['organization', { organizationId: 2 }],
    ['kind', { kind: 'endorsement.disowned' }],
    ['record', { id: 8 }],
    ['member', { memberId: 4 }],
    ['signer', { signerId: null }],
    ['time', { signedAt: new Date('2026-11-21T12:00:00.001Z') }],
  ] as const)('differs for another %s', (_, change) => {
    expect(leafOf({ ...seal, ...change }, content, salt).equals(leaf)).toBe(false)
  })

  test('differs for another content and another salt', () => {
    expect(leafOf(seal, { confirmed_at: null }, salt).equals(leaf)).toBe(false)
    expect(leafOf(seal, content, Buffer.alloc(16, 2)).equals(leaf)).toBe(false)
  })

  test('is authenticated with its organization and its number', () => {
    const texts = [authenticated(1, 2, leaf), authenticated(2, 1, leaf), authenticated(1, 3, leaf)]
    expect(new Set(texts.map((text) => text.toString('hex'))).size).toBe(3)
  })
})
