import { expect, test } from 'vitest'
import { mailboxOf } from '../../../src/shared/platform/kernel/mailbox.ts'

test.for([
  ['ana@example.com', 'ana@example.com'],
  [' Ana@Example.COM ', 'ana@example.com'],
  ['ana+news@example.com', 'ana@example.com'],
  ['ana+a+b@example.com', 'ana@example.com'],
  ['+tag@example.com', '+tag@example.com'],
  ['a.n.a@example.com', 'a.n.a@example.com'],
  ['A.n.a+x@GMail.com', 'ana@gmail.com'],
  ['ana@googlemail.com', 'ana@gmail.com'],
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['ana@example.com.', 'ana@example.com'],
  ['no address', 'no address'],
] as const)('%s reaches %s', ([address, mailbox]) => {
  expect(mailboxOf(address)).toBe(mailbox)
})
