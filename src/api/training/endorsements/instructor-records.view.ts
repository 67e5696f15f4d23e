import { z } from 'zod'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { editions } from '../../../shared/training/endorsements/endorsement-templates.ts'
import type { InstructorRecord as RecordRow } from '../../../shared/training/endorsements/instructor-records.queries.ts'
import { instructorRecordKinds } from '../../../shared/training/endorsements/instructor-records.rules.ts'
import { testResults } from '../../../shared/training/knowledge-tests/training-test.rules.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { makePdf } from '../../pdf/make-pdf.ts'

/** One endorsement in the records of an instructor. Implements 14 CFR 61.189(b). */
export const InstructorRecord = z
  .object({
    endorsementId: Id,
    signedAt: Instant,
    student: Person,
    kind: z.enum(instructorRecordKinds),
    code: z.string(),
    edition: z.enum(editions).meta({ choices: 'AdvisoryCircularEdition' }),
    title: z.string(),
    makeAndModel: z.string().nullable(),
    testAt: Instant.nullable().describe('When the test was taken; null until it is recorded'),
    result: z.enum(testResults).nullable().describe('The result of the test; null until it is recorded'),
  })
  .meta({ id: 'InstructorRecord' })

export function instructorRecordView({ id, signedAt, ...row }: RecordRow): z.input<typeof InstructorRecord> {
  return { ...row, endorsementId: id, signedAt: iso(signedAt), testAt: iso(row.testAt) }
}

/** The columns of the records in the CSV file and in the PDF. */
export const recordColumns = [
  'date',
  'student',
  'kind',
  'code',
  'edition',
  'title',
  'makeAndModel',
  'testAt',
  'result',
] as const

/** Returns a record as the cells of a row; dates are local days of the zone. */
export function recordCells(row: RecordRow, zone: string): Record<(typeof recordColumns)[number], string> {
  return {
    date: localDate(row.signedAt, zone),
    student: row.student.name,
    kind: row.kind.replace('_', ' '),
    code: row.code,
    edition: row.edition,
    title: row.title,
    makeAndModel: row.makeAndModel ?? '',
    testAt: row.testAt ? localDate(row.testAt, zone) : '',
    result: row.result ?? '',
  }
}

/** Renders the records of an instructor as a PDF. `printedAt` becomes the creation date of the document. */
export function renderInstructorRecords(
  rows: readonly RecordRow[],
  about: { instructor: string; school: string; country: string | null; zone: string },
  printedAt: Date,
): Promise<Buffer> {
  const title = `Endorsements and recommendations of ${about.instructor}`
  return makePdf({ title, author: about.school, country: about.country, madeAt: printedAt }, (paper) => {
    paper.title(title)
    paper.text(`${about.school}. The records of 14 CFR 61.189(b), kept for at least 3 years.`, { grey: true })
    paper.skip(10)
    const columns = {
      date: { title: 'Date', width: 64 },
      student: { title: 'Student', width: 110 },
      title: { title: 'Endorsement' },
      code: { title: 'Number', width: 48 },
      makeAndModel: { title: 'Aircraft', width: 84 },
      testAt: { title: 'Tested', width: 64 },
      result: { title: 'Result', width: 64 },
    }
    paper.table(
      columns,
      rows.map((row) => {
        const { date, student, title: endorsement, code, makeAndModel, testAt, result } = recordCells(row, about.zone)
        return { date, student, title: endorsement, code, makeAndModel, testAt, result }
      }),
    )
    paper.signatures([{ role: 'Instructor', name: about.instructor }])
  })
}
