import { describe, expect, test } from 'vitest'
import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createConnectionSecrets } from '../../src/shared/platform/adapters/tokens/connection-secrets.ts'

const [older, newer] = [await generateKeySet(), await generateKeySet()]
const before = createConnectionSecrets(older)
const rotated = createConnectionSecrets({ keys: [...newer.keys, ...older.keys] })
const after = createConnectionSecrets(newer)

describe('a sealed secret', () => {
  const sealed = before.seal('a refresh token', 'refresh token zoom 1 2')

  test('opens for whom it was sealed, and differs each time', () => {
    expect(before.open(sealed, 'refresh token zoom 1 2')).toBe('a refresh token')
    expect(before.seal('a refresh token', 'refresh token zoom 1 2')).not.toBe(sealed)
    expect(sealed).not.toContain('refresh')
  })

  test('opens for nobody else', () => {
    expect(before.open(sealed, 'refresh token zoom 1 3')).toBeNull()
    expect(before.open(sealed, 'access token zoom 1 2')).toBeNull()
  })

  test('opens while its key is in the set, wherever it stands, and not when it is gone', () => {
    expect(rotated.open(sealed, 'refresh token zoom 1 2')).toBe('a refresh token')
    expect(after.open(sealed, 'refresh token zoom 1 2')).toBeNull()
  })

  test('is sealed under the first key, which suffices then', () => {
    expect(after.open(rotated.seal('another', 'x'), 'x')).toBe('another')
    expect(before.open(rotated.seal('another', 'x'), 'x')).toBeNull()
  })

  test('does not open when any byte of it was changed, or when it is none', () => {
    const dot = sealed.lastIndexOf('.')
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(
        before.open(`${sealed.slice(0, dot)}.${changed.toString('base64url')}`, 'refresh token zoom 1 2'),
      ).toBeNull()
    }
    for (const none of ['', '.', 'x', sealed.slice(0, dot + 10)]) expect(before.open(none, 'x')).toBeNull()
  })
})

describe('a state', () => {
  const { state, stateHash, codeVerifier } = before.draw()

  test('is looked up by its hash, when it is ours', () => {
    expect(before.hashOf(state)).toBe(stateHash)
    expect(stateHash).not.toContain(state.slice(0, 10))
    expect(codeVerifier).toMatch(/^[\w-]{43}$/)
    expect(before.draw().state).not.toBe(state)
  })

  test.each([
    ['signed by another', () => after.draw().state],
    ['without a signature', () => state.split('.')[0] ?? ''],
    ['with more behind it', () => `${state}.x`],
    ['of another random part', () => `x${state.slice(1)}`.replace(/^xx/, 'yx')],
    ['empty', () => ''],
  ])('%s is none of ours', (_, made) => {
    expect(before.hashOf(made())).toBeNull()
  })
})
