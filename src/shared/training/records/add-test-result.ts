import { sql } from 'kysely'
import { needsNotice, noticeDueOf, notifyAbout } from '../../communication/notifications/notify.ts'
import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { claimBatch } from '../../platform/jobs/claim-batch.ts'
import { endOfDay } from '../../platform/kernel/zones.ts'
import { assertAllowsChange, lockNamedEnrollment } from '../enrollments/enrollment.access.ts'
import { type Enrollment, TrainingTest } from '../enrollments.tables.ts'
import { assertHolds, assertIsNotOneself } from '../grants/grant.access.ts'
import { mayGrade } from '../grants/grants.rules.ts'
import { awaitsPractical, isTheirEndorsement, seeksAirlineTransport } from '../knowledge-tests/training-test.queries.ts'
import {
  knowledgeGoodUntil,
  needsReason,
  type TestCause,
  type TestKind,
  type TestResult,
  takesCauses,
} from '../knowledge-tests/training-test.rules.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertHasHappened, lockTest } from './record.access.ts'

/** The fields of a test; `score` in percent. */
interface TestFields {
  /** Which knowledge test it was; null: not known. */
  code: string | null
  takenAt: Date
  result: TestResult
  /** What a practical test was failed or discontinued for. */
  causes: readonly TestCause[]
  score: number | null
  examiner: string | null
  deficiencies: string | null
  reportNumber: string | null
  endorsementId: number | null
}

export interface NewTest extends TestFields {
  /**
   * At least one of `enrollmentId` and `orgUserId` is required; when both are given, they must belong to the same
   * student.
   */
  enrollmentId: number | null
  orgUserId: number | null
  kind: TestKind
}

/**
 * Records a test that a student took. It is part of the training record of 14 CFR 141.101(a), so it removes the
 * certification of the enrollment.
 * Implements interface §Training: POST /training/tests.
 */
export async function recordTest(tx: Tx, actor: Actor, input: NewTest): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await assertHolds(tx, actor, ['manageEnrollment'])
  const { orgUserId, enrollmentId, ...fields } = input
  const enrollment = enrollmentId === null ? null : await lockNamedEnrollment(tx, actor, enrollmentId)
  const membershipId = orgUserId ?? enrollment?.membershipId
  if (membershipId === undefined) throw trainingErrors.testOfNobody()
  if (enrollment && enrollment.membershipId !== membershipId) throw trainingErrors.notTheirEnrollment()
  await assertIsMember(tx, actor, membershipId, 'orgUserId')
  assertIsNotOneself(actor, membershipId)
  assertHasCauses(input)
  await assertFits(tx, actor, membershipId, input)
  if (enrollment) assertIsOpenFor(tx, actor, enrollment, input.kind)
  const test = tx.em.create(TrainingTest, {
    ...fields,
    organizationId: actor.organizationId,
    membershipId,
    enrollmentId,
    recordedBy: actor.orgUserId,
  })
  test.expiresAt = await endOf(tx, actor, test)
  await tx.em.flush()
  emit(tx, actor, {
    kind: 'training_test.recorded',
    subject: { kind: 'training_test', id: test.id },
    after: recordedFields(test),
  })
  return { id: test.id }
}

/**
 * Corrects the given fields of a test. Removes the certification of the enrollment. A result that is changed later than a day after it was
 * recorded needs a reason, and the first one is kept. Causes go with a result that takes none.
 * Implements interface §Training: PATCH /training/tests/{id}.
 */
export async function changeTest(
  tx: Tx,
  actor: Actor,
  id: number,
  { reason, ...changes }: { [Key in keyof TestFields]?: TestFields[Key] | undefined } & { reason?: string | undefined },
): Promise<{ id: number }> {
  if (!mayGrade(actor.roles)) await assertHolds(tx, actor, ['manageEnrollment'])
  const test = await lockTest(tx, actor, id)
  assertIsNotOneself(actor, test.membershipId)
  await assertFits(tx, actor, test.membershipId, changes)
  if (test.enrollmentId) assertIsOpenFor(tx, actor, await lockNamedEnrollment(tx, actor, test.enrollmentId), test.kind)
  const before = recordedFields(test)
  const { result = test.result, causes } = changes
  const after = { kind: test.kind, result }
  if (causes) assertHasCauses({ ...after, causes })
  else if (!takesCauses(after)) test.causes = []
  if (needsReason(test, result, tx.now)) {
    if (!reason) throw trainingErrors.resultReasonMissing()
    tx.em.assign(test, { firstResult: test.firstResult ?? test.result, resultReason: reason })
  }
  tx.em.assign(test, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  const expiresAt = await endOf(tx, actor, test)
  if (expiresAt?.getTime() !== test.expiresAt?.getTime()) tx.em.assign(test, { expiresAt, expiryNotifiedDays: null })
  emit(tx, actor, {
    kind: 'training_test.changed',
    subject: { kind: 'training_test', id },
    before,
    after: recordedFields(test),
  })
  return { id }
}

/** Returns when a passed knowledge test expires, the last millisecond of its last local day; null for other tests. */
async function endOf(tx: Tx, actor: Actor, test: TrainingTest): Promise<Date | null> {
  const { kind, result, takenAt, enrollmentId = null } = test
  const { organizationId, organization } = actor
  const airlineTransport = kind === 'knowledge' && (await seeksAirlineTransport(tx.db, organizationId, enrollmentId))
  const day = knowledgeGoodUntil({ kind, result, takenAt, airlineTransport }, organization.timeZoneName)
  return day === null ? null : new Date(endOfDay(day, organization.timeZoneName).getTime() - 1)
}

async function assertFits(
  tx: Tx,
  actor: Actor,
  membershipId: number,
  { takenAt, endorsementId }: { takenAt?: Date | undefined; endorsementId?: number | null | undefined },
): Promise<void> {
  if (takenAt) assertHasHappened(takenAt, tx.now, 'takenAt')
  if (endorsementId && !(await isTheirEndorsement(tx.db, actor.organizationId, { endorsementId, membershipId }))) {
    throw trainingErrors.unknownEndorsement()
  }
}

function assertHasCauses(test: { kind: TestKind; result: TestResult; causes: readonly TestCause[] }): void {
  if (test.causes.length > 0 && !takesCauses(test)) throw trainingErrors.testHasNoCauses()
}

/**
 * Checks that a test of an enrollment may be recorded or changed, and removes the certification of the enrollment.
 * Exception: the practical test of a graduate is allowed and leaves the certification, because it follows graduation
 * and is not part of the certified record.
 */
function assertIsOpenFor(tx: Tx, actor: Actor, enrollment: Enrollment, kind: TestKind): void {
  if (kind === 'practical' && enrollment.status === 'graduated') return
  assertAllowsChange(tx, actor, enrollment, 'correct')
}

function recordedFields({ membershipId, kind, result }: TrainingTest) {
  return { orgUserId: membershipId, testKind: kind, result }
}

/**
 * Enqueues the due expiry notices of knowledge tests whose practical test has not been passed yet (`awaitsPractical`;
 * 14 CFR 61.39(a)(1)). Returns the number of notices.
 */
export function notifyExpiringTests(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'training_test',
    due: sql`${needsNotice(tx.now)} and ${awaitsPractical('r')}`,
    order: sql`r.expires_at`,
    mark: { expiry_notified_days: noticeDueOf(sql`r.expires_at`, tx.now) },
    each: notifyAbout(tx, 'knowledge_test_expiring'),
  })
}
