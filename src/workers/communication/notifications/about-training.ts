import type { HappeningPayload } from '../../../shared/communication/notifications/notifications.jobs.ts'
import type { Concerned } from '../../../shared/communication/notifications/tell-concerned.ts'
import type {
  EndorsementToTell,
  RecordToTell,
} from '../../../shared/communication/notifications/wording/training.rules.ts'
import { type EndorsementRow, findEndorsement } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { findRecord, type RecordRow } from '../../../shared/training/records/record.queries.ts'
import { recordStatus } from '../../../shared/training/records/record.states.ts'
import { members, type Sources, unlessGone } from './telling.ts'

type TrainingRecord = RecordToTell & { row: RecordRow }
type Endorsement = EndorsementToTell & { row: EndorsementRow }

/** A record that still waits for the student's signature. */
export async function uncountersigned(
  { database }: Sources,
  { organizationId, subjectId }: HappeningPayload,
): Promise<TrainingRecord | null> {
  const row = await unlessGone(findRecord(database, organizationId, subjectId))
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

/** The student whose record it is. */
export function student({ row }: TrainingRecord): Concerned {
  return members([row.student.orgUserId])
}

/** An endorsement that nothing has replaced. */
export const standingEndorsement = (sources: Sources, happening: HappeningPayload) =>
  loadEndorsement(sources, happening, () => true)

/** An endorsement that nothing has replaced, and that has not expired yet. */
export const expiringEndorsement = (sources: Sources, happening: HappeningPayload) =>
  loadEndorsement(sources, happening, ({ expiresAt }) => expiresAt !== null && expiresAt > sources.clock())

/** Whom it endorses. */
export function endorsed({ row }: Endorsement): Concerned {
  return members([row.person.orgUserId])
}

/** Whom it endorses, and who signed it and would sign the next. */
export function endorsedAndSigner({ row }: Endorsement): Concerned {
  return members([row.person.orgUserId, row.signedBy.orgUserId])
}

async function loadEndorsement(
  { database }: Sources,
  { organizationId, subjectId }: HappeningPayload,
  worthTelling: (row: EndorsementRow) => boolean,
): Promise<Endorsement | null> {
  const row = await unlessGone(findEndorsement(database, organizationId, subjectId))
  if (!row || row.supersededAt || !worthTelling(row)) return null
  const organization = await database.db
    .selectFrom('organization')
    .select('time_zone_name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return {
    row,
    id: row.id,
    title: row.title,
    person: row.person.name,
    signer: row.signedBy.name,
    expiresAt: row.expiresAt,
    zone: organization.time_zone_name,
  }
}
