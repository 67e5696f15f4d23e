import { sql } from 'kysely'
import { NOW, type TestApp } from './app.ts'
import { buildMembers, buildPlane, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'
import { applied, ground, planned } from './recoveries.ts'

const [AIRCRAFT, INSTRUCTORS, STUDENTS] = [12, 15, 40]
const HOUR_MS = 3_600_000
const window = { startDate: '2026-11-22', endDate: '2026-11-28' }

/** The aircraft and the instructors of a full school. */
interface FullSchool {
  planes: number[]
  instructors: Member[]
}

/**
 * Fills four days of a school of 12 aircraft and 15 instructors with lessons of two hours. The seed decides who flies what, when the first lesson
 * starts, and, but for 0, which hours stay free.
 */
export async function fillSchool(api: TestApp, school: School, seed = 0): Promise<FullSchool> {
  const people = await buildMembers(api, school.organizationId, [
    ...Array.from({ length: INSTRUCTORS }, () => ['instructor' as const]),
    ...Array.from({ length: STUDENTS }, () => ['student' as const]),
  ])
  const planes = await Promise.all(Array.from({ length: AIRCRAFT }, () => buildPlane(api, school)))
  await api.core.database.pool.query("update resource set make = 'Cessna', model = '172S' where organization_id = $1", [
    school.organizationId,
  ])
  const [instructors, students] = [people.slice(0, INSTRUCTORS), people.slice(INSTRUCTORS)]
  const lessons: { start: Date; plane: number; instructor: Member; student: Member }[] = []
  for (let day = 2; day < 6; day++) {
    for (let slot = 0; slot < 5; slot++) {
      const start = new Date(NOW.getTime() + day * 24 * HOUR_MS + (slot - 2) * 2 * HOUR_MS + ((seed % 4) * HOUR_MS) / 2)
      for (let n = 0; n < 10; n++) {
        const number = day * 31 + slot * 7 + n
        if (seed > 0 && (number * 37 + seed * 101) % 7 === 0) continue
        lessons.push({
          start,
          plane: planes[(n * (seed % 2 === 0 ? 1 : 5) + slot + seed) % AIRCRAFT]!.id,
          instructor: instructors[(n + day + seed) % INSTRUCTORS]!,
          student: students[(number * 3 + n + seed * 11) % STUDENTS]!,
        })
      }
    }
  }
  const busy = new Set<string>()
  for (const lesson of lessons) {
    const key = `${lesson.start.getTime()} ${lesson.student.orgUserId}`
    if (busy.has(key)) continue
    busy.add(key)
    await insertLesson(api, school, lesson)
  }
  return { planes: planes.map(({ id }) => id), instructors }
}

async function insertLesson(
  api: TestApp,
  school: School,
  { start, plane, instructor, student }: { start: Date; plane: number; instructor: Member; student: Member },
): Promise<void> {
  const end = new Date(start.getTime() + 2 * HOUR_MS)
  await sql`
    with booked as (
      insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id, created_by, reminded_for)
      values (${school.organizationId}, 'Lesson', 'dual', ${start}, ${end}, 'UTC', ${plane}, ${school.location.id},
        ${school.dispatcher.orgUserId}, ${start}) returning id)
    insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
    select ${school.organizationId}, booked.id, s.side, s.position, s.membership_id, ${start}, ${end}
    from booked, (values ('instructors', 0, ${instructor.orgUserId}::int), ('students', 1, ${student.orgUserId}::int))
      as s (side, position, membership_id)`.execute(api.core.database.db)
}

/** What became of a plan in a still world. */
interface Applied {
  displaced: number
  moved: number
  refused: number
  /** The milliseconds from the request to the plan. */
  took: number
}

/**
 * Takes three of the twelve aircraft of a full school down, of odd seeds two and an instructor who is away, plans a recovery and applies all of it,
 * while nothing else changes.
 */
export async function recoverSchool(api: TestApp, school: School, seed = 0): Promise<Applied> {
  const { planes, instructors } = await fillSchool(api, school, seed)
  const isOdd = seed % 2 === 1
  const resourceIds = planes.slice(0, isOdd ? 2 : 3)
  for (const id of resourceIds) await ground(api, school, id)
  const { orgUserId } = instructors[seed % INSTRUCTORS]!
  const away = { orgUserId, start: `${window.startDate}T00:00:00Z`, end: `${window.endDate}T00:00:00Z` }
  if (isOdd) await expectOk(api, school.dispatcher, 'POST', '/availability/timeOff', away)
  const cause = { resourceIds, ...(isOdd && { instructorOrgUserIds: [orgUserId] }) }
  const from = performance.now()
  const more = { ...window, ...(isOdd && { reach: { instructors: 'any' } }) }
  const plan = await planned(api, school.dispatcher, cause, more)
  const took = performance.now() - from
  const reservationIds = plan.rows.filter(({ to }) => to !== null).map(({ reservationId }) => reservationId)
  const given = { consent: 'given', how: 'message', reservationIds }
  const { operation } = await applied(api, school.dispatcher, plan.id, given)
  const { status, succeeded: moved, failed: refused } = operation
  if (status !== 'done' || moved + refused !== plan.kept) throw new Error(`seed ${seed}: ${JSON.stringify(operation)}`)
  return { displaced: plan.displaced, moved, refused, took }
}
