import type { LogFigures } from '../../dispatch/flight-log.types.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { seal } from '../../platform/seals/seal.ts'
import type { DeviceKind } from '../courses/device-ceilings.rules.ts'
import { findLessonCredits, findMeasures, type Lesson } from '../courses/syllabus.queries.ts'
import { assertAllowsChange } from '../enrollments/enrollment.access.ts'
import type { TrainingRecord } from '../enrollments.tables.ts'
import { assertGrades, assertIsNotOneself } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import {
  amountProblem,
  type CreditAmount,
  clockOfOverride,
  type LessonDevice,
  originOf,
  type Posting,
  postingsOf,
} from './credit.rules.ts'
import { findFlownLesson } from './flown-lesson.queries.ts'
import { assertIsCheckInstructor, lessonOf, lockRecord } from './record.access.ts'
import { recordStatus, recordTransitions } from './record.states.ts'
import { clockReadings, figuresToSign, type RecordFigures } from './record-figures.rules.ts'

export interface Signature {
  certificateNumber: string | null
  /** Replaces the credit that the lesson posts; null for no replacement. */
  credits: (CreditAmount & { requirementId: number })[] | null
}

/**
 * Signs a graded record, which can then no longer change, and posts its credit to the ledger in the same transaction:
 * for each credit of the lesson the reading of the credit's clock, or the fixed count. Figures that the record does not
 * have are taken from the flight log of its booking. A record with a failing grade posts credit too, because the time
 * was flown.
 * Implements interface §Training record and ledger: POST sign.
 * @throws Forbidden when the actor is neither instructor nor admin
 * @throws Forbidden OWN_TRAINING when the actor is the student
 * @throws Forbidden CHECK_INSTRUCTOR_NEEDED or OWN_STUDENT when the actor may not sign the stage check
 * @throws NotFound when there is no such record
 * @throws Conflict ALREADY_SIGNED or NOT_GRADED when its status does not allow it
 * @throws Conflict ENROLLMENT_ENDED when the student graduated
 * @throws Invalid when the lesson requires notes and there are none, or a credit is invalid
 */
export async function signRecord(
  tx: Tx,
  actor: Actor,
  id: number,
  { certificateNumber, credits }: Signature,
): Promise<{ id: number; creditIds: number[] }> {
  assertGrades(actor)
  const { record, enrollment } = await lockRecord(tx, actor, id)
  assertIsNotOneself(actor, enrollment.membershipId)
  assertTransition(recordTransitions, recordStatus(record), 'sign')
  assertAllowsChange(tx, actor, enrollment, 'correct', record)
  const lesson = await lessonOf(tx, record)
  if (lesson.isStageCheck) await assertIsCheckInstructor(tx, actor, enrollment, lesson)
  if (lesson.requiresNotes && !record.notes?.trim()) throw trainingErrors.notesMissing()
  const { reservationId = null, organizationId } = record
  const booking = await findFlownLesson(tx.db, organizationId, { reservationId, orgUserId: enrollment.membershipId })
  const figures = figuresToSign(record, booking)
  const flown = { figures, log: booking?.log ?? null, device: deviceOf(lesson, booking) }
  const postings = await postingsToMake(tx, record, lesson, flown, credits)
  const signature = { signedAt: tx.now, signedBy: actor.orgUserId, signerCertificateNumber: certificateNumber }
  tx.em.assign(record, { ...figures, ...signature })
  await tx.em.flush()
  const creditIds = await post(tx, actor, record, postings)
  seal(tx, actor, 'training_record.signed', { id, of: enrollment.membershipId })
  emit(tx, actor, { kind: 'training_record.signed', subject: { kind: 'training_record', id } })
  return { id, creditIds }
}

/** Appends the entries of a signed record to the credit ledger, and returns their ids. */
async function post(tx: Tx, actor: Actor, record: TrainingRecord, postings: readonly Posting[]): Promise<number[]> {
  if (postings.length === 0) return []
  const rows = await tx.db
    .insertInto('credit_entry')
    .values(
      postings.map(({ requirementId, deviceKind, ...posting }) => ({
        organization_id: record.organizationId,
        enrollment_id: record.enrollmentId,
        version_id: record.versionId,
        requirement_id: requirementId,
        ...posting,
        device_kind: deviceKind,
        occurred_at: record.trainedAt,
        record_id: record.id,
        created_by: actor.orgUserId,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

interface Flown {
  figures: RecordFigures
  log: LogFigures | null
  device: LessonDevice | null
}

/**
 * Returns the device of a lesson: the device of its simulator booking or, for a simulator lesson without a booking, a
 * device of unknown kind. Null for a lesson that was not in a device.
 */
function deviceOf(
  { kind }: Lesson,
  booking: { type: string; deviceKind: DeviceKind | null } | null,
): LessonDevice | null {
  const inDevice = booking ? booking.type === 'sim' : kind === 'sim'
  return inDevice ? { kind: booking?.deviceKind ?? null } : null
}

async function postingsToMake(
  tx: Tx,
  record: TrainingRecord,
  lesson: Lesson,
  { figures, log, device }: Flown,
  override: Signature['credits'],
): Promise<Posting[]> {
  const { organizationId, versionId, lessonId } = record
  const credits = await findLessonCredits(tx.db, { organizationId, versionId }, { lessonId })
  if (!override) return postingsOf(credits, clockReadings(figures, log), device)
  const requirements = await findMeasures(tx.db, { organizationId, versionId })
  return override.map(({ requirementId, deciHours = null, count = null }, index) => {
    const requirement = requirements.find((one) => one.id === requirementId)
    const path = `credits.${index}.`
    if (!requirement) throw trainingErrors.creditNotInSyllabus({ field: `${path}requirementId` })
    const problem = amountProblem({ deciHours, count }, requirement, path)
    if (problem) throw new Invalid(problem)
    const clock = clockOfOverride(requirementId, { kind: lesson.kind, credits })
    return { requirementId, tenths: deciHours, count, clock, ...originOf(clock, device) }
  })
}
