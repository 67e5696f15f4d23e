import { makePdf } from '../../../pdf/make-pdf.ts'
import type { Paper } from '../../../pdf/paper.ts'
import type { Columns } from '../../../pdf/write-table.ts'
import type { RecordSheet } from './record-sheet.ts'

const standing: Columns<keyof RecordSheet['standing'][number]> = {
  requirement: { title: 'Requirement' },
  required: { title: 'Required', width: 62, align: 'right' },
  credited: { title: 'Credited', width: 62, align: 'right' },
  disallowed: { title: 'Disallowed', width: 70, align: 'right' },
  met: { title: 'Standing', width: 84, align: 'right' },
}
export const recordColumns: Columns<Exclude<keyof RecordSheet['records'][number], 'note'>> = {
  date: { title: 'Date', width: 64 },
  lesson: { title: 'Lesson' },
  grade: { title: 'Grade', width: 42 },
  times: { title: 'Hours', width: 90 },
  signatures: { title: 'Signatures', width: 138 },
}
export const testColumns: Columns<Exclude<keyof RecordSheet['tests'][number], 'note'>> = {
  date: { title: 'Date', width: 64 },
  test: { title: 'Test' },
  result: { title: 'Result', width: 110 },
  examiner: { title: 'Examiner', width: 150 },
}
const credits: Columns<Exclude<keyof RecordSheet['credits'][number], 'note'>> = {
  date: { title: 'Date', width: 64 },
  requirement: { title: 'Requirement' },
  amount: { title: 'Credit', width: 66, align: 'right' },
  source: { title: 'From', width: 106 },
}

/** Renders a training record as a PDF. `printedAt` becomes the creation date of the document. */
export function renderRecord(sheet: RecordSheet, printedAt: Date): Promise<Buffer> {
  const { title, school, country } = sheet
  return makePdf({ title, author: school, country, madeAt: printedAt }, (paper) => {
    paper.title(title)
    paper.text(school, { grey: true })
    paper.skip(10)
    for (const [label, value] of sheet.facts) paper.text(`${label}: ${value}`)
    writePart(paper, 'Requirements', sheet.standing, () => paper.table(standing, sheet.standing))
    writePart(paper, 'Lessons', sheet.records, () => paper.table(recordColumns, sheet.records))
    writePart(paper, 'Tests', sheet.tests, () => paper.table(testColumns, sheet.tests))
    writePart(paper, 'Credit ledger', sheet.credits, () => paper.table(credits, sheet.credits))
    writePart(paper, 'Endorsements', sheet.endorsements, () => writeEndorsements(paper, sheet.endorsements))
    writePart(paper, 'Signatures', sheet.signers, () => paper.signatures(sheet.signers))
  })
}

/** Writes a heading and the lines under it, or nothing when there are none. */
export function writePart(paper: Paper, heading: string, rows: readonly unknown[], write: () => void): void {
  if (rows.length === 0) return
  paper.heading(heading)
  write()
}

/** Writes endorsements word for word. */
export function writeEndorsements(paper: Paper, endorsements: RecordSheet['endorsements']): void {
  for (const { heading, text, signed } of endorsements) {
    paper.keepTogether(60)
    paper.text(heading, { bold: true })
    paper.text(text)
    paper.text(signed, { grey: true })
    paper.skip(10)
  }
}
