import { formatTenths } from '../../../shared/platform/kernel/hours.ts'
import { tenths } from '../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { certificateNumber } from '../../../shared/training/enrollments/certificate.rules.ts'
import { makePdf } from '../../pdf/make-pdf.ts'
import type { EnrollmentFile } from './enrollment-detail.ts'

/** The school that issues a certificate. `number` is the number of its air agency certificate. */
export interface CertifyingSchool {
  name: string
  number: string | null
  country: string | null
}

/** The texts of a certificate, in reading order. */
export interface CertificateSheet {
  title: string
  statements: string[]
  facts: [label: string, value: string][]
  signers: { role: string; name: string }[]
}

/** Returns the texts of the certificate of enrollment, with course and date. Implements 14 CFR 141.93(a)(1). */
export function enrollmentCertificate(
  file: EnrollmentFile,
  school: CertifyingSchool,
  number: number,
): CertificateSheet {
  const { enrollment, version } = file
  const day = localDate(enrollment.createdAt, file.zone)
  return {
    title: 'Certificate of enrollment',
    statements: [`${enrollment.student.name} is enrolled in the course ${version.courseName} as of ${day}.`],
    facts: given([
      ...factsOf(file, school),
      ['Date of enrollment', day],
      ['Certificate number', certificateNumber('enrollment', number)],
      ['Number of the school', enrollment.enrollmentCertificateNumber],
    ]),
    signers: signersOf(file),
  }
}

/** The statement on the certificate of a Part 141 graduate. Such a graduation requires a completed course. */
const COMPLETED =
  'The graduate has satisfactorily completed each required stage of the course, including the tests for those stages.'

/**
 * Returns the texts of the certificate of graduation: school and number, graduate, course, date, stages and tests, the
 * cross-country training received, and the certifying person. Implements 14 CFR 141.95(b).
 */
export function graduationCertificate(
  file: EnrollmentFile,
  school: CertifyingSchool,
  number: number,
): CertificateSheet {
  const { enrollment, version, records, tests } = file
  const day = localDate(enrollment.endedAt ?? enrollment.createdAt, file.zone)
  const flown = records.filter(({ signedAt, amendedAt }) => signedAt && !amendedAt)
  const crossCountry = flown.reduce((sum, { crossCountryTenths }) => sum + (crossCountryTenths ?? 0), 0)
  const passed = tests.filter(({ kind, result }) => result === 'passed' && kind !== 'practical')
  return {
    title: 'Certificate of graduation',
    statements: [
      `${enrollment.student.name} graduated from the course ${version.courseName} on ${day}.`,
      ...(version.regulatoryPart === 'part141' ? [COMPLETED] : []),
    ],
    facts: given([
      ...factsOf(file, school),
      ['Date of graduation', day],
      ['Stages', version.stages.map(({ name }) => name).join('; ')],
      [
        'Tests passed',
        passed.map(({ kind, takenAt }) => `${kind.replaceAll('_', ' ')}, ${localDate(takenAt, file.zone)}`).join('; '),
      ],
      ['Cross-country training received', `${formatTenths(tenths(crossCountry))} hours`],
      ['Certificate number', certificateNumber('graduation', number)],
      ['Number of the school', enrollment.graduationCertificateNumber],
      [
        'Record certified',
        enrollment.certifiedAt &&
          `${enrollment.certifiedBy?.name ?? ''}, ${localDate(enrollment.certifiedAt, file.zone)}`,
      ],
    ]),
    signers: signersOf(file),
  }
}

/** Renders a certificate as a PDF. `issuedAt` becomes the creation date of the document. */
export function renderCertificate(sheet: CertificateSheet, school: CertifyingSchool, issuedAt: Date): Promise<Buffer> {
  const { title, statements, facts, signers } = sheet
  return makePdf({ title, author: school.name, country: school.country, madeAt: issuedAt }, (paper) => {
    paper.text(school.name, { size: 12, grey: true })
    paper.skip(30)
    paper.title(title, { size: 24 })
    paper.skip(20)
    for (const statement of statements) {
      paper.text(statement, { size: 13 })
      paper.skip(8)
    }
    paper.skip(16)
    for (const [label, value] of facts) {
      paper.text(`${label}: ${value}`, { size: 11 })
      paper.skip(3)
    }
    paper.skip(40)
    paper.signatures(signers)
  })
}

type Fact = [label: string, value: string | null | undefined]

function factsOf({ version }: EnrollmentFile, school: CertifyingSchool): Fact[] {
  return [
    ['Air agency certificate', school.number],
    ['Course', `${version.courseName}, ${version.label}`],
    ['Under', version.regulatoryPart === 'part141' ? '14 CFR Part 141' : '14 CFR Part 61'],
    ['Approval', version.approvalReference],
  ]
}

function given(facts: Fact[]): [label: string, value: string][] {
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

/** Returns the people who sign. Under Part 141 the chief instructor certifies: 14 CFR 141.95(b)(7). */
function signersOf({ enrollment, version }: EnrollmentFile): CertificateSheet['signers'] {
  const chief = { role: 'Chief instructor', name: enrollment.chiefInstructor?.name ?? '' }
  const instructor = { role: 'Instructor', name: enrollment.instructor?.name ?? '' }
  return [version.regulatoryPart === 'part141' ? chief : instructor]
}
