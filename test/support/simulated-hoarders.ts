import { offerTimes } from '../../src/shared/scheduling/waitlist/offer-times.rules.ts'
import {
  type BarredTime,
  isBarred,
  isLimited,
  isWaitedFor,
  type Waiting,
} from '../../src/shared/scheduling/waitlist/places.rules.ts'
import { seeded } from './at-risk.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FIRST = Date.parse('2026-06-01T00:00:00Z')
const NIGHT = { startMinute: 1_260, endMinute: 420 }
const [MEMBERS, ENTRIES_OF_HOARDER, RESOURCES] = [20, 5, [1, 2]]
/** How likely a member takes what is offered, the longest time until they answer, and how long an offer lasts, in minutes. */
const [ACCEPTS, LONGEST_ANSWER, LASTS] = [0.4, 90, 60]

/** The people who wait beside the twenty members. */
export interface Hoarders {
  count: number
  /** Whether they have flown here, so that offers hold places for them. */
  haveFlown: boolean
}

/** What came of some days. Times are in minutes, of all places together. */
export interface HoardedDays {
  places: number
  filled: number
  /** From when a place became free until its flight began or somebody accepted it. */
  free: number
  /** In which offers held a place that nobody answered. */
  heldUnanswered: number
}

interface Person {
  id: number
  isHoarder: boolean
  silentAt: number[]
  offeredAt: number[]
  open: number
  takes: Place[]
}

interface Place {
  start: Date
  end: Date
  resourceId: number
  freedAt: number
  heldMinutes: number
  barred: BarredTime[]
  offer: Offer | null
}

type Entry = Waiting & { person: Person; isAsked: boolean; silences: number }
type Offer = {
  entry: Entry
  madeAt: number
  holdsUntil: number
  endsAt: number
  status: 'accepted' | 'declined' | 'expired'
}

/**
 * Plays days of a school with the rules of offers, minute by minute. On each, four lessons are cancelled within the two days before. Twenty members
 * wait for any of them; whoever flies waits anew. Before them in the list are hoarders with five entries each, who never answer, and who wait anew
 * when an entry ends.
 */
export function simulateHoarders(days: number, hoarders: Hoarders, seed: number): HoardedDays {
  const random = seeded(seed)
  const total: HoardedDays = { places: 0, filled: 0, free: 0, heldUnanswered: 0 }
  const cancelled = cancellations(days, seed)
  let lastId = 0
  const entryOf = (person: Person): Entry => ({
    id: ++lastId,
    orgUserId: person.id,
    windows: [{ start: new Date(FIRST), end: new Date(FIRST + (days + 10) * DAY_MS) }],
    durationMinutes: 120,
    noticeMinutes: 60,
    resourceIds: [],
    pool: null,
    instructorIds: [],
    insteadOfId: null,
    movesStart: null,
    person,
    isAsked: false,
    silences: 0,
  })
  const people = Array.from({ length: hoarders.count + MEMBERS }, (_, n): Person => {
    return { id: n + 1, isHoarder: n < hoarders.count, silentAt: [], offeredAt: [], open: 0, takes: [] }
  })
  let waiting = people.flatMap((person) =>
    Array.from({ length: person.isHoarder ? ENTRIES_OF_HOARDER : 1 }, () => entryOf(person)),
  )
  const renew = (entry: Entry) => {
    waiting = [...waiting.filter((one) => one !== entry), entryOf(entry.person)]
  }
  let free: Place[] = []
  for (let at = FIRST; cancelled.length + free.length > 0; at += MINUTE_MS) {
    let isChanged = at % HOUR_MS === 0
    for (; cancelled.at(-1) && cancelled.at(-1)!.freedAt <= at; isChanged = true) {
      free.push(cancelled.pop()!)
      total.places += 1
    }
    for (const place of free.filter(({ offer }) => offer && offer.endsAt <= at)) {
      isChanged = true
      if (end(place, at, total)) renew(place.offer!.entry)
      const isFilled = place.offer!.status === 'accepted'
      place.offer = null
      if (isFilled) free = free.filter((one) => one !== place)
    }
    for (const place of free.filter(({ start, offer }) => !offer && start.getTime() <= at)) {
      total.free += (place.start.getTime() - place.freedAt) / MINUTE_MS
      free = free.filter((one) => one !== place)
    }
    if (!isChanged || !free.some(({ offer }) => offer === null)) continue
    for (const entry of waiting)
      offerTo(entry, { at, free, mayHold: hoarders.haveFlown || !entry.person.isHoarder, random })
  }
  return total
}

/** Returns the places of some days, latest first: of two aircraft, at eight and at ten. */
function cancellations(days: number, seed: number): Place[] {
  const random = seeded(seed + 1)
  const starts = Array.from({ length: days }, (_, day) =>
    [8, 10].map((hour) => FIRST + (day + 3) * DAY_MS + hour * HOUR_MS),
  )
  return starts
    .flat()
    .flatMap((start) =>
      RESOURCES.map((resourceId): Place => {
        const freedAt = start - Math.ceil((2 + random() * 46) * 60) * MINUTE_MS
        const times = { start: new Date(start), end: new Date(start + 2 * HOUR_MS) }
        return { ...times, resourceId, freedAt, heldMinutes: 0, barred: [], offer: null }
      }),
    )
    .toSorted((one, other) => other.freedAt - one.freedAt)
}

/** Ends the offer of a place. Returns whether its entry is over: its member flies, or did not answer three times. */
function end(place: Place, at: number, total: HoardedDays): boolean {
  const { entry, status, madeAt, holdsUntil } = place.offer!
  const held = Math.max(0, (Math.min(holdsUntil, at) - madeAt) / MINUTE_MS)
  place.heldMinutes += held
  entry.isAsked = false
  entry.person.open -= 1
  place.barred.push({ ...placeOf(place), orgUserId: entry.orgUserId, entryId: entry.id, why: 'answered' })
  if (status === 'accepted') {
    total.filled += 1
    total.free += (at - place.freedAt) / MINUTE_MS
    entry.person.takes.push(place)
    return true
  }
  if (status === 'declined') {
    entry.silences = 0
    return false
  }
  total.heldUnanswered += held
  entry.person.silentAt.push(at)
  entry.silences += 1
  return entry.silences === 3
}

const placeOf = ({ start, end, resourceId }: Place) => ({ start, end, resourceId, instructorId: null })

interface World {
  at: number
  free: readonly Place[]
  mayHold: boolean
  random: () => number
}

/** Offers an entry the first place that it may have, if there is one. */
function offerTo(entry: Entry, { at, free, mayHold, random }: World): void {
  const { person } = entry
  if (entry.isAsked || isLimited(countsOf(person, at), new Date(at))) return
  for (const place of free) {
    if (place.offer || !isWaitedFor(entry, placeOf(place))) continue
    const open = free.flatMap(({ offer, ...other }): BarredTime[] =>
      offer
        ? [{ ...placeOf({ ...other, offer }), orgUserId: offer.entry.orgUserId, entryId: offer.entry.id, why: 'open' }]
        : [],
    )
    if (isBarred(entry, placeOf(place), [...place.barred, ...open])) continue
    // The rules of booking refuse who flies then.
    if (person.takes.some(({ start }) => start.getTime() === place.start.getTime())) continue
    // The times of a day are the same on each, and those of one day are looked up once.
    const shift = Math.floor((at - FIRST) / DAY_MS) * DAY_MS
    const times = offerTimes({
      now: new Date(at - shift),
      start: new Date(place.start.getTime() - shift),
      noticeMinutes: entry.noticeMinutes,
      offerMinutes: LASTS,
      quietHours: NIGHT,
      zone: 'UTC',
      heldMinutes: place.heldMinutes,
      mayHold,
    })
    if (!times) continue
    const expiresAt = times.expiresAt.getTime() + shift
    const [accepts, after] = [random() < ACCEPTS, Math.ceil(random() * LONGEST_ANSWER)]
    const answeredAt = person.isHoarder ? Number.POSITIVE_INFINITY : at + after * MINUTE_MS
    const answer = accepts ? 'accepted' : 'declined'
    const status = answeredAt < expiresAt ? answer : 'expired'
    const holdsUntil = times.holdsUntil.getTime() + shift
    place.offer = { entry, madeAt: at, holdsUntil, endsAt: Math.min(answeredAt, expiresAt), status }
    person.offeredAt.push(at)
    person.open += 1
    entry.isAsked = true
    return
  }
}

function countsOf(person: Person, at: number) {
  const dayStart = Math.floor(at / DAY_MS) * DAY_MS
  while (person.offeredAt[0]! < dayStart) person.offeredAt.shift()
  while (person.silentAt[0]! <= at - 30 * DAY_MS) person.silentAt.shift()
  const { silentAt, offeredAt, open } = person
  const last = silentAt.at(-1)
  return {
    isReachable: true,
    openOffers: open,
    offersOfDay: offeredAt.length,
    silences: silentAt.length,
    silentAt: last === undefined ? null : new Date(last),
  }
}
