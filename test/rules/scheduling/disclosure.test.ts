import { describe, expect, test } from 'vitest'
import { checkDeclined } from '../../../src/shared/scheduling/rules/fitness.rules.ts'
import { at, currency, facts, member, plane, problemsOf, roles, times } from './booking-facts.ts'

const BEN = 2
const medical = currency({ id: 1, name: 'Medical', roles: ['renter'] })
const review = currency({ id: 2, name: 'Flight review', roles: ['renter'] })
const expired = [{ currencyId: 1, expiresAt: at('2026-05-31T12:00:00Z') }]

/** A shared flight of Ana and Ben in the hours of a closed field, asked for by somebody with a role. */
function told(actor: { orgUserId: number; roles: ReturnType<typeof roles> }, ben: Parameters<typeof member>[3]) {
  const seats = [member('pilots', 1, 'Ana Ruiz', { currencyRecords: [] }), member('pilots', BEN, 'Ben Okafor', ben)]
  seats[0] = { ...seats[0]!, member: { ...seats[0]!.member!, roles: roles('owner') } }
  const resource = plane({ flyingDayStartMinute: 720, flyingDayEndMinute: 1200 })
  const booking = times({ type: 'shared' })
  return problemsOf(facts({ actor, seats, resource, booking, currencies: [medical, review] })).filter(
    ({ code }) => code !== 'INVALID' && code !== 'TYPE_NOT_ALLOWED',
  )
}

const by = (role: Parameters<typeof roles>[0], orgUserId = 99) => ({ orgUserId, roles: roles(role) })
const veiled = {
  code: 'NOT_ELIGIBLE',
  field: 'personnel.pilots',
  message: 'Ben Okafor cannot be booked for this',
  orgUserId: BEN,
  rule: 'eligibility',
  overridable: false,
}

describe('the refusal of a booking with somebody who is grounded and not current (§Reservations rule 6)', () => {
  const ben = { grounded: true, groundedReason: 'Epilepsy', currencyRecords: expired }

  test.each(['student', 'renter', 'technician'] as const)(
    'a %s is told who, once and last, and nothing else',
    (role) => {
      const problems = told(by(role), ben)
      expect(problems.map(({ code }) => code)).toEqual(['OUTSIDE_HOURS', 'NOT_ELIGIBLE'])
      expect(problems.at(-1)).toEqual(veiled)
    },
  )

  test('never lets a caller who may not know tell grounding from currency, nor one currency from another', () => {
    const answers = [
      ben,
      { grounded: true, currencyRecords: [medical, review].map(({ id }) => ({ currencyId: id, expiresAt: null })) },
      { currencyRecords: expired },
      { currencyRecords: [{ currencyId: 1, expiresAt: null }] },
    ].map((over) => told(by('renter'), over))
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test.each(['owner', 'admin', 'dispatcher'] as const)('tells a %s everything', (role) => {
    expect(told(by(role), ben).map(({ message }) => message)).toEqual([
      'Ben Okafor is grounded: Epilepsy',
      expect.stringContaining('N12345'),
      'Ben Okafor is not current: Medical (expired 2026-05-31)',
      'Ben Okafor is not current: Flight review (nothing on record)',
    ])
  })

  test('tells the person everything about themself', () => {
    expect(told(by('renter', BEN), ben).map(({ message }) => message)).toContain('Ben Okafor is grounded: Epilepsy')
  })

  test('tells an instructor of the grounding without its reason, and of the currencies', () => {
    expect(told(by('instructor'), ben).map(({ message }) => message)).toEqual([
      'Ben Okafor is grounded',
      expect.stringContaining('N12345'),
      'Ben Okafor is not current: Medical (expired 2026-05-31)',
      'Ben Okafor is not current: Flight review (nothing on record)',
    ])
  })
})

describe('the declined card of the payer of a member (§Booking rules)', () => {
  const PAYER = 7
  const ana = member('instructors', 1, 'Ana Ruiz')
  const ben = member('students', BEN, 'Ben Okafor', { cardDeclined: true, billToId: PAYER })
  const declined = 'Ben Okafor has an open invoice for which the card was declined'
  const acts = 'The payer of Ben Okafor has to act before this booking'

  test.each([
    ['the payer', by('renter', PAYER), declined],
    ['a dispatcher', by('dispatcher'), declined],
    ['the member', by('student', BEN), acts],
    ['the instructor', by('instructor', 1), acts],
  ] as const)('is told to %s as: %s', (_who, actor, message) => {
    expect(checkDeclined(facts({ actor, seats: [ana, ben] }))).toEqual([
      { field: 'personnel.students', orgUserId: BEN, code: 'CARD_DECLINED', message },
    ])
  })
})
