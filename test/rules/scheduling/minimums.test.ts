import { describe, expect, test } from 'vitest'
import { readMetar, readTaf } from '../../../src/shared/platform/adapters/weather/read-reports.ts'
import { noMinimums, type PilotMinimums } from '../../../src/shared/qualification/minimums/minimums.rules.ts'
import type { BookingFacts } from '../../../src/shared/scheduling/rules/booking-facts.types.ts'
import { checkMinimums } from '../../../src/shared/scheduling/rules/minimums.rules.ts'
import { at, facts, guest, member, plane, times } from './booking-facts.ts'

/** The rental is on 2 June from 14:00 to 16:00 UTC. */
const now = at('2026-06-02T13:55:00Z')

/** The reports at the location of the aircraft, as they are sent. */
function reports(metar: string | null, taf: string | null) {
  const observation = metar === null ? null : readMetar(`METAR KHWD ${metar}`, now)
  const forecast = taf === null ? null : readTaf(`TAF KHWD 021130Z ${taf}`, now)
  expect([observation === null, forecast === null]).toEqual([metar === null, taf === null])
  return new Map([[3, { station: 'KHWD', observation, forecast }]])
}

const rita = (minimums: Partial<PilotMinimums> | null) =>
  member('renters', 3, 'Rita Lange', { minimums: minimums && { ...noMinimums, ...minimums } })

const rental = (minimums: Partial<PilotMinimums> | null, over: Partial<BookingFacts>) =>
  facts({ now, booking: times({ type: 'rental' }), seats: [rita(minimums)], ...over })

const found = (given: BookingFacts) =>
  checkMinimums(given).map(({ message, warnsOnly }) => [message, warnsOnly ?? false])
const below = (reasons: string) => [`The weather at KHWD is outside of the limits of Rita Lange: ${reasons}`, false]
const unsure = (reasons: string) => [`The weather at KHWD may be outside of the limits of Rita Lange: ${reasons}`, true]
const noReport = ['There is no weather report to check the limits of Rita Lange', true]

describe('the last report, held against limits (§Booking rules)', () => {
  test.each<[string, string, Partial<PilotMinimums> | null, unknown[]]>([
    ['no limits', '021353Z 28030G40KT 1/4SM FG VV001', null, []],
    ['limits of nothing', '021353Z 28030G40KT 1/4SM FG VV001', {}, []],
    ['ceiling at the limit', '021353Z 28008KT 10SM BKN030', { ceilingFeet: 3_000 }, []],
    [
      'ceiling below',
      '021353Z 28008KT 10SM BKN029',
      { ceilingFeet: 3_000 },
      [below('ceiling 2900 ft, at least 3000 ft')],
    ],
    ['few and scattered are no ceiling', '021353Z 28008KT 10SM FEW005 SCT010', { ceilingFeet: 3_000 }, []],
    ['visibility at the limit', '021353Z 28008KT 5SM CLR', { visibilityMiles: 5 }, []],
    [
      'visibility below',
      '021353Z 28008KT 4SM HZ CLR',
      { visibilityMiles: 5 },
      [below('visibility 4 mi, at least 5 mi')],
    ],
    ['wind at the limit', '021353Z 28012KT 10SM CLR', { windKnots: 12 }, []],
    ['wind above', '021353Z 28013KT 10SM CLR', { windKnots: 12 }, [below('wind 13 kt, at most 12 kt')]],
    ['no gusts', '021353Z 28012KT 10SM CLR', { gustKnots: 10 }, []],
    ['gusts above', '021353Z 28010G17KT 10SM CLR', { gustKnots: 16 }, [below('gusts 17 kt, at most 16 kt')]],
    ['wind within the crosswind limit from any side', '021353Z 28007KT 10SM CLR', { crosswindKnots: 7 }, []],
    [
      'wind whose crosswind the runway decides',
      '021353Z 28006G09KT 10SM CLR',
      { crosswindKnots: 7 },
      [unsure('crosswind up to 9 kt by the runway, at most 7 kt')],
    ],
    ['a sky that is not told of', '021353Z 28006KT 10SM', { ceilingFeet: 1_000 }, [unsure('ceiling not reported')]],
    [
      'several at once, each named',
      '021353Z 28020KT 2SM BR OVC008',
      { ceilingFeet: 1_500, visibilityMiles: 3, windKnots: 15 },
      [below('ceiling 800 ft, at least 1500 ft, visibility 2 mi, at least 3 mi, wind 20 kt, at most 15 kt')],
    ],
  ])('%s', (_what, metar, minimums, expected) => {
    expect(found(rental(minimums, { weather: reports(metar, null) }))).toEqual(expected)
  })
})

describe('the forecast for the time of the flight, held against limits (§Booking rules)', () => {
  const high = { ceilingFeet: 3_000 }
  const low = [below('ceiling 800 ft, at least 3000 ft')]
  const fine = '021353Z 28008KT 10SM CLR'
  const fog = '021353Z 00000KT 10SM OVC008'

  test.each<[string, string | null, string | null, unknown[]]>([
    ['good all day', fine, '0212/0312 28008KT P6SM SKC', []],
    ['low from its first hour', null, '0212/0312 28008KT P6SM OVC008', low],
    ['low from the minute that it ends', fine, '0212/0312 28008KT P6SM SKC FM021600 28008KT P6SM OVC008', []],
    ['low in its last minutes', fine, '0212/0312 28008KT P6SM SKC FM021530 28008KT P6SM OVC008', low],
    ['low until it starts', fine, '0212/0312 28008KT P6SM OVC008 FM021400 28008KT P6SM SKC', []],
    ['low at times', fine, '0212/0312 28008KT P6SM SKC TEMPO 0215/0217 2SM BR OVC008', low],
    ['low at times after it', fine, '0212/0312 28008KT P6SM SKC TEMPO 0216/0218 2SM BR OVC008', []],
    ['low by a probability', fine, '0212/0312 28008KT P6SM SKC PROB30 0215/0217 2SM BR OVC008', low],
    ['becoming low while it flies', fine, '0212/0312 28008KT P6SM SKC BECMG 0215/0217 OVC008', low],
    ['become good before it', fine, '0212/0312 28008KT P6SM OVC008 BECMG 0212/0213 SKC', []],
    ['becoming good while it flies', fine, '0212/0312 28008KT P6SM OVC008 BECMG 0213/0215 SKC', low],
    ['low now, as the last report says', fog, '0212/0312 28008KT P6SM SKC', low],
    ['low two hours ago, with a forecast', '021200Z 00000KT 10SM OVC008', '0212/0312 28008KT P6SM SKC', []],
    ['low two hours ago, without one', '021200Z 00000KT 10SM OVC008', null, low],
    ['no report of its time', '021030Z 28008KT 10SM CLR', null, [noReport]],
    ['a forecast of the day before', null, '0112/0212 28008KT P6SM SKC', [noReport]],
  ])('%s', (_what, metar, taf, expected) => {
    expect(found(rental(high, { weather: reports(metar, taf) }))).toEqual(expected)
  })

  test('a visibility of more than six miles is the best that one tells', () => {
    const given = { weather: reports(null, '0212/0312 28008KT P6SM SKC') }
    expect(found(rental({ visibilityMiles: 10 }, given))).toEqual([])
  })
})

describe('which flights the limits are held against (§Booking rules)', () => {
  const low = reports('021353Z 28008KT 10SM OVC008', null)
  const bound = { minimums: { ...noMinimums, ceilingFeet: 1_000 } }
  const ben = member('students', 2, 'Ben Okafor', bound)
  const ana = member('instructors', 1, 'Ana Ruiz', bound)
  const paul = member('renters', 4, 'Paul Lange', bound)
  const of = (type: BookingFacts['booking']['type'], seats: BookingFacts['seats'], over: Partial<BookingFacts> = {}) =>
    checkMinimums(facts({ now, booking: times({ type }), seats, weather: low, ...over })).map(
      ({ orgUserId }) => orgUserId ?? 0,
    )

  test.each<[string, number[], number[]]>([
    ['the student of a solo', of('solo', [ben]), [2]],
    ['the student on dual, whom an instructor lifts', of('dual', [ana, ben]), [2]],
    ['not the instructor', of('dual', [ana, member('students', 5, 'Cleo Wu')]), []],
    ['the first renter, not who comes along', of('rental', [rita(null), paul]), []],
    ['the renter beside an instructor', of('rental', [ana, paul]), [4]],
    ['nobody on a flight of a guest', of('guest', [ana, guest(9, 'Gus')]), []],
    ['nobody in a simulator', of('sim', [ben], { resource: plane({ kind: 'simulator' }) }), []],
    ['two hours before the start', of('solo', [ben], { now: at('2026-06-02T12:00:00Z') }), [2]],
    ['not before', of('solo', [ben], { now: at('2026-06-02T11:59:59Z') }), []],
    ['while it is flown', of('solo', [ben], { now: at('2026-06-02T15:59:59Z') }), [2]],
    ['not of a flight that is recorded later', of('solo', [ben], { now: at('2026-06-02T16:00:00Z') }), []],
    [
      'at the location of the booking, of which there is no report',
      of('solo', [ben], { booking: times({ type: 'solo', locationId: 4 }) }),
      [2],
    ],
  ])('%s', (_what, asked, expected) => {
    expect(asked).toEqual(expected)
  })

  test('where no station is known, who has limits is warned', () => {
    const [finding] = checkMinimums(rental(bound.minimums, { weather: new Map() }))
    expect(finding).toMatchObject({ message: noReport[0], warnsOnly: true })
    expect(finding).not.toHaveProperty('fix')
  })

  test('an instructor aboard would cure it', () => {
    const [finding] = checkMinimums(rental(bound.minimums, { weather: low }))
    expect(finding?.fix).toEqual({ action: 'book_with_instructor', text: 'Book it with an instructor aboard.' })
  })
})
