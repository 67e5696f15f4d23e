import { describe, expect, test } from 'vitest'
import { checkPasswordLength, judgedPart, personalWords } from '../../../src/shared/identity/accounts/password.rules.ts'

describe('a password (§Authentication and accounts)', () => {
  test('has from 10 to 256 characters', () => {
    expect(() => checkPasswordLength('x'.repeat(9))).toThrow('password: must have at least 10 characters')
    expect(() => checkPasswordLength('x'.repeat(10))).not.toThrow()
    expect(() => checkPasswordLength('x'.repeat(256))).not.toThrow()
    expect(() => checkPasswordLength('x'.repeat(257))).toThrow('password: must have at most 256 characters')
  })

  test('is judged by its first 64 characters', () => {
    expect(judgedPart(`${'a'.repeat(64)}b`)).toBe('a'.repeat(64))
    expect(judgedPart('short')).toBe('short')
  })
})

describe('the personal words that a password is checked against (§Authentication and accounts)', () => {
  test('are name and address, whole and in parts, each once, without the short ones', () => {
    expect(personalWords({ name: 'Ana M. Ruiz', email: 'ana.ruiz@fly.example' })).toEqual([
      'ana.ruiz',
      'anamruiz',
      'ana',
      'ruiz',
      'fly',
      'example',
    ])
  })

  test('are at most six of forty characters, however long the name is', () => {
    const name = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    const words = personalWords({ name, email: `${'x'.repeat(64)}@example.com` })
    expect(words).toHaveLength(6)
    expect(Math.max(...words.map((word) => word.length))).toBe(40)
  })
})
