import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { wakePlaces } from '../../src/shared/scheduling/waitlist/expire-offer.ts'
import { isQuiet } from '../../src/shared/scheduling/waitlist/offer-times.rules.ts'
import type { TestApp } from './app.ts'
import { buildMember, buildPlane, buildSchool, type Member, type School } from './builders.ts'
import { bookDual } from './flights.ts'
import { cancel, enter, expireSoFar, offerSoFar } from './waitlist.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Members who wait for the places of a day, and how likely each takes a place that is offered. */
const [WAITING, ACCEPTS] = [6, 0.4]
/** The longest time until somebody answers, and the time that an offer lasts, in minutes. */
const [LONGEST_ANSWER, LASTS] = [90, 60]
const night = { startMinute: 1_260, endMinute: 420 }

/** What came of some days: the places that were filled, and those that a matcher fills who knows all answers. */
export interface Simulated {
  offers: number
  filled: number
  possible: number
  /** Pairs of open offers that share time and a person, instructor or aircraft; offers whose booking was refused; those made in quiet hours. */
  overlapping: number
  refused: number
  atNight: number
}

/** Returns a number from 0 to 1 that a text alone decides. */
function chance(text: string): number {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619)
  hash ^= hash >>> 15
  return ((Math.imul(hash, 2_246_822_507) ^ (hash >>> 13)) >>> 0) / 4_294_967_296
}

interface Place {
  bookingId: number
  start: string
  freedAt: number
}

/**
 * Plays days of a school: on each, four lessons are cancelled within the two days before, six students wait, each takes an offer
 * with a probability of 0.4, and answers after 0 to 90 minutes. Nothing else changes.
 */
export async function simulateOffers(
  api: TestApp,
  { seed, from = 0, days }: { seed: string; from?: number; days: number },
): Promise<Simulated> {
  const total = noneYet()
  for (let day = from; day < from + days; day++) addTo(total, await simulateDay(api, `${seed} ${day}`))
  return total
}

export function noneYet(): Simulated {
  return { offers: 0, filled: 0, possible: 0, overlapping: 0, refused: 0, atNight: 0 }
}

export function addTo(total: Simulated, found: Simulated): void {
  for (const key of Object.keys(total) as (keyof Simulated)[]) total[key] += found[key]
}

async function simulateDay(api: TestApp, seed: string): Promise<Simulated> {
  const began = api.clock.now.getTime()
  const school = await buildSchool(api)
  const waiting = await Promise.all(
    Array.from({ length: WAITING }, () => buildMember(api, school.organizationId, ['student'])),
  )
  const day = new Date(Math.ceil(began / DAY_MS) * DAY_MS + 2 * DAY_MS).getTime()
  const places = await bookedPlaces(api, school, day, seed)
  for (const who of waiting) await enter(api, school.dispatcher, entryOf(who, day))
  const result = await play(api, school, { places, waiting, seed, until: day + 12 * HOUR_MS })
  api.clock.now = new Date(began)
  return { ...result, possible: mostFilled(places, waiting, seed) }
}

function entryOf(who: Member, day: number) {
  const [start, end] = [8, 12].map((hour) => new Date(day + hour * HOUR_MS).toISOString())
  return { orgUserId: who.orgUserId, windows: [{ start, end }], noticeMinutes: 60 }
}

/** Books two aircraft with an instructor each from eight to twelve, and says when each booking will be cancelled. */
async function bookedPlaces(api: TestApp, school: School, day: number, seed: string): Promise<Place[]> {
  const second = await buildPlane(api, school)
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  const crews = [school, { ...school, plane: second, instructor }]
  const places: Place[] = []
  for (const [index, crew] of crews.entries()) {
    for (const hour of [8, 10]) {
      const student = await buildMember(api, school.organizationId, ['student'])
      const start = new Date(day + hour * HOUR_MS).toISOString()
      const end = new Date(day + (hour + 2) * HOUR_MS).toISOString()
      const bookingId = await bookDual(api, crew, { students: [student], start, end })
      const wait = chance(`${seed} cancel ${index} ${hour}`) * 20 * HOUR_MS
      places.push({ bookingId, start, freedAt: day - 2 * DAY_MS + HOUR_MS + wait })
    }
  }
  return places
}

type Event = { at: number; act(): Promise<void> }

interface World {
  places: readonly Place[]
  waiting: readonly Member[]
  seed: string
  until: number
}

/** Returns whether somebody takes a place that starts then, and after how many minutes they answer. */
function answerOf(seed: string, waiting: readonly Member[], orgUserId: number, start: string) {
  const who = waiting.findIndex((member) => member.orgUserId === orgUserId)
  const text = `${seed} answer ${who} ${Date.parse(start)}`
  return { accepts: chance(text) < ACCEPTS, minutes: chance(`${text} after`) * LONGEST_ANSWER }
}

async function play(api: TestApp, school: School, { places, waiting, seed, until }: World) {
  const result = { offers: 0, filled: 0, overlapping: 0, refused: 0, atNight: 0 }
  const events: Event[] = places.map(({ bookingId, freedAt }) => ({
    at: freedAt,
    act: () => cancel(api, school, bookingId),
  }))
  const wake = async () => {
    await inTransaction(api.core.database, api.core.clock, wakePlaces)
  }
  for (let at = until - 3 * DAY_MS - 5 * HOUR_MS; at < until; at += DAY_MS) events.push({ at, act: wake })
  const known = new Set<number>()
  const { db } = api.core.database
  for (;;) {
    const next = events.sort((a, b) => b.at - a.at).pop()
    if (!next || next.at > until) return result
    if (next.at < api.clock.now.getTime()) continue
    api.clock.now = new Date(next.at)
    await next.act()
    await offerSoFar(api, school)
    const made = await db
      .selectFrom('offer')
      .selectAll()
      .where('organization_id', '=', school.organizationId)
      .where('status', '=', 'open')
      .execute()
    for (const offer of made.filter(({ id }) => !known.has(id))) {
      result.overlapping += made.filter((other) => other.id !== offer.id && isDouble(offer, other)).length
      known.add(offer.id)
      result.offers += 1
      if (isQuiet(api.clock.now, night, 'UTC')) result.atNight += 1
      const { accepts, minutes } = answerOf(seed, waiting, offer.membership_id, offer.starts_at.toISOString())
      const answer = accepts ? 'accept' : 'decline'
      const at = Math.ceil(next.at + minutes * MINUTE_MS)
      const expires = offer.expires_at.getTime()
      if (at >= expires) {
        events.push({ at: expires, act: () => expireSoFar(api, school, offer.id) })
        continue
      }
      events.push({
        at,
        async act() {
          const url = `/offers/${offer.id}/${answer}`
          const { statusCode } = await api.call('POST', url, { token: school.dispatcher.token, body: { how: 'phone' } })
          if (statusCode === 201) result.filled += 1
          else if (statusCode !== 200) result.refused += 1
        },
      })
    }
  }
}

const held = ['resource_id', 'instructor_id', 'membership_id'] as const
type Held = Record<(typeof held)[number], number | null> & { starts_at: Date; ends_at: Date }

/** Returns whether two offers hold the same person, instructor or aircraft at the same time. */
function isDouble(one: Held, other: Held): boolean {
  const isAtOnce = one.starts_at < other.ends_at && other.starts_at < one.ends_at
  return isAtOnce && held.some((key) => one[key] !== null && one[key] === other[key])
}

/** Returns how many places a matcher fills who knows who would take which in time. */
function mostFilled(places: readonly Place[], waiting: readonly Member[], seed: string): number {
  const takenBy = new Map<number, number>()
  const takes = (who: number, place: number) => {
    const { accepts, minutes } = answerOf(seed, waiting, waiting[who]!.orgUserId, places[place]!.start)
    return accepts && minutes < LASTS
  }
  const seat = (who: number, tried: Set<number>): boolean =>
    places.some((_, place) => {
      if (tried.has(place) || !takes(who, place)) return false
      tried.add(place)
      const other = takenBy.get(place)
      if (other !== undefined && !seat(other, tried)) return false
      takenBy.set(place, who)
      return true
    })
  for (const who of waiting.keys()) seat(who, new Set())
  return takenBy.size
}
