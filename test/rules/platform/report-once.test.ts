import { expect, test } from 'vitest'
import { reportErrorOnce, reportLossOnce } from '../../../src/shared/platform/kernel/report-once.ts'

test('fourteen equal errors in a second are one line, and one more ten seconds later', () => {
  const lines: string[] = []
  let now = 0
  const report = reportErrorOnce(
    ({ message }) => lines.push(message),
    () => new Date(now),
  )
  for (let at = 0; at < 14; at += 1) {
    now = at * 70
    report(new Error('the server is gone'))
  }
  report(new Error('another reason'))
  now = 9_999
  report(new Error('the server is gone'))
  expect(lines).toEqual(['the server is gone', 'another reason'])
  now = 10_000
  report(new Error('the server is gone'))
  expect(lines).toEqual(['the server is gone', 'another reason', 'the server is gone'])
})

test('a loss is told once and taken back once, again for the next', () => {
  const lines: string[] = []
  const { lost, back } = reportLossOnce({ lost: ({ message }) => lines.push(message), back: () => lines.push('back') })
  back()
  for (const reason of ['refused', 'refused', 'closed']) lost(new Error(reason))
  back()
  back()
  lost(new Error('refused'))
  expect(lines).toEqual(['refused', 'back', 'refused'])
})
