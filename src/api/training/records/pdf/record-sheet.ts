import { formatTenths } from '../../../../shared/platform/kernel/hours.ts'
import { type Tenths, tenths } from '../../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../../shared/platform/kernel/zones.ts'
import type { EndorsementRow } from '../../../../shared/training/endorsements/endorsement.queries.ts'
import type { RequirementProgressRow } from '../../../../shared/training/enrollments/requirement-progress.queries.ts'
import type { TestRow } from '../../../../shared/training/knowledge-tests/training-test.queries.ts'
import type { CreditRow, RecordRow } from '../../../../shared/training/records/record.queries.ts'
import type { EnrollmentFile } from '../../enrollments/enrollment-detail.ts'

/** The texts of a printed training record, in reading order. */
export interface RecordSheet {
  title: string
  school: string
  /** The school's country; decides the paper size. */
  country: string | null
  facts: [label: string, value: string][]
  standing: { requirement: string; required: string; credited: string; disallowed: string; met: string }[]
  records: { date: string; lesson: string; grade: string; times: string; signatures: string; note: string }[]
  credits: { date: string; requirement: string; amount: string; source: string; note: string }[]
  tests: { date: string; test: string; result: string; examiner: string; note: string }[]
  endorsements: { heading: string; text: string; signed: string }[]
  /** The people who sign the printed record. */
  signers: { role: string; name: string }[]
}

/** Returns the texts of a printed enrollment. Dates are in the school's zone; times are hours with one decimal. */
export function recordSheet(
  file: EnrollmentFile,
  school: { name: string; zone: string; country: string | null },
): RecordSheet {
  const {
    enrollment,
    standing: { requirements: standing },
    records,
    credits,
    endorsements,
    tests,
  } = file
  const day = (instant: Date) => localDate(instant, school.zone)
  const labels = new Map(standing.map((row) => [row.requirementId, row.label]))
  return {
    title: `Training record of ${enrollment.student.name}`,
    school: school.name,
    country: school.country,
    facts: factsOf(file, day),
    standing: standing.map(requirementLine),
    records: records.map((record) => recordLine(record, day)),
    credits: credits.map((credit) => creditLine(credit, labels.get(credit.requirementId) ?? credit.code, day)),
    tests: [...tests].reverse().map((test) => testLine(test, day)),
    endorsements: [...endorsements].reverse().map((one) => ({
      heading: one.supersededAt ? `${one.title} (replaced)` : one.title,
      text: one.renderedText,
      signed: signedLine(one, day).concat(one.expiresAt ? `; valid until ${day(one.expiresAt)}` : ''),
    })),
    signers: signersOf(file),
  }
}

type Day = (instant: Date) => string

function factsOf({ enrollment, version }: EnrollmentFile, day: Day): [string, string][] {
  const approval = [version.approvalReference, version.approvedAt && day(new Date(version.approvedAt))]
  const facts: [string, string | null | undefined][] = [
    ['Course', `${version.courseName} (${version.regulatoryPart === 'part141' ? 'Part 141' : 'Part 61'})`],
    ['Syllabus', version.label],
    ['Approval', approval.filter(Boolean).join(', ')],
    ['Instructor', enrollment.instructor?.name],
    ['Enrolled', day(enrollment.createdAt)],
    ['Enrollment certificate', enrollment.enrollmentCertificateNumber],
    ['Status', enrollment.status],
    ['Ended', enrollment.endedAt && day(enrollment.endedAt)],
    ['Graduation certificate', enrollment.graduationCertificateNumber],
    [
      'Certified complete and true',
      enrollment.certifiedAt &&
        `${enrollment.certifiedBy?.name ?? ''}${enrollment.certifiedAs === 'chief_instructor' ? ', chief instructor' : ''}, ${day(enrollment.certifiedAt)}`,
    ],
    [
      'Records signed after that',
      enrollment.signedSinceCertification ? String(enrollment.signedSinceCertification) : '',
    ],
    ['Lessons completed', `${enrollment.completed} of ${enrollment.lessons}`],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

/**
 * Returns the signers: the student, the instructor and, for a Part 141 course, the chief instructor, who certifies the
 * records of the course (14 CFR 141.101).
 */
function signersOf({ enrollment, version }: EnrollmentFile): RecordSheet['signers'] {
  return [
    { role: 'Student', name: enrollment.student.name },
    { role: 'Instructor', name: enrollment.instructor?.name ?? '' },
    ...(version.regulatoryPart === 'part141'
      ? [{ role: 'Chief instructor', name: enrollment.chiefInstructor?.name ?? '' }]
      : []),
  ]
}

/** Returns who signed an endorsement, with the number of the certificate and the day. */
export function signedLine(one: EndorsementRow, day: Day): string {
  const name = one.signedBy?.name ?? one.signerName
  return name === null ? 'Not signed' : signature('Signed', name, one.signedAt, one.signerCertificateNumber, day)
}

function requirementLine(row: RequirementProgressRow): RecordSheet['standing'][number] {
  const amount = (value: number) => (row.inHours ? formatTenths(tenths(value)) : String(value))
  const { simulator, transfer, stale } = row.disallowed
  return {
    requirement: row.label,
    required: amount(row.required),
    credited: amount(row.credited),
    disallowed: amount(simulator + transfer + stale),
    met: row.met ? 'met' : `${amount(row.remaining)} missing`,
  }
}

function recordLine(record: RecordRow, day: Day): RecordSheet['records'][number] {
  const clocks: [string, Tenths | null][] = [
    ['flight', record.flightTenths],
    ['instruction', record.instructionTenths],
    ['simulator', record.simulatorTenths],
    ['ground', record.groundTenths],
    ['night', record.nightTenths],
    ['cross-country', record.crossCountryTenths],
    ['actual instrument', record.actualInstrumentTenths],
    ['simulated instrument', record.simulatedInstrumentTenths],
    ['PIC', record.picTenths],
    ['solo', record.soloTenths],
  ]
  const amended = record.amendedAt ? `Amended: ${record.amendReason}` : ''
  const signatures = [
    record.signedBy &&
      record.signedAt &&
      signature('Instructor', record.signedBy.name, record.signedAt, record.signerCertificateNumber, day),
    record.countersignedBy &&
      record.countersignedAt &&
      signature('Student', record.countersignedBy.name, record.countersignedAt, null, day),
  ]
  return {
    date: day(record.trainedAt),
    lesson: record.lesson.name,
    grade: record.grade ?? '',
    times: clocks.flatMap(([name, time]) => (time ? [`${formatTenths(time)} ${name}`] : [])).join('\n'),
    signatures: signatures.filter(Boolean).join('\n') || 'not signed',
    note: [amended, record.notes].filter(Boolean).join('\n'),
  }
}

function creditLine(credit: CreditRow, requirement: string, day: Day): RecordSheet['credits'][number] {
  const amount = Math.abs(credit.tenths ?? credit.count ?? 0)
  const sign = credit.reversesId === null ? '' : '−'
  return {
    date: day(credit.occurredAt),
    requirement,
    amount: sign + (credit.tenths === null ? String(amount) : formatTenths(tenths(amount))),
    source: credit.reversesId === null ? credit.source.replaceAll('_', ' ') : 'reversal',
    note: credit.notes ?? '',
  }
}

function testLine(test: TestRow, day: Day): RecordSheet['tests'][number] {
  const score = test.score === null ? '' : `, ${test.score} %`
  const deficiencies = test.deficiencies ? `Deficient in ${test.deficiencies}` : ''
  return {
    date: day(test.takenAt),
    test: [test.kind.replaceAll('_', ' '), test.code].filter(Boolean).join(' '),
    result: test.result + score,
    examiner: test.examiner ?? '',
    note: [deficiencies, test.reportNumber ? `Report ${test.reportNumber}` : ''].filter(Boolean).join('\n'),
  }
}

function signature(role: string, name: string, at: Date, certificate: string | null, day: Day): string {
  return `${role}: ${name}${certificate ? `, ${certificate}` : ''}, ${day(at)}`
}
