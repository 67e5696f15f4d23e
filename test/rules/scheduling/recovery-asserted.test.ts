import { describe, expect, test } from 'vitest'
import { isAsserted } from '../../../src/shared/scheduling/recoveries/asserted.rules.ts'
import type { RecoveryCause } from '../../../src/shared/scheduling/recoveries/recovery.types.ts'
import type { Problem } from '../../../src/shared/scheduling/rules/problems.ts'
import { at } from './booking-facts.ts'

const [PLANE, IRIS, STUDENT, BOOKING] = [1, 7, 20, 43]
const hour = (h: number) => at(`2026-06-01T${String(h).padStart(2, '0')}:00:00-04:00`)
const span = (from: number, to: number) => ({ start: hour(from), end: hour(to) })
const problem = (rule: Problem['rule']): Problem => ({
  rule,
  code: 'NOT_ELIGIBLE',
  message: 'is refused' as Problem['message'],
  field: 'resource',
  overridable: false,
})

interface Case {
  why: string
  cause: RecoveryCause
  rule?: Problem['rule']
  /** The time off of the instructor. */
  off?: [number, number]
  window?: [number, number]
  asserted: boolean
}

describe('a cause that no record bears (§Recovery, safety S97)', () => {
  test.each<Case>([
    { why: 'a grounding', cause: { resourceIds: [PLANE] }, rule: 'resource_grounded', asserted: false },
    { why: 'an inspection that is due', cause: { resourceIds: [PLANE] }, rule: 'inspection_due', asserted: false },
    { why: 'a resource that nothing holds', cause: { resourceIds: [PLANE] }, asserted: true },
    {
      why: 'one that nothing holds, of a booking that is refused for another reason',
      cause: { resourceIds: [PLANE] },
      rule: 'person_grounded',
      asserted: true,
    },
    { why: 'an instructor with time off', cause: { instructorOrgUserIds: [IRIS] }, off: [9, 11], asserted: false },
    {
      why: 'one with time off at another time',
      cause: { instructorOrgUserIds: [IRIS] },
      off: [12, 14],
      asserted: true,
    },
    {
      why: 'one without, of a booking that is refused for another reason',
      cause: { instructorOrgUserIds: [IRIS] },
      rule: 'person_grounded',
      asserted: true,
    },
    {
      why: 'one outside of the window, where a closure takes the booking',
      cause: { instructorOrgUserIds: [IRIS], closureId: 5 },
      window: [14, 16],
      asserted: false,
    },
    { why: 'a closure', cause: { closureId: 5 }, asserted: false },
    { why: 'a booking itself that could stay', cause: { reservationIds: [BOOKING] }, asserted: true },
    { why: 'one that could not', cause: { reservationIds: [BOOKING] }, rule: 'person_grounded', asserted: false },
    {
      why: 'one of two parts',
      cause: { resourceIds: [PLANE], instructorOrgUserIds: [IRIS] },
      rule: 'resource_grounded',
      asserted: true,
    },
  ])('$why: $asserted', ({ cause, rule, off, window = [8, 18], asserted }) => {
    const { start, end } = span(10, 12)
    const seats = [
      { side: 'instructors' as const, orgUserId: IRIS, guestId: null },
      { side: 'students' as const, orgUserId: STUDENT, guestId: null },
    ]
    const row = { id: BOOKING, starts_at: start, ends_at: end, seats }
    const timeOff = off ? [span(...off)] : []
    const facts = { seats: [{ orgUserId: IRIS, member: { timeOff } }] }
    const judgement = { problems: rule ? [problem(rule)] : [] }
    const taken = { byResource: cause.resourceIds !== undefined, row }
    expect(isAsserted({ cause, ...span(...window) }, taken, { facts, judgement }, rule === undefined)).toBe(asserted)
  })
})
