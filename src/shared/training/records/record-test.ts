import { mustBeMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockNamedEnrollment, mustAllowChange } from '../enrollments/enrollment.access.ts'
import type { Enrollment } from '../enrollments/enrollment.entity.ts'
import { mustHold, mustNotBeOneself } from '../grants/grant.access.ts'
import { mayGrade } from '../grants/grants.rules.ts'
import { TrainingTest } from '../tests/training-test.entity.ts'
import { isTheirEndorsement } from '../tests/training-test.queries.ts'
import type { TestKind, TestResult } from '../tests/training-test.rules.ts'
import { trainingErrors } from '../training.errors.ts'
import { lockTest, mustHaveHappened } from './record.access.ts'

/** What is recorded of a test; `score` in percent. */
interface TestFields {
  takenAt: Date
  result: TestResult
  score: number | null
  examiner: string | null
  deficiencies: string | null
  reportNumber: string | null
  endorsementId: number | null
}

export interface NewTest extends TestFields {
  /** One of the two, or both of the same student. */
  enrollmentId: number | null
  orgUserId: number | null
  kind: TestKind
}

/**
 * Records a test that a student took. It is part of the training record that 14 CFR 141.101(a) asks for, so the
 * certification of the enrollment ends.
 * Implements interface §Training: POST /training/tests.
 * @throws Forbidden when the actor is no instructor and does not hold `manageEnrollment`
 * @throws Forbidden OWN_TRAINING when the actor is the student
 * @throws Invalid when neither student nor enrollment is given, they do not fit, a reference does not exist, or the test
 * is in the future
 * @throws Conflict ENROLLMENT_ENDED when the student graduated, and it is no practical test
 */
export async function recordTest(tx: Tx, actor: Actor, input: NewTest): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await mustHold(tx, actor, ['manageEnrollment'])
  const { orgUserId, enrollmentId, ...fields } = input
  const enrollment = enrollmentId === null ? null : await lockNamedEnrollment(tx, actor, enrollmentId)
  const membershipId = orgUserId ?? enrollment?.membershipId
  if (membershipId === undefined) throw trainingErrors.testOfNobody()
  if (enrollment && enrollment.membershipId !== membershipId) throw trainingErrors.notTheirEnrollment()
  await mustBeMember(tx, actor, membershipId, 'orgUserId')
  mustNotBeOneself(actor, membershipId)
  await mustFit(tx, actor, membershipId, input)
  if (enrollment) mustBeOpenFor(enrollment, input.kind)
  const test = tx.em.create(TrainingTest, {
    ...fields,
    organizationId: actor.organizationId,
    membershipId,
    enrollmentId,
    recordedBy: actor.orgUserId,
  })
  await tx.em.flush()
  emit(tx, actor, {
    kind: 'training_test.recorded',
    subject: { kind: 'training_test', id: test.id },
    after: told(test),
  })
  return { id: test.id }
}

/**
 * Corrects what is recorded of a test; fields that are left out stay. The certification of the enrollment ends.
 * Implements interface §Training: PATCH /training/tests/{testId}.
 * @throws Forbidden when the actor is no instructor and does not hold `manageEnrollment`
 * @throws Forbidden OWN_TRAINING when the actor is the student
 * @throws NotFound when there is no such test
 * @throws Invalid when the endorsement is not the student's, or the test is in the future
 * @throws Conflict ENROLLMENT_ENDED when the student graduated, and it is no practical test
 */
export async function changeTest(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: { [Key in keyof TestFields]?: TestFields[Key] | undefined },
): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await mustHold(tx, actor, ['manageEnrollment'])
  const test = await lockTest(tx, actor, id)
  mustNotBeOneself(actor, test.membershipId)
  await mustFit(tx, actor, test.membershipId, changes)
  if (test.enrollmentId) mustBeOpenFor(await lockNamedEnrollment(tx, actor, test.enrollmentId), test.kind)
  const before = told(test)
  tx.em.assign(test, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  emit(tx, actor, {
    kind: 'training_test.changed',
    subject: { kind: 'training_test', id },
    before,
    after: told(test),
  })
  return { id }
}

async function mustFit(
  tx: Tx,
  actor: Actor,
  membershipId: number,
  { takenAt, endorsementId }: { takenAt?: Date | undefined; endorsementId?: number | null | undefined },
): Promise<void> {
  if (takenAt) mustHaveHappened(takenAt, tx.now, 'takenAt')
  if (endorsementId && !(await isTheirEndorsement(tx.db, actor.organizationId, { endorsementId, membershipId }))) {
    throw trainingErrors.unknownEndorsement()
  }
}

/** The practical test follows graduation and is outside the certified record, so it leaves a graduate's record alone. */
function mustBeOpenFor(enrollment: Enrollment, kind: TestKind): void {
  if (kind === 'practical' && enrollment.status === 'graduated') return
  mustAllowChange(enrollment, 'putRight')
}

function told({ membershipId, kind, result }: TrainingTest) {
  return { orgUserId: membershipId, testKind: kind, result }
}
