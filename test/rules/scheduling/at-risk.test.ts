import { describe, expect, test } from 'vitest'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import {
  flagOf,
  notifiedOf,
  type StoredFinding,
  toNotify,
} from '../../../src/shared/scheduling/at-risk/at-risk.rules.ts'
import { withDigest } from '../../../src/shared/scheduling/at-risk/judge-marked.ts'
import type { Fix } from '../../../src/shared/scheduling/rules/problems.ts'

const finding = (rule: StoredFinding['rule'], rest: Partial<StoredFinding> = {}): StoredFinding => ({
  rule,
  code: 'INVALID',
  message: `of ${rule}` as StoredFinding['message'],
  field: 'resource',
  enforcement: 'block',
  personal: false,
  overridableBy: ['dispatcher'],
  ...rest,
})
const lapsed = finding('currency:3', {
  personal: true,
  orgUserId: 8,
  field: 'personnel.students.0',
  overridableBy: ['admin'],
})
const seats = [
  { side: 'instructors' as const, name: 'Ivan', orgUserId: 7 },
  { side: 'students' as const, name: 'Sam', orgUserId: 8 },
]

describe('the flag of a booking at risk (interface §Dispatch)', () => {
  test('stands for what blocks, a currency by its own key and that of all, each cause once', () => {
    const warned = finding('inspection_due', { enforcement: 'warn' })
    expect(flagOf(1, [], [])).toBeNull()
    expect(flagOf(1, [lapsed, lapsed, finding('resource_grounded', { resourceId: 5 }), warned], [])).toMatchObject({
      rules: ['currency', 'currency:3', 'resource_grounded'],
      causes: ['currency:3 8 ', 'resource_grounded  5'],
      warningsForDesk: [warned],
      warningsForOthers: [],
    })
  })

  test('has neither rules nor causes when the rules only warn', () => {
    const warned = finding('inspection_due', { enforcement: 'warn' })
    expect(flagOf(1, [warned], [warned])).toEqual({
      reservationId: 1,
      rules: [],
      causes: [],
      forDesk: [],
      forOthers: [],
      warningsForDesk: [warned],
      warningsForOthers: [warned],
    })
  })

  test('keeps earlier causes while something blocks, and forgets them when it only warns', () => {
    const warned = finding('inspection_due', { enforcement: 'warn' })
    const earlier = ['closed_period  ']
    expect(withDigest(flagOf(1, [lapsed], [])!, earlier).causes).toEqual(['closed_period  ', 'currency:3 8 '])
    expect(withDigest(flagOf(1, [warned], [])!, earlier).causes).toEqual([])
  })
})

describe('what a reader is told of a booking at risk', () => {
  const flag = {
    forDesk: [lapsed, finding('closed_period')],
    forOthers: [lapsed],
    warningsForDesk: [],
    warningsForOthers: [],
  }
  const rulesFor = (orgUserId: number, roles: Parameters<typeof roleFlags>[0]) =>
    notifiedOf({ orgUserId, roles: roleFlags(roles) }, seats, flag).problems.map(({ rule, overridable }) => [
      rule,
      overridable,
    ])

  test.each([
    [
      'a dispatcher, who overrides what the rule lets',
      1,
      { dispatcher: true },
      [
        ['currency:3', false],
        ['closed_period', true],
      ],
    ],
    [
      'an admin',
      1,
      { admin: true },
      [
        ['currency:3', true],
        ['closed_period', false],
      ],
    ],
    ['an instructor, who is not of the desk', 7, { instructor: true }, [['currency:3', false]]],
    ['the person', 8, { student: true }, [['currency:3', false]]],
    ['anybody else, only who it is', 9, { student: true }, [['eligibility', false]]],
  ] as const)('is for %s', (_, orgUserId, roles, expected) => {
    expect(rulesFor(orgUserId, roles)).toEqual(expected)
  })
})

describe('the fix of a booking at risk', () => {
  const record: Fix = { action: 'record_currency', currencyId: 3, orgUserId: 8, text: 'Record it.' as Fix['text'] }
  const paper: Fix = { action: 'record_document', category: 'medical', text: 'Add it.' as Fix['text'] }
  const lacking = finding('documents', { personal: true, orgUserId: 8, fix: paper })
  const findings = [{ ...lapsed, fix: record }, lacking]
  const flag = { forDesk: findings, forOthers: findings, warningsForDesk: [], warningsForOthers: [] }

  test.each([
    ['a dispatcher', 1, { dispatcher: true }, ['record_currency', 'record_document']],
    ['an instructor, who records no papers of others', 2, { instructor: true }, ['record_currency', undefined]],
    ['the person, who records no currency', 8, { student: true }, [undefined, 'record_document']],
    ['anybody else', 9, { student: true }, [undefined]],
  ] as const)('is told to %s', (_, orgUserId, roles, actions) => {
    const { problems } = notifiedOf({ orgUserId, roles: roleFlags(roles) }, seats, flag)
    expect(problems.map(({ fix }) => fix?.action)).toEqual(actions)
  })
})

describe('who is told of bookings that have come to be at risk', () => {
  test('are those on them and dispatchers, who were not told ten times within a day', () => {
    const bookings = [
      { reservationId: 1, orgUserIds: [7, 8] },
      { reservationId: 2, orgUserIds: [7, 9, 30] },
    ]
    const today = new Map([
      [9, 10],
      [7, 9],
    ])
    expect([...toNotify(bookings, [30], today)]).toEqual([
      [7, [1, 2]],
      [8, [1]],
      [30, [1, 2]],
    ])
  })
})
