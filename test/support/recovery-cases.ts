import { placesToTry } from '../../src/shared/scheduling/recoveries/places-to-try.rules.ts'
import { MOST_PLACES, type PlanRow } from '../../src/shared/scheduling/recoveries/plan-problem.rules.ts'
import { worthOf } from '../../src/shared/scheduling/recoveries/points.rules.ts'

const zone = 'America/New_York'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Midnight of Monday, 1 June 2026, in the zone. */
const monday = Date.UTC(2026, 5, 1, 4)
const [AIRCRAFT, MODELS, INSTRUCTORS] = [12, 3, 15]

interface Lesson {
  id: number
  start: number
  end: number
  aircraft: number
  instructor: number
  student: number
}

/**
 * Returns the displaced bookings of a made-up morning with their places. The seed decides all of it: a school of 12 aircraft of three models
 * and 15 instructors who work on some days, a week more or less full of lessons, and one or two aircraft that are down for one to three days.
 */
export function recoveryCase(seed: number): PlanRow[] {
  const random = randomFrom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const pattern = Array.from({ length: INSTRUCTORS }, () => {
    const from = 8 + below(3)
    return Array.from({ length: 10 }, () =>
      random() < 0.75 ? { from: from * 60, to: (from + 8 + below(3)) * 60 } : null,
    )
  })
  const lessons = lessonsOf(below, pattern)
  const down = new Set(Array.from({ length: 2 + below(3) }, () => below(AIRCRAFT)))
  const until = monday + (4 + below(4)) * DAY_MS
  const displaced = lessons.filter(
    ({ aircraft, start }) => down.has(aircraft) && start >= monday + 3 * DAY_MS && start < until,
  )
  const away = new Set(displaced)
  return displaced.slice(0, 38).map((lesson) => {
    const inReach = lessons.filter((other) => other !== lesson && Math.abs(other.start - lesson.start) < 5 * DAY_MS)
    const people = inReach.filter(({ student }) => student === lesson.student)
    const ofInstructor = Map.groupBy(inReach, ({ instructor }) => instructor)
    const ofAircraft = Map.groupBy(
      inReach.filter((other) => !away.has(other)),
      ({ aircraft }) => aircraft,
    )
    const worth = worthOf({ beforeTest: random() < 0.1, solo: random() < 0.15, longAgo: random() < 0.3 })
    const flying = Array.from({ length: AIRCRAFT }, (_, id) => id).filter((id) => !down.has(id))
    const sameModel = (id: number) => id % MODELS === lesson.aircraft % MODELS
    const tried = placesToTry(
      {
        id: lesson.id,
        start: new Date(lesson.start),
        end: new Date(lesson.end),
        worth,
        resources: [...flying.filter(sameModel), ...flying.filter((id) => !sameModel(id) && id % 4 !== 0)].map(
          (id) => ({
            id,
            otherModel: !sameModel(id),
          }),
        ),
        instructors: Array.from({ length: INSTRUCTORS }, (_, id) => id)
          .filter((id) => id === lesson.instructor || (id + lesson.id) % 5 === 0)
          .sort((a, b) => Number(b === lesson.instructor) - Number(a === lesson.instructor))
          .map((id) => ({ id, isOwn: id === lesson.instructor })),
        fixed: false,
      },
      { zone, days: 3, notBefore: new Date(monday + 3 * DAY_MS + 9 * 60 * MINUTE_MS) },
    )
    const atStart = new Map<number, number>()
    const places: PlanRow['places'][number][] = []
    for (const { start, end, points, resourceId, instructorId } of tried) {
      if (places.length === MOST_PLACES) break
      const [from, to] = [start.getTime(), end.getTime()]
      if ((atStart.get(from) ?? 0) >= 3) continue
      const others = [...(ofAircraft.get(resourceId!) ?? []), ...(ofInstructor.get(instructorId!) ?? []), ...people]
      const busy = others.some((other) => other.start < to && other.end > from)
      const day = Math.floor((from - monday) / DAY_MS)
      const works = pattern[instructorId!]![day + 2]
      const minute = (from - monday) / MINUTE_MS - day * 1_440
      if (busy || !works || minute < works.from || minute + (to - from) / MINUTE_MS > works.to) continue
      atStart.set(from, (atStart.get(from) ?? 0) + 1)
      const takes = [`aircraft ${resourceId}`, `person ${instructorId}`, `person s${lesson.student}`]
      places.push({ start, end, points, takes })
    }
    return { id: lesson.id, places }
  })
}

function lessonsOf(below: (n: number) => number, pattern: ({ from: number; to: number } | null)[][]): Lesson[] {
  const lessons: Lesson[] = []
  const wanted = 280 + below(120)
  for (let tries = 0; lessons.length < wanted && tries < wanted * 6; tries++) {
    const [day, instructor, aircraft, student] = [below(7), below(INSTRUCTORS), below(AIRCRAFT), below(60)]
    const works = pattern[instructor]![day + 2]
    if (!works) continue
    const length = [90, 120, 120, 150][below(4)]!
    const at = works.from + 30 * below(Math.max(1, (works.to - works.from - length) / 30 + 1))
    if (at + length > works.to) continue
    const start = monday + day * DAY_MS + at * MINUTE_MS
    const end = start + length * MINUTE_MS
    const clash = lessons.some(
      (other) =>
        other.start < end &&
        other.end > start &&
        (other.aircraft === aircraft || other.instructor === instructor || other.student === student),
    )
    if (!clash) lessons.push({ id: 1_000 + lessons.length, start, end, aircraft, instructor, student })
  }
  return lessons
}

function randomFrom(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 4_294_967_296
  }
}
