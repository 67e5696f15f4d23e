import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Enrollment } from '../enrollments.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { mayGrade } from '../grants/grants.rules.ts'
import { assertTransition } from '../transition.rules.ts'
import { assertIsAnotherInstructor } from './enrol-student.ts'
import { lockEnrollment } from './enrollment.access.ts'
import { enrollmentTransitions } from './enrollment.states.ts'

/** The plan of an enrollment; undefined keeps a field, null clears it. */
interface EnrollmentPlan {
  plannedTestAt?: Date | null | undefined
  plannedApplicationAt?: Date | null | undefined
  instructorOrgUserId?: number | null | undefined
}

/**
 * Changes the planned test of a student, the planned application for it, and the instructor. Recency windows are judged
 * at the planned test while it is in the future.
 * Implements interface §Enrollment: PATCH /training/enrollments/{enrollmentId}.
 */
export async function planEnrollment(tx: Tx, actor: Actor, id: number, plan: EnrollmentPlan): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  assertTransition(enrollmentTransitions, enrollment.status, 'plan')
  const { plannedTestAt, plannedApplicationAt, instructorOrgUserId } = plan
  if (plannedTestAt !== undefined) enrollment.plannedTestAt = plannedTestAt
  if (plannedApplicationAt !== undefined) enrollment.plannedApplicationAt = plannedApplicationAt
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
