import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import type { DeviceKind } from '../courses/device-ceilings.rules.ts'
import type { GradeOption } from '../courses/grading.rules.ts'
import type { Clock, LessonKind } from '../courses/syllabus.rules.ts'
import type { CreditSource } from '../enrollments/requirement-progress.rules.ts'
import type { TaskGrade } from '../enrollments.tables.ts'
import { trainingErrors } from '../training.errors.ts'
import type { RecordFigures } from './record-figures.rules.ts'

/** A training record with its lesson and the people who graded and signed it. */
export interface RecordRow extends RecordFigures {
  id: number
  createdAt: Date
  updatedAt: Date
  enrollmentId: number
  student: PersonRow
  lesson: { id: number; name: string; kind: LessonKind; stageId: number; isStageCheck: boolean }
  gradingScale: GradeOption[]
  grade: string | null
  notes: string | null
  taskGrades: TaskGrade[]
  reservationId: number | null
  instructor: PersonRow
  gradedBy: PersonRow
  trainedAt: Date
  signedAt: Date | null
  signedBy: PersonRow | null
  signerCertificateNumber: string | null
  /** Whether it was signed after the certification of the enrollment, which is still valid. */
  signedAfterCertification: boolean
  countersignedAt: Date | null
  countersignedBy: PersonRow | null
  countersignerCertificateNumber: string | null
  amendsId: number | null
  amendedAt: Date | null
  amendedById: number | null
  amendedBy: PersonRow | null
  amendReason: string | null
}

/** Returns the records of an enrollment, or those with the given ids, oldest first. */
export function findRecords(
  source: Source,
  organizationId: number,
  which: { ids: readonly number[] } | { enrollmentId: number },
): Promise<RecordRow[]> {
  const wanted: RawBuilder<unknown> =
    'ids' in which ? sql`r.id = any(${which.ids})` : sql`r.enrollment_id = ${which.enrollmentId}`
  return readRows(
    source,
    sql<RecordRow>`
      select r.id, r.created_at as "createdAt", r.updated_at as "updatedAt", r.enrollment_id as "enrollmentId",
        ${personJson('e.membership_id')} as student, json_build_object('id', l.id, 'name', l.name, 'kind', l.kind,
          'stageId', l.stage_id, 'isStageCheck', l.is_stage_check) as lesson,
        v.grading_scale as "gradingScale", r.grade, r.notes, r.flight_tenths as "flightTenths",
        r.instruction_tenths as "instructionTenths", r.simulator_tenths as "simulatorTenths",
        r.ground_tenths as "groundTenths", r.night_tenths as "nightTenths", r.cross_country_tenths as "crossCountryTenths",
        r.actual_instrument_tenths as "actualInstrumentTenths",
        r.simulated_instrument_tenths as "simulatedInstrumentTenths", r.pic_tenths as "picTenths",
        r.solo_tenths as "soloTenths", r.landings, r.task_grades as "taskGrades", r.reservation_id as "reservationId",
        ${personJson('r.instructor_id')} as instructor, ${personJson('r.graded_by')} as "gradedBy",
        r.trained_at as "trainedAt", r.signed_at as "signedAt", ${personJson('r.signed_by')} as "signedBy",
        r.signer_certificate_number as "signerCertificateNumber",
        coalesce(r.signed_at > e.certified_at, false) as "signedAfterCertification", r.countersigned_at as "countersignedAt",
        ${personJson('r.countersigned_by')} as "countersignedBy",
        r.countersigner_certificate_number as "countersignerCertificateNumber", r.amends_id as "amendsId",
        r.amended_at as "amendedAt", r.amended_by_id as "amendedById", ${personJson('r.amended_by')} as "amendedBy",
        r.amend_reason as "amendReason"
      from training_record r
      join enrollment e on e.organization_id = r.organization_id and e.id = r.enrollment_id
      join syllabus_lesson l on l.organization_id = r.organization_id and l.id = r.lesson_id
      join syllabus_version v on v.organization_id = r.organization_id and v.id = r.version_id
      where r.organization_id = ${organizationId} and ${wanted}
      order by r.id`,
  )
}

/** Returns one training record. */
export async function findRecord(source: Source, organizationId: number, id: number): Promise<RecordRow> {
  const [row] = await findRecords(source, organizationId, { ids: [id] })
  if (!row) throw trainingErrors.noSuchRecord()
  return row
}

/** An entry of the credit ledger. */
export interface CreditRow {
  id: number
  createdAt: Date
  updatedAt: Date
  enrollmentId: number
  requirementId: number
  code: string
  tenths: Tenths | null
  count: number | null
  source: CreditSource
  clock: Clock | null
  deviceKind: DeviceKind | null
  notes: string | null
  occurredAt: Date
  recordId: number | null
  reversesId: number | null
  reversedById: number | null
  createdBy: PersonRow
}

/** Returns the credit entries of an enrollment, or the entries with the given ids, oldest first. */
export function findCredits(
  source: Source,
  organizationId: number,
  which: { ids: number[] } | { enrollmentId: number },
): Promise<CreditRow[]> {
  const wanted = 'ids' in which ? sql`c.id = any(${which.ids})` : sql`c.enrollment_id = ${which.enrollmentId}`
  return readRows(
    source,
    sql<CreditRow>`
      select c.id, c.created_at as "createdAt", c.updated_at as "updatedAt", c.enrollment_id as "enrollmentId",
        c.requirement_id as "requirementId", q.code, c.tenths, c.count, c.source, c.clock,
        c.device_kind as "deviceKind", c.notes,
        c.occurred_at as "occurredAt", c.record_id as "recordId", c.reverses_id as "reversesId",
        b.id as "reversedById", ${personJson('c.created_by')} as "createdBy"
      from credit_entry c
      join syllabus_requirement q on q.organization_id = c.organization_id and q.id = c.requirement_id
      left join credit_entry b on b.organization_id = c.organization_id and b.reverses_id = c.id
      where c.organization_id = ${organizationId} and ${wanted}
      order by c.id`,
  )
}

/**
 * Returns the enrollment id of a credit entry, and the id of the entry that it reverses; null when it is not a
 * reversal.
 */
export async function findEntry(db: Db, organizationId: number, id: number) {
  const entry = await db
    .selectFrom('credit_entry')
    .select(['enrollment_id as enrollmentId', 'reverses_id as reversesId'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!entry) throw trainingErrors.noSuchCredit()
  return entry
}

/**
 * Selects the ledger entries `c` that are neither reversals nor reversed: the entry with this id, or the entries of a
 * record.
 */
export function selectUnreversed(db: Db, organizationId: number, which: { id: number } | { recordId: number }) {
  const entries = db
    .selectFrom('credit_entry as c')
    .where('c.organization_id', '=', organizationId)
    .where('c.reverses_id', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('credit_entry as r')
            .select('r.id')
            .whereRef('r.organization_id', '=', 'c.organization_id')
            .whereRef('r.reverses_id', '=', 'c.id'),
        ),
      ),
    )
    .orderBy('c.id')
  return 'id' in which ? entries.where('c.id', '=', which.id) : entries.where('c.record_id', '=', which.recordId)
}
