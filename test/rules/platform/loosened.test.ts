import { describe, expect, test } from 'vitest'
import { dueSettings, holdBack } from '../../../src/shared/platform/authz/loosened.rules.ts'
import { type OrganizationSettings, readSettings } from '../../../src/shared/platform/authz/organization-settings.ts'

const now = new Date('2026-11-26T15:00:00Z')
const from = '2026-11-27T15:00:00.000Z'
const settings = (over: Partial<Record<keyof OrganizationSettings, unknown>>) => readSettings(over)
const waiting = (value: number | null, at = from) => [{ key: 'refundApprovalCents', value, from: at }]

describe('a change of the settings that guard money (§Organizations)', () => {
  test.for([
    ['a limit where there was none holds at once', null, 5_000, [], 5_000, [], []],
    ['a lower limit holds at once', 5_000, 4_000, [], 4_000, [], []],
    ['a higher limit waits a day', 5_000, 6_000, [], 5_000, waiting(6_000), ['refundApprovalCents']],
    ['no limit waits a day', 5_000, null, [], 5_000, waiting(null), ['refundApprovalCents']],
    ['a lower limit ends what waits', 5_000, 4_000, waiting(null), 4_000, [], []],
    ['the present limit ends what waits', 5_000, 5_000, waiting(null), 5_000, [], []],
    [
      'the same loosening again keeps its time',
      5_000,
      6_000,
      waiting(6_000, '2026-11-26T18:00:00.000Z'),
      5_000,
      waiting(6_000, '2026-11-26T18:00:00.000Z'),
      [],
    ],
    [
      'a further loosening waits a day of its own',
      5_000,
      7_000,
      waiting(6_000, '2026-11-26T18:00:00.000Z'),
      5_000,
      waiting(7_000),
      ['refundApprovalCents'],
    ],
  ] as const)('%s', ([, before, asked, upcoming, holds, waits, loosened]) => {
    const stored = settings({ refundApprovalCents: before, upcoming })
    const merged = settings({ refundApprovalCents: asked, upcoming })
    const held = holdBack(stored, merged, ['refundApprovalCents'], now)
    expect([held.settings.refundApprovalCents, held.settings.upcoming]).toEqual([holds, waits])
    expect(held.loosened.map(({ key }) => key)).toEqual(loosened)
  })

  test.for([
    ['a lower least balance', { minimumBalanceCents: 0 }, { minimumBalanceCents: -1 }, true],
    ['a higher least balance', { minimumBalanceCents: 0 }, { minimumBalanceCents: 1 }, false],
    ['prices paid ahead by anyone', { prepaidBy: 'staff' }, { prepaidBy: 'anyone' }, true],
    ['prices paid ahead by staff', { prepaidBy: 'anyone' }, { prepaidBy: 'staff' }, false],
  ] as const)('%s: what is looser waits a day, everything else holds at once', ([, before, after, waits]) => {
    const held = holdBack(settings(before), settings(after), Object.keys(after), now)
    const [[key, value]] = Object.entries(after) as [[string, unknown]]
    expect(held.settings).toMatchObject(waits ? before : after)
    expect(held.settings.upcoming).toEqual(waits ? [{ key, value, from }] : [])
    expect(held.loosened).toEqual(waits ? [{ key, from: new Date(from) }] : [])
  })

  test('each control waits by itself, and a change that names none keeps what waits', () => {
    const upcoming = [...waiting(null), { key: 'prepaidBy', value: 'anyone', from }]
    const stored = settings({ refundApprovalCents: 5_000, upcoming })
    const tightened = holdBack(stored, settings({ refundApprovalCents: 4_000, upcoming }), ['refundApprovalCents'], now)
    expect(tightened.settings).toMatchObject({
      refundApprovalCents: 4_000,
      prepaidBy: 'staff',
      upcoming: [upcoming[1]],
    })
    expect(holdBack(stored, stored, ['invoiceDueDays'], now).settings.upcoming).toEqual(upcoming)
    const { prepaidBy, refundApprovalCents, ...due } = dueSettings(stored, new Date(from))!
    expect([prepaidBy, refundApprovalCents, due.upcoming]).toEqual(['anyone', null, []])
  })

  test('what waits holds from its instant on, and not before', () => {
    const stored = settings({ refundApprovalCents: 5_000, upcoming: waiting(null) })
    expect(dueSettings(stored, new Date(Date.parse(from) - 1))).toBeNull()
    expect(dueSettings(stored, new Date(from))).toMatchObject({ refundApprovalCents: null, upcoming: [] })
  })
})
