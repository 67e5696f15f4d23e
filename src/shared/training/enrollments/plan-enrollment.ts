import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Enrollment } from '../enrollments.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { mayGrade } from '../grants/grants.rules.ts'
import { assertTransition } from '../transition.rules.ts'
import { assertIsAnotherInstructor } from './enrol-student.ts'
import { assertIsAircraft, lockEnrollment } from './enrollment.access.ts'
import { enrollmentTransitions } from './enrollment.states.ts'
import { type PlanInput, type PlannedTest, planAfter } from './planned-test.rules.ts'

/** The plan of an enrollment; undefined keeps a field, null clears it. */
interface EnrollmentPlan extends PlanInput {
  instructorOrgUserId?: number | null | undefined
}

/**
 * Changes the planned test of a student, with its application, aircraft, examiner and place, and the instructor. Recency windows are
 * judged at the planned test while it is in the future.
 * Implements interface §Enrollment: PATCH /training/enrollments/{enrollmentId}.
 */
export async function planEnrollment(tx: Tx, actor: Actor, id: number, plan: EnrollmentPlan): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  assertTransition(enrollmentTransitions, enrollment.status, 'plan')
  const before = plannedTestOf(enrollment)
  const after = planAfter(before, plan)
  if (after.at !== null && after.at.getTime() !== before.at?.getTime()) {
    await assertIsMember(tx, actor, enrollment.membershipId, 'plannedTest.at')
  }
  if (after.resourceId !== null && after.resourceId !== before.resourceId) {
    await assertIsAircraft(tx, actor, after.resourceId, 'plannedTest.resourceId')
  }
  tx.em.assign(enrollment, {
    plannedTestAt: after.at,
    plannedApplicationAt: after.applicationAt,
    plannedTestResourceId: after.resourceId,
    plannedExaminer: after.examiner,
    plannedLocation: after.location,
  })
  // Another day has its own notices.
  if (before.at?.getTime() !== after.at?.getTime()) enrollment.testNotifiedDays = null
  if (told(before) !== told(after)) {
    const subject = { kind: 'enrollment', id } as const
    emit(tx, actor, { kind: 'enrollment.test_planned', subject, before: recorded(before), after: recorded(after) })
  }
  const { instructorOrgUserId } = plan
  if (instructorOrgUserId !== undefined) {
    await assertIsAnotherInstructor(tx, actor, { instructorOrgUserId, orgUserId: enrollment.membershipId })
    changeInstructor(tx, actor, enrollment, instructorOrgUserId)
  }
  return { id }
}

function changeInstructor(tx: Tx, actor: Actor, enrollment: Enrollment, instructorOrgUserId: number | null): void {
  const before = { instructorOrgUserId: enrollment.instructorId ?? null }
  if (before.instructorOrgUserId === instructorOrgUserId) return
  enrollment.instructorId = instructorOrgUserId
  const subject = { kind: 'enrollment', id: enrollment.id } as const
  emit(tx, actor, { kind: 'enrollment.instructor_changed', subject, before, after: { instructorOrgUserId } })
}

function plannedTestOf(enrollment: Enrollment): PlannedTest {
  return {
    at: enrollment.plannedTestAt ?? null,
    applicationAt: enrollment.plannedApplicationAt ?? null,
    resourceId: enrollment.plannedTestResourceId ?? null,
    examiner: enrollment.plannedExaminer ?? null,
    location: enrollment.plannedLocation ?? null,
  }
}

function recorded({ at: plannedTestAt, applicationAt: plannedApplicationAt, resourceId }: PlannedTest) {
  return { plannedTestAt, plannedApplicationAt, resourceId }
}

function told(plan: PlannedTest): string {
  return JSON.stringify(recorded(plan))
}
