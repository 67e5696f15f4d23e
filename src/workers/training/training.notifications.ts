import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../shared/communication/notifications/deliver-to-audience.ts'
import { soloBeyond } from '../../shared/communication/notifications/templates/booking.rules.ts'
import {
  type EndorsementTemplateData,
  endorsementExpiring,
  endorsementIssued,
  endorsementToConfirm,
  type KnowledgeTestTemplateData,
  knowledgeTestExpiring,
  type NotReadyTemplateData,
  type RecordTemplateData,
  recordToCountersign,
  type StalledTemplateData,
  studentsStalled,
  testNotReady,
} from '../../shared/communication/notifications/templates/training.rules.ts'
import { findNameAndZone } from '../../shared/identity/organizations/organization.queries.ts'
import { admins } from '../../shared/platform/authz/roles.ts'
import { type EndorsementRow, findEndorsement } from '../../shared/training/endorsements/endorsement.queries.ts'
import { findEnrollment } from '../../shared/training/enrollments/enrollment.queries.ts'
import { findStalledOf } from '../../shared/training/enrollments/stalled.queries.ts'
import { findTeachersOf } from '../../shared/training/enrollments/teachers.queries.ts'
import { findTestNotice } from '../../shared/training/knowledge-tests/training-test.queries.ts'
import { readinessAt } from '../../shared/training/readiness/judged-at.rules.ts'
import { itemInWords, openItems } from '../../shared/training/readiness/open-items.rules.ts'
import { findReadiness } from '../../shared/training/readiness/readiness-facts.queries.ts'
import { findRecord, type RecordRow } from '../../shared/training/records/record.queries.ts'
import { recordStatus } from '../../shared/training/records/record.states.ts'
import {
  defineNotification,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  nullIfNotFound,
  withRole,
} from '../communication/notifications/define-notification.ts'
import { activeBooking } from '../scheduling/reservations/reservations.notifications.ts'

/** Returns the instructors and chief instructors of the students on a booking; admins where nobody teaches them. */
async function teachers(
  { id }: { id: number },
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  const found = await findTeachersOf(sources.database.db, organizationId, id, { chiefs: true })
  return members(found.length > 0 ? found : await withRole(sources, organizationId, admins))
}

type TrainingRecord = RecordTemplateData & { row: RecordRow }
type Endorsement = EndorsementTemplateData & { row: EndorsementRow }

/** Returns a signed training record that the student has not countersigned yet; null otherwise. */
async function uncountersigned(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<TrainingRecord | null> {
  const row = await nullIfNotFound(findRecord(database, organizationId, subjectId))
  if (!row || recordStatus(row) !== 'signed') return null
  return {
    row,
    id: row.id,
    enrollmentId: row.enrollmentId,
    lesson: row.lesson.name,
    grade: row.grade,
    signer: row.signedBy?.name ?? '',
  }
}

/** Returns the student of a record, as the audience. */
function student({ row }: TrainingRecord): Audience {
  return members([row.student.orgUserId])
}

/** Returns an endorsement that is not superseded; null otherwise. */
const currentEndorsement = (sources: NotificationSources, event: DomainEvent) =>
  loadEndorsement(sources, event, () => true)

/** Returns an endorsement that is neither superseded nor expired; null otherwise. */
const expiringEndorsement = (sources: NotificationSources, event: DomainEvent) =>
  loadEndorsement(sources, event, ({ expiresAt }) => expiresAt !== null && expiresAt > sources.clock())

/**
 * Returns an endorsement that the instructor in whose name it was recorded has neither confirmed nor denied; null
 * otherwise.
 */
const unconfirmedEndorsement = (sources: NotificationSources, event: DomainEvent) =>
  loadEndorsement(
    sources,
    event,
    ({ recordedBy, confirmedAt, disownedAt }) => recordedBy !== null && !confirmedAt && !disownedAt,
  )

/** Returns the instructor in whose name an endorsement was recorded, as the audience. */
function namedSigner({ row }: Endorsement): Audience {
  return members(row.signedBy ? [row.signedBy.orgUserId] : [])
}

/** Returns the endorsed member, as the audience. */
function endorsed({ row }: Endorsement): Audience {
  return members([row.person.orgUserId])
}

/** Returns the endorsed member and the signer, who can renew it, as the audience. */
function endorsedAndSigner({ row }: Endorsement): Audience {
  return members([row.person.orgUserId, ...(row.signedBy ? [row.signedBy.orgUserId] : [])])
}

async function loadEndorsement(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  isCurrent: (row: EndorsementRow) => boolean,
): Promise<Endorsement | null> {
  const row = await nullIfNotFound(findEndorsement(database, organizationId, subjectId))
  if (!row || row.supersededAt || !isCurrent(row)) return null
  const { zone } = await findNameAndZone(database.db, organizationId)
  return {
    row,
    id: row.id,
    title: row.title,
    person: row.person.name,
    signer: row.signedBy?.name ?? row.signerName,
    recorder: row.recordedBy?.name ?? '',
    unprovenReason: row.unprovenReason,
    expiresAt: row.expiresAt,
    zone,
  }
}

type KnowledgeTest = KnowledgeTestTemplateData & { orgUserId: number; instructorId: number | null }

/** Returns a knowledge test that has not expired and whose practical test is not passed yet; null otherwise. */
async function endingTest(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<KnowledgeTest | null> {
  const test = await findTestNotice(database.db, organizationId, subjectId)
  return test?.expiresAt && test.expiresAt > clock() ? { ...test, expiresAt: test.expiresAt } : null
}

/** Returns the student and the instructor of the enrollment, as the audience. */
function testedAndInstructor({ orgUserId, instructorId }: KnowledgeTest | PlannedTest): Audience {
  return members(instructorId === null ? [orgUserId] : [orgUserId, instructorId])
}

type PlannedTest = NotReadyTemplateData & { orgUserId: number; instructorId: number | null }

/** Returns the planned practical test of an open enrollment for which the student is not ready; null otherwise. */
async function unreadyTest(
  { database, clock }: NotificationSources,
  { organizationId, subjectId: id }: DomainEvent,
): Promise<PlannedTest | null> {
  const enrollment = await nullIfNotFound(findEnrollment(database.db, organizationId, id))
  const now = clock()
  if (!enrollment?.plannedTestAt || enrollment.plannedTestAt <= now || enrollment.status !== 'enrolled') return null
  const { zone } = await findNameAndZone(database.db, organizationId)
  const judged = { id, ...readinessAt(enrollment, undefined, now) }
  const readiness = (await findReadiness(database.db, { organizationId, zone, now }, [judged])).get(id)
  if (!readiness || readiness.verdict === 'ready') return null
  return {
    enrollmentId: id,
    orgUserId: enrollment.student.orgUserId,
    instructorId: enrollment.instructor?.orgUserId ?? null,
    student: enrollment.student.name,
    at: enrollment.plannedTestAt,
    zone,
    open: openItems(readiness.items).map(itemInWords),
  }
}

/** Returns the stalled students of an instructor or chief instructor; null when there are none any more. */
async function stalledStudents(
  { database, clock }: NotificationSources,
  { organizationId, subjectId: orgUserId }: DomainEvent,
): Promise<StalledTemplateData | null> {
  const { zone } = await findNameAndZone(database.db, organizationId)
  const students = await findStalledOf(database.db, { organizationId, zone, now: clock() }, orgUserId)
  return students.length === 0 ? null : { students }
}

/** Returns the member whom the event is about, as the audience. */
const subject = (_loaded: unknown, _sources: NotificationSources, { subjectId }: DomainEvent): Audience =>
  members([subjectId])

/** The notifications of training, by their kind. */
export const trainingNotifications = {
  solo_beyond: defineNotification(activeBooking, teachers, soloBeyond),
  record_to_countersign: defineNotification(uncountersigned, student, recordToCountersign),
  endorsement_issued: defineNotification(currentEndorsement, endorsed, endorsementIssued),
  endorsement_to_confirm: defineNotification(unconfirmedEndorsement, namedSigner, endorsementToConfirm),
  endorsement_expiring: defineNotification(expiringEndorsement, endorsedAndSigner, endorsementExpiring),
  knowledge_test_expiring: defineNotification(endingTest, testedAndInstructor, knowledgeTestExpiring),
  test_not_ready: defineNotification(unreadyTest, testedAndInstructor, testNotReady),
  students_stalled: defineNotification(stalledStudents, subject, studentsStalled),
} satisfies Partial<NotificationDefinitions>
