import { describe, expect, test } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import {
  consentFor,
  type ResourceChoice,
  type SeenPlace,
} from '../../../src/shared/scheduling/recoveries/consent.rules.ts'
import type { Problem } from '../../../src/shared/scheduling/rules/problems.ts'
import { at } from './booking-facts.ts'

const aircraft = (over: Partial<ResourceChoice> = {}): ResourceChoice => ({
  id: 1,
  kind: 'plane',
  name: 'N1',
  pool: 'Trainers',
  make: 'Cessna',
  model: '172S',
  ...over,
})
const twin = aircraft({ id: 2, pool: null })
const from: SeenPlace = {
  start: at('2026-06-01T10:00:00-04:00'),
  instructorId: 7,
  resource: aircraft(),
  locationId: 3,
  cost: cents(18_000),
  warnings: [],
}
const seats = [
  { side: 'instructors' as const, orgUserId: 7, guestId: null },
  { side: 'students' as const, orgUserId: 20, guestId: null },
  { side: 'students' as const, orgUserId: 21, guestId: null },
]
const dual = { type: 'dual' as const, seats, stands: false }
const warning = (orgUserId?: number): Problem => ({
  rule: 'endorsement',
  code: 'ENDORSEMENT_MISSING',
  message: 'lacks A.31' as Problem['message'],
  field: 'personnel.students',
  overridable: false,
  ...(orgUserId !== undefined && { orgUserId }),
})

describe('who has to agree to another place (§Recovery, safety S95 and S97)', () => {
  test.each<{ why: string; to: Partial<SeenPlace>; from?: Partial<SeenPlace>; stands?: boolean; because: string[] }>([
    { why: 'the same model, at no higher rate', to: { resource: twin }, because: [] },
    { why: 'a cheaper one of the same model', to: { resource: twin, cost: cents(17_000) }, because: [] },
    {
      why: 'another model of the pool, whose name is compared without case',
      to: { resource: aircraft({ id: 2, model: '172N', pool: 'TRAINERS' }) },
      because: [],
    },
    { why: 'a dearer one', to: { resource: twin, cost: cents(18_001) }, because: ['other_aircraft'] },
    { why: 'one at another location', to: { resource: twin, locationId: 4 }, because: ['other_aircraft'] },
    {
      why: 'another model',
      to: { resource: aircraft({ id: 2, model: '182T', pool: null }) },
      because: ['other_aircraft'],
    },
    {
      why: 'a make and model that are not on record',
      to: { resource: aircraft({ id: 2, make: null, model: null, pool: null }) },
      from: { resource: aircraft({ make: null, model: null, pool: null }) },
      because: ['other_aircraft'],
    },
    {
      why: 'a warning about a person that is new',
      to: { resource: twin, warnings: [warning(20)] },
      because: ['other_aircraft'],
    },
    {
      why: 'a warning about a person that was there before',
      to: { resource: twin, warnings: [warning(20)] },
      from: { warnings: [warning(20)] },
      because: [],
    },
    { why: 'a warning about nobody', to: { resource: twin, warnings: [warning()] }, because: [] },
    { why: 'another time', to: { start: at('2026-06-01T10:30:00-04:00') }, because: ['other_time'] },
    { why: 'another instructor', to: { instructorId: 8 }, because: ['other_instructor'] },
    {
      why: 'all of it',
      to: { start: at('2026-06-02T10:00:00-04:00'), instructorId: 8, resource: twin, cost: cents(19_000) },
      because: ['other_time', 'other_instructor', 'other_aircraft'],
    },
    {
      why: 'a booking that would be accepted where it stands',
      to: { resource: twin },
      stands: true,
      because: ['other_aircraft'],
    },
  ])('$because for $why', ({ to, stands = false, because, ...one }) => {
    const before = { ...from, ...one.from }
    expect(consentFor({ ...dual, stands }, before, { ...before, ...to })).toEqual(
      because.map((cause) => ({ orgUserId: 20, because: cause })),
    )
  })

  test('a guest is asked by the desk', () => {
    const guest = [seats[0]!, { side: 'guests' as const, orgUserId: null, guestId: 5 }]
    const to = { ...from, start: at('2026-06-01T12:00:00-04:00') }
    expect(consentFor({ type: 'guest', seats: guest, stands: false }, from, to)).toEqual([
      { orgUserId: null, because: 'other_time' },
    ])
  })
})
