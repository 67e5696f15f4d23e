import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { fieldErrors } from '../../platform/field.errors.ts'
import { tenths } from '../../platform/kernel/units.ts'
import { enrolStudent } from '../../training/enrollments/enrol-student.ts'
import { postCredit } from '../../training/records/post-credit.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import { line, moment, paragraph, whole, word } from '../reading/parsers.rules.ts'
import { loadMembers, memberColumn } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownCredits, findKnownEnrollments, findPublishedVersions } from './known-work.queries.ts'
import { isNamed, nameKey } from './match.rules.ts'

/** The sources of imported credit. */
const sources = ['transfer', 'transfer_61', 'transfer_141', 'manual'] as const

const columns = {
  member: memberColumn('student', 'student'),
  course: required(line(200), { example: 'Private Pilot', doc: 'Name of the course', aliases: ['course name'] }),
  version: optional(line(100), { example: '', doc: 'Its version; blank: the one that is published last' }),
  enrolledAt: optional(moment, {
    example: '2026-01-12',
    doc: 'When the student began; blank: now',
    aliases: ['enrolled', 'enrolled on', 'started', 'start date'],
    isDate: true,
  }),
  requirementCode: optional(line(60), {
    example: 'dual',
    doc: 'Requirement that the credit is for, one a row; blank: no credit',
    aliases: ['requirement', 'requirement id'],
  }),
  deciHours: optional(whole(1, 100_000), { example: '125', doc: 'Credit in tenths of an hour: 125 is 12.5 hours' }),
  count: optional(whole(1, 100_000), {
    example: '',
    doc: 'Credit of a requirement that is counted',
    aliases: ['landings'],
  }),
  source: optional(word(sources), {
    example: 'transfer_61',
    doc: 'transfer_61, transfer_141 or manual, which needs notes; blank and transfer: transfer_61',
  }),
  occurredAt: optional(moment, {
    example: '2026-02-20',
    doc: 'When it was flown or taught; blank: when the student began',
    aliases: ['occurred', 'date'],
    isDate: true,
  }),
  notes: optional(paragraph(2000), { example: '', doc: 'Where it is written down', aliases: ['remarks'] }),
}

type Row = RowOf<typeof columns>

/**
 * Imports open enrollments. Each row is a student on a course, with at most one credit. A row is matched with the open
 * enrollment of the student in the course.
 */
export const importEnrollments = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ member, course, requirementCode = '', occurredAt, deciHours, count }) => [
    [nameKey(member), nameKey(course), nameKey(requirementCode), occurredAt?.toISOString(), deciHours, count].join(' '),
  ],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId } = actor
    const members = await loadMembers(
      tx,
      organizationId,
      rows.map(({ member }) => member),
    )
    const versions = await findPublishedVersions(tx.db, organizationId)
    return async (row) => {
      const orgUserId = members.idOf('member', row.member)
      const open = await findKnownEnrollments(tx.db, organizationId, orgUserId)
      const stored = open.find(({ course }) => isNamed(course, row.course))
      const enrollment = stored ?? (await enrol(tx, actor, { orgUserId, version: versionOf(versions, row), row }))
      const isCredited = await writeCredit(tx, actor, enrollment, row)
      const outcome = isCredited ? 'updated' : 'unchanged'
      return { outcome: stored ? outcome : 'created', id: enrollment.id }
    }
  },
})

type Version = Awaited<ReturnType<typeof findPublishedVersions>>[number]
type Known = Pick<Awaited<ReturnType<typeof findKnownEnrollments>>[number], 'id' | 'requirements' | 'enrolledAt'>

/** Returns the version to which a row refers; without one, the version of its course that was published last. */
function versionOf(versions: readonly Version[], { course, version: label }: Row): Version {
  const ofCourse = versions.filter((one) => isNamed(one.course, course))
  if (ofCourse.length === 0) throw new CellRefused('course', portabilityErrors.unknownCourse())
  const found = label === undefined ? ofCourse.at(-1) : ofCourse.find((one) => isNamed(one.label, label))
  if (found) return found
  throw new CellRefused('version', fieldErrors.oneOf({ choices: ofCourse.map((one) => one.label).join(', ') }))
}

async function enrol(
  tx: Tx,
  actor: Actor,
  { orgUserId, version, row }: { orgUserId: number; version: Version; row: Row },
): Promise<Known> {
  const { enrolledAt = tx.now } = row
  if (enrolledAt > tx.now) throw new CellRefused('enrolledAt', portabilityErrors.ahead())
  const student = { versionId: version.id, orgUserId, instructorOrgUserId: null, enrollmentCertificateNumber: null }
  const { id } = await enrolStudent(tx, actor, { ...student, enrolledAt })
  return { id, requirements: version.requirements, enrolledAt }
}

/** Posts the credit of a row, unless the enrollment has it already. Returns whether it was posted. */
async function writeCredit(tx: Tx, actor: Actor, enrollment: Known, row: Row): Promise<boolean> {
  const { requirementCode: code, deciHours: hours, count = null, source: said = 'transfer', notes = null } = row
  if (code === undefined) return false
  const requirement = enrollment.requirements.find((one) => isNamed(one.code, code))
  if (!requirement) {
    const codes = enrollment.requirements.map((one) => one.code).join(', ')
    throw new CellRefused('requirementCode', fieldErrors.oneOf({ choices: codes }))
  }
  const occurredAt = row.occurredAt ?? enrollment.enrolledAt
  const source = said === 'transfer' ? 'transfer_61' : said
  const deciHours = hours === undefined ? null : tenths(hours)
  const known = await findKnownCredits(tx.db, actor.organizationId, enrollment.id)
  const isThere = known.some(
    (one) =>
      one.requirementId === requirement.id &&
      one.occurredAt.getTime() === occurredAt.getTime() &&
      (one.tenths ?? one.count) === (deciHours ?? count),
  )
  if (isThere) return false
  const credit = { requirementId: requirement.id, deciHours, count, source, deviceKind: null, notes, occurredAt }
  await postCredit(tx, actor, { enrollmentId: enrollment.id, ...credit })
  return true
}
