import { sql } from 'kysely'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { BookingWarning } from '../../scheduling/rules/assert-bookable.ts'
import { trainingErrors } from '../training.errors.ts'
import { findPlannableLessons } from './candidates.queries.ts'
import { isOffered } from './progress.rules.ts'

/**
 * The planned lessons in a request body. `lessons` has one lesson per student and takes precedence; `lessonId` is one
 * lesson for every student. A null `lessonId` or empty `lessons` removes the planned lessons.
 */
export interface LessonPlan {
  lessonId?: number | null | undefined
  lessons?: { orgUserId: number; lessonId: number }[] | undefined
}

/** The warning about a lesson whose kind does not fit the type of the booking, in the shape of booking warnings. */
export interface LessonWarning extends Omit<BookingWarning, 'rule' | 'code'> {
  rule: 'lesson'
  code: 'LESSON_KIND'
}

/** Bookings of one type with the same students, such as the bookings of a series. */
interface PlannedBookings {
  ids: readonly number[]
  type: ReservationType
  studentIds: readonly number[]
}

/**
 * Replaces the planned lessons of bookings; a body without lessons keeps them. Returns a warning for each lesson whose
 * kind does not fit the type of the booking. Implements interface §Reservations (`lessonId`).
 */
export async function planLessons(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { ids, type, studentIds }: PlannedBookings,
  plan: LessonPlan,
): Promise<LessonWarning[]> {
  if (plan.lessons === undefined && plan.lessonId === undefined) return []
  const wanted = wantedOf(plan, studentIds)
  const known = wanted.length > 0 ? await findPlannableLessons(tx.db, organizationId, wanted) : []
  const planned = wanted.map(({ orgUserId, lessonId, field }) => {
    const lesson = known.find((one) => one.orgUserId === orgUserId && one.lessonId === lessonId)
    if (!lesson) throw trainingErrors.lessonOfNoEnrollment({ field })
    return { ...lesson, field }
  })
  await tx.db
    .deleteFrom('planned_lesson')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  if (planned.length > 0) await insert(tx, organizationId, ids, planned)
  return planned
    .filter(({ kind }) => !isOffered(kind, [type]))
    .map(({ orgUserId, kind, name, field }) => ({
      rule: 'lesson',
      code: 'LESSON_KIND',
      field,
      orgUserId,
      overridable: false,
      message: trainingErrors.lessonOfOtherKind({ lesson: name, kind, type }),
    }))
}

/** Returns the ids of the lessons that a plan names. */
export function lessonIdsOf({ lessonId, lessons }: LessonPlan): number[] {
  return lessons ? lessons.map((one) => one.lessonId) : [lessonId ?? []].flat()
}

interface WantedLesson {
  orgUserId: number
  lessonId: number
  field: string
}

function wantedOf({ lessonId, lessons }: LessonPlan, studentIds: readonly number[]): WantedLesson[] {
  if (lessons) {
    return lessons.map((one, index) => {
      const field = `lessons.${index}.orgUserId`
      if (!studentIds.includes(one.orgUserId)) throw trainingErrors.lessonOfNobody({ field })
      if (lessons.findIndex(({ orgUserId }) => orgUserId === one.orgUserId) < index) {
        throw trainingErrors.lessonPlannedTwice({ field })
      }
      return { ...one, field: `lessons.${index}.lessonId` }
    })
  }
  if (lessonId == null) return []
  if (studentIds.length === 0) throw trainingErrors.lessonWithoutStudent()
  return studentIds.map((orgUserId) => ({ orgUserId, lessonId, field: 'lessonId' }))
}

type Planned = Pick<WantedLesson, 'orgUserId' | 'lessonId'> & { versionId: number }

async function insert(tx: Tx, organizationId: number, ids: readonly number[], planned: Planned[]): Promise<void> {
  const rows = ids.flatMap((reservationId) =>
    planned.map(({ orgUserId, versionId, lessonId }) => ({
      organization_id: organizationId,
      reservation_id: reservationId,
      membership_id: orgUserId,
      version_id: versionId,
      lesson_id: lessonId,
    })),
  )
  await tx.db.insertInto('planned_lesson').values(rows).execute()
}
