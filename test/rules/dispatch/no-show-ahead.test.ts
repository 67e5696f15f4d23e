import { expect, test } from 'vitest'
import { noShowAhead } from '../../../src/shared/dispatch/no-show.rules.ts'

const start = new Date('2026-11-21T15:00:00Z')
const row = {
  type: 'rental',
  made_after_start: false,
  starts_at: start,
  ramped_out_at: null,
  cancelled_at: null,
  resource: { kind: 'plane' },
} as const
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

// With 30 minutes; after 30 more the desk decides.
test.each<[string, number, number | null]>([
  ['before the start', -1, null],
  ['after the start', 1, 30],
  ['when it is due', 30, 30],
  ['as long as it is called', 60, 30],
  ['once it is left to the desk', 61, null],
])('a booking that nobody ramps out says when it is a no-show: %s', (_name, minutes, at) => {
  expect(noShowAhead(row, 30, after(minutes))).toEqual(at === null ? null : after(at))
})
