import { describe, expect, test } from 'vitest'
import { type Neighbours, whyReview } from '../../../src/shared/dispatch/kept-correction.rules.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'

const none: Neighbours = { previousIn: null, nextOut: null, completedAt: null }
const at = (reading: number | null) => (reading === null ? null : hundredths(reading))
const neighbours = (previousIn: number | null, nextOut: number | null, completedAt: number | null): Neighbours => {
  return { previousIn: at(previousIn), nextOut: at(nextOut), completedAt: at(completedAt) }
}
const figures = (out: number, back: number, briefing: number | null = null) => ({
  hobbsTimeOut: hundredths(out),
  hobbsTimeIn: hundredths(back),
  tachTimeOut: null,
  tachTimeIn: null,
  briefing: briefing === null ? null : tenths(briefing),
})
const flownAt = new Date('2026-09-27T12:00:00Z')

describe('a correction while the signatures stand (§Reservations, correct)', () => {
  test.each([
    ['a shorter time', figures(100, 180), none, true],
    ['the same time, later', figures(130, 240), none, true],
    ['a longer time', figures(100, 211), none, false],
    ['a shorter briefing', figures(100, 210, 2), none, true],
    ['a longer briefing', figures(100, 210, 4), none, false],
    ['before the flight before came back', figures(90, 190), neighbours(100, null, null), false],
    ['as far before it as the flight is', figures(100, 190), neighbours(105, null, null), true],
    ['further before it than the flight is', figures(99, 190), neighbours(105, null, null), false],
    ['after the flight after left', figures(110, 216), neighbours(null, 215, null), false],
    ['up to where the flight after left', figures(110, 215), neighbours(null, 215, null), true],
    ['below a completed maintenance', figures(100, 180), neighbours(null, null, 200), false],
    ['down to a completed maintenance', figures(100, 200), neighbours(null, null, 200), true],
  ])('%s', (_name, after, hobbs, isKept) => {
    const facts = { before: figures(100, 210, 3), after, neighbours: { hobbs, tach: none }, flownAt }
    expect(whyReview(facts, new Date('2026-11-26T12:00:00Z')) === null).toBe(isKept)
  })

  /** A flight of 1.10 h by the Hobbs and 0.90 h by the tach, with 0.3 h of briefing. */
  const flown = {
    hobbsTimeOut: hundredths(100),
    hobbsTimeIn: hundredths(210),
    tachTimeOut: hundredths(50),
    tachTimeIn: hundredths(140),
    briefing: tenths(3) as ReturnType<typeof tenths> | null,
  }
  type Flown = typeof flown
  /** Hobbs out and in, tach out and in, in hundredths of an hour. */
  const readings = (hobbsOut: number, hobbsIn: number, tachOut = 50, tachIn = 140): Partial<Flown> => ({
    hobbsTimeOut: hundredths(hobbsOut),
    hobbsTimeIn: hundredths(hobbsIn),
    tachTimeOut: hundredths(tachOut),
    tachTimeIn: hundredths(tachIn),
  })
  const briefed = (briefing: number | null) => ({ briefing: briefing === null ? null : tenths(briefing) })
  interface Beside {
    before?: Partial<Flown>
    hobbs?: Neighbours
    tach?: Neighbours
  }

  test.each<[string, Partial<Flown>, Beside, null | string]>([
    ['both meters shorter', readings(100, 180, 50, 115), {}, null],
    ['both meters and the briefing shorter', { ...readings(100, 180, 50, 115), ...briefed(1) }, {}, null],
    ['the tach alone shorter', readings(100, 210, 50, 120), {}, null],
    ['the tach alone later', readings(100, 210, 60, 150), {}, null],
    ['no time at all', readings(100, 100, 50, 50), {}, null],
    ['no briefing any more', briefed(0), {}, null],
    ['one hundredth longer by the Hobbs', readings(100, 211), {}, 'hobbs'],
    ['one hundredth longer by the tach', readings(100, 210, 50, 141), {}, 'tach'],
    ['shorter by the Hobbs, longer by the tach', readings(100, 180, 40, 140), {}, 'tach'],
    ['longer by the Hobbs, shorter by the tach', readings(95, 210, 50, 120), {}, 'hobbs'],
    ['shorter times, a longer briefing', { ...readings(100, 180), ...briefed(4) }, {}, 'briefing'],
    ['a first briefing', briefed(1), { before: briefed(null) }, 'briefing'],
    [
      'the tach out where the flight before came back',
      readings(100, 210, 45, 130),
      { tach: neighbours(45, null, null) },
      null,
    ],
    ['the tach out before that', readings(100, 210, 44, 130), { tach: neighbours(45, null, null) }, 'tach'],
    [
      'the tach in where the flight after left',
      readings(100, 210, 65, 150),
      { tach: neighbours(null, 150, null) },
      null,
    ],
    ['the tach in after that', readings(100, 210, 65, 151), { tach: neighbours(null, 150, null) }, 'tach'],
    ['the tach in below its maintenance', readings(100, 210, 50, 129), { tach: neighbours(null, null, 130) }, 'tach'],
    [
      'the Hobbs in line, the tach not',
      readings(100, 180, 50, 120),
      { hobbs: neighbours(90, 220, 150), tach: neighbours(null, null, 130) },
      'tach',
    ],
    [
      'between both flights and above the maintenance',
      readings(105, 190, 52, 130),
      { hobbs: neighbours(100, 210, 180), tach: neighbours(50, 140, 120) },
      null,
    ],
    [
      'as late as it is, past a flight that left before',
      readings(110, 210),
      { hobbs: neighbours(null, 200, null) },
      null,
    ],
    ['later than it is, past such a flight', readings(110, 212), { hobbs: neighbours(null, 200, null) }, 'hobbs'],
    ['as high as it is, below a maintenance since', readings(120, 210), { hobbs: neighbours(null, null, 250) }, null],
    ['lower than it is, below such a maintenance', readings(120, 209), { hobbs: neighbours(null, null, 250) }, 'hobbs'],
  ])('of an aircraft with two meters: %s', (_name, to, { before = {}, hobbs = none, tach = none }, what) => {
    const signed = { ...flown, ...before }
    const facts = { before: signed, after: { ...signed, ...to }, neighbours: { hobbs, tach }, flownAt }
    const why = whyReview(facts, flownAt)
    if (what === null) expect(why).toBeNull()
    else expect(why).toMatch(new RegExp(`longer: ${what}\\.|The ${what} readings would not fit`))
  })

  test('is possible for 60 days after the return', () => {
    const facts = {
      before: figures(100, 210),
      after: figures(100, 180),
      neighbours: { hobbs: none, tach: none },
      flownAt,
    }
    expect(whyReview(facts, new Date('2026-11-26T12:00:00Z'))).toBeNull()
    expect(whyReview(facts, new Date('2026-11-26T12:00:01Z'))).toMatch('60 days')
  })
})
