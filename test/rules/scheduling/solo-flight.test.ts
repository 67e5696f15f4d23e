import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import type { EndorsementFacts } from '../../../src/shared/scheduling/rules/rating-papers.rules.ts'
import type { SoloFlight } from '../../../src/shared/scheduling/rules/solo-flight.rules.ts'
import { at, facts, member, plane, times } from './booking-facts.ts'

/** An endorsement for the Cessna, without end. */
const held = (code: string, over: Partial<EndorsementFacts> = {}): EndorsementFacts => ({
  code,
  makeAndModel: 'Cessna C172',
  expiresAt: null,
  ...over,
})
const base = [held('A.3'), held('A.4'), held('A.6')]
const route = (over: Partial<SoloFlight>): SoloFlight => ({ airport: null, crossCountry: null, classB: false, ...over })

interface Flight {
  solo?: SoloFlight | null
  lessonIds?: number[]
  start?: Date
}

/** The endorsements that a solo flight of 2 June in New York lacks. Lesson 9 credits solo and cross-country time. */
function missing({ solo = null, lessonIds = [], start }: Flight, ...endorsements: EndorsementFacts[]): string {
  const booking = times({
    type: 'solo',
    solo,
    lessonIds,
    ...(start && { start, end: new Date(start.getTime() + 3_600_000) }),
  })
  const seats = [member('students', 2, 'Ben', { endorsements: [...base, ...endorsements] })]
  const { warnings } = judge(facts({ booking, seats, resource: plane(), crossCountryLessons: new Set([9]) }))
  return warnings.map(({ message }) => message.replace(/^.*: /, '')).join()
}

const a8 = (otherAirport: string | null) => held('A.8', { makeAndModel: null, otherAirport })
const a10 = (flightOn: string | null, over = {}) => held('A.10', { flightOn, ...over })
const a11 = held('A.11', { makeAndModel: null })
const a12 = held('A.12', { makeAndModel: null })
const a13 = (airport: string) => held('A.13', { makeAndModel: null, airport })
const gone = { expiresAt: at('2026-06-02T14:00:00Z') }

describe('the endorsements for where a solo flight goes (14 CFR 61.93, 61.95)', () => {
  test.each<[string, Flight, EndorsementFacts[], string]>([
    ['nothing said: none', {}, [], ''],
    ['local, said so: none', { solo: route({}), lessonIds: [9] }, [], ''],
    ['within 25 NM', { solo: route({ crossCountry: 'within25' }) }, [], 'A.8'],
    ['within 25 NM, A.8 of any airport', { solo: route({ crossCountry: 'within25' }) }, [a8('KFRG')], ''],
    ['an airport, with A.8 of it', { solo: route({ airport: 'KFRG' }) }, [a8(' kfrg ')], ''],
    ['an airport, with A.8 of another', { solo: route({ airport: 'KFRG' }) }, [a8('KISP')], 'A.8 for KFRG'],
    ['an airport, with A.8 of none', { solo: route({ airport: 'KFRG' }) }, [a8(null)], 'A.8 for KFRG'],
    ['an A.8 that has ended', { solo: route({ airport: 'KFRG' }) }, [{ ...a8('KFRG'), ...gone }], 'A.8 for KFRG'],
    ['repeated: A.9 and A.11', { solo: route({ crossCountry: 'repeated50' }) }, [held('A.9'), a11], ''],
    ['repeated, nothing', { solo: route({ crossCountry: 'repeated50' }) }, [], 'A.9, A.11'],
    [
      'repeated, A.10 for A.11',
      { solo: route({ crossCountry: 'repeated50' }) },
      [held('A.9'), a10('2026-06-02')],
      'A.11',
    ],
    ['beyond: A.9 and A.10', { solo: route({ crossCountry: 'beyond' }) }, [held('A.9'), a10('2026-06-02')], ''],
    [
      'beyond, A.10 of a day later',
      { solo: route({ crossCountry: 'beyond' }) },
      [held('A.9'), a10('2026-06-03')],
      'A.10 for 2026-06-02',
    ],
    [
      'beyond, A.10 of no day',
      { solo: route({ crossCountry: 'beyond' }) },
      [held('A.9'), a10(null)],
      'A.10 for 2026-06-02',
    ],
    [
      'beyond, A.9 of another model',
      { solo: route({ crossCountry: 'beyond' }) },
      [held('A.9', { makeAndModel: 'PA-28' }), a10('2026-06-02')],
      'A.9',
    ],
    [
      'beyond, A.10 of another model',
      { solo: route({ crossCountry: 'beyond' }) },
      [held('A.9'), a10('2026-06-02', { makeAndModel: 'PA-28' })],
      'A.10 for 2026-06-02',
    ],
    ['beyond, A.11 for A.10', { solo: route({ crossCountry: 'beyond' }) }, [held('A.9'), a11], 'A.10 for 2026-06-02'],
    ['Class B: A.12 of any airspace', { solo: route({ classB: true }) }, [a12], ''],
    ['Class B: A.13', { solo: route({ classB: true }) }, [a13('KJFK')], ''],
    ['Class B, nothing', { solo: route({ classB: true }) }, [], 'A.12 or A.13'],
    ['Class B at an airport: A.13 of it', { solo: route({ classB: true, airport: 'KJFK' }) }, [a13('kjfk')], ''],
    [
      'Class B at an airport, A.13 of another',
      { solo: route({ classB: true, airport: 'KJFK' }) },
      [a13('KLGA')],
      'A.12 or A.13 for KJFK',
    ],
    [
      'Class B and beyond',
      { solo: route({ classB: true, crossCountry: 'beyond' }) },
      [a12],
      'A.9, A.10 for 2026-06-02',
    ],
    ['a lesson with solo cross-country time', { lessonIds: [9] }, [], 'A.9, A.10 for 2026-06-02'],
    ['another lesson', { lessonIds: [8] }, [], ''],
    [
      'what the booking says, before its lesson',
      { lessonIds: [9], solo: route({ crossCountry: 'within25' }) },
      [a8('KFRG')],
      '',
    ],
  ])('%s', (_, flight, endorsements, expected) => {
    expect(missing(flight, ...endorsements)).toBe(expected)
  })

  test('are of the local day of the start', () => {
    const flight = { solo: route({ crossCountry: 'beyond' as const }), start: at('2026-06-02T23:30:00-04:00') }
    const night = held('A.5')
    expect(missing(flight, held('A.9'), a10('2026-06-02'), night)).toBe('')
    expect(missing(flight, held('A.9'), a10('2026-06-03'), night)).toBe('A.10 for 2026-06-02')
  })

  test('are those that the fix says to sign', () => {
    const booking = times({ type: 'solo', solo: route({ crossCountry: 'repeated50' }) })
    const [warning] = judge(facts({ booking, seats: [member('students', 2, 'Ben', { endorsements: base })] })).warnings
    expect(warning).toMatchObject({ rule: 'endorsement', fix: { action: 'sign_endorsement', codes: ['A.9', 'A.11'] } })
  })

  test('are said of solo flights alone', () => {
    const { problems } = judge(facts({ booking: times({ type: 'dual', solo: route({ classB: true }) }) }))
    expect(problems).toMatchObject([{ field: 'solo', rule: 'booking_shape' }])
  })
})
