import { describe, expect, test } from 'vitest'
import { clearRows, type WaitingRow } from '../../../src/shared/scheduling/recoveries/waiting-rows.rules.ts'

/** A row of a plan whose new place the bookings `after` stand in. */
const row = (reservationId: number, after: number[], more: Partial<WaitingRow> = {}): WaitingRow => ({
  reservationId,
  detail: { after },
  bulk: null,
  offer: null,
  isCancelled: false,
  ...more,
})
const bulk = (outcome: string) => ({ bulk: { outcome } })
const offer = (status: 'open' | 'accepted' | 'declined') => ({ offer: { status } })

describe('rows that wait for another booking of the plan (§Recovery)', () => {
  test.each<[string, WaitingRow[], number[], boolean, number[]]>([
    ['nobody stands there', [row(1, [])], [1], false, [1]],
    ['a plan of before says nothing', [{ ...row(1, []), detail: {} }], [1], false, [1]],
    ['the other is not moved', [row(1, [2]), row(2, [])], [1], true, []],
    ['the other moves with it', [row(1, [2]), row(2, [])], [1, 2], true, [1, 2]],
    ['the other is asked alone', [row(1, [2]), row(2, [])], [1, 2], false, [2]],
    ['they exchange their places', [row(1, [2]), row(2, [1])], [1, 2], true, [1, 2]],
    ['the last of a chain stays', [row(1, [2]), row(2, [3]), row(3, [])], [1, 2], true, []],
    ['the other was moved', [row(1, [2]), row(2, [], bulk('done'))], [1], false, [1]],
    ['the other was refused', [row(1, [2]), row(2, [], bulk('refused'))], [1], false, []],
    ['the other agreed', [row(1, [2]), row(2, [], offer('accepted'))], [1], false, [1]],
    ['the other is asked', [row(1, [2]), row(2, [], offer('open'))], [1], false, []],
    ['the other declined', [row(1, [2]), row(2, [], offer('declined'))], [1], false, []],
    ['the other is cancelled', [row(1, [2]), row(2, [], { isCancelled: true })], [1], false, [1]],
  ])('%s', (_, plan, ids, together, clear) => {
    const asked = plan.filter((one) => ids.includes(one.reservationId))
    expect(clearRows(plan, asked, { together }).map((one) => one.reservationId)).toEqual(clear)
  })
})
