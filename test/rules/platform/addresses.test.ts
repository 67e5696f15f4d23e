import { describe, expect, test } from 'vitest'
import { readAddress } from '../../../src/shared/platform/kernel/addresses.ts'

describe('an email address (RFC 5321, RFC 6531)', () => {
  test.each([
    ['Ana@Example.COM', 'ana@example.com'],
    ['r&d@example.com', 'r&d@example.com'],
    ["o'neil+club!#$%*/=?^_`{|}~-@example.com", "o'neil+club!#$%*/=?^_`{|}~-@example.com"],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['ana@M\u00fcnchen.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@Mu\u0308nchen.example', 'ana@xn--mnchen-3ya.example'],
    ['ana@xn--mnchen-3ya.example', 'ana@xn--mnchen-3ya.example'],
    ['пётр@почта.рф', 'пётр@xn--80a1acny.xn--p1ai'],
    ['用户@例え.jp', '用户@xn--r8jz45g.jp'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%s is %s', (given, address) => {
    expect(readAddress(given)).toBe(address)
  })

  test.each([
    ...['', '@', 'ana', 'ana@', '@example.com', 'ana@localhost', 'ana@x.c', 'a b@example.com', '"ana"@example.com'],
    ...['.ana@example.com', 'ana.@example.com', 'a..b@example.com', 'ana@example..com', 'ana@-example.com'],
    ...['ana@example.com.', 'ana@1.2.3.4', 'ana@1.2', 'ana@[127.0.0.1]', 'ana@exa_mple.com', 'ana@example.com:25'],
    ...['ana@@example.com', 'a,b@example.com', 'a;b@example.com', 'a<b>@example.com', 'ana(x)@example.com'],
    ...['ana\u200b@example.com', 'ana\u202e@example.com', 'ana@exam\u200bple.com\u0000', 'ana\n@example.com'],
    ...[`${'a'.repeat(65)}@example.com`, `${'é'.repeat(33)}@example.com`, `ana@${'x'.repeat(64)}.com`],
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
  ])('%j is none', (given) => {
    expect(readAddress(given)).toBeNull()
  })
})
