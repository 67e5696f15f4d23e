import { expect, test } from 'vitest'
import type { ExcludedOperation } from '../../../src/shared/fleet/maintenance/deferral.rules.ts'
import { judgeReadiness } from '../../../src/shared/training/readiness/readiness.rules.ts'
import type { AircraftFacts } from '../../../src/shared/training/readiness/readiness-facts.types.ts'
import { aircraft, noon, readyFor } from './readiness-facts.ts'

const DAY = '2026-06-20'
const place = { zone: 'America/Los_Angeles', coordinates: { latitude: 37.66, longitude: -122.12 } }
const at = (hour: number) => new Date(noon(DAY).getTime() + (hour - 12) * 3_600_000)
const booked = (given: Partial<NonNullable<AircraftFacts['booking']>>): AircraftFacts['booking'] => ({
  ...aircraft().booking!,
  start: at(9),
  end: at(13),
  ...given,
})
const hire: ExcludedOperation[] = ['for_hire_or_instruction']
const nightHire: ExcludedOperation[] = ['night_for_hire_or_instruction']
const alone = { type: 'rental', supervised: false }
const late = { start: at(20), end: at(24) }

test.each<[string, ExcludedOperation[], AircraftFacts['booking'], 'met' | 'missing']>([
  ['hire or instruction, on a dual booking', hire, booked({}), 'missing'],
  ['hire or instruction, on a rental with an instructor', hire, booked({ type: 'rental' }), 'missing'],
  ['hire or instruction, on a rental alone', hire, booked(alone), 'met'],
  ['hire or instruction, without a booking', hire, null, 'met'],
  ['hire or instruction by night, on a dual booking by day', nightHire, booked({}), 'met'],
  ['hire or instruction by night, on a dual booking into the night', nightHire, booked(late), 'missing'],
  ['hire or instruction by night, on a rental alone into the night', nightHire, booked({ ...alone, ...late }), 'met'],
  ['night, on a rental alone into the night', ['night'], booked({ ...alone, ...late }), 'missing'],
  ['night, on a dual booking by day', ['night'], booked({}), 'met'],
  ['instrument flight, on a booking under instrument rules', ['ifr'], booked({ ifr: true }), 'missing'],
  ['instrument flight, on a booking under visual rules', ['ifr'], booked({}), 'met'],
])(
  'a deferral that excludes %s is judged as the release judges it (14 CFR 91.213(d))',
  (_name, excludes, booking, status) => {
    const deferrals = [{ id: 97, title: 'Strobe', excludes, until: null }]
    const facts = { ...readyFor('private', { aircraft: aircraft({ place, deferrals, booking }) }), at: at(9) }
    expect(judgeReadiness(facts).items.find(({ key }) => key === 'aircraft:deferral')?.status).toBe(status)
  },
)
