import { BOTTOM, type Doc, GREY, MARGIN, makePdf, WIDTH } from '../../../pdf/make-pdf.ts'
import { type Columns, writeTable } from '../../../pdf/write-table.ts'
import type { RecordSheet } from './record-sheet.ts'

const standing: Columns<keyof RecordSheet['standing'][number]> = {
  requirement: { title: 'Requirement', x: 0, width: 230 },
  required: { title: 'Required', x: 238, width: 56, align: 'right' },
  credited: { title: 'Credited', x: 300, width: 56, align: 'right' },
  disallowed: { title: 'Disallowed', x: 362, width: 62, align: 'right' },
  met: { title: '', x: 432, width: 72, align: 'right' },
}
const records: Columns<Exclude<keyof RecordSheet['records'][number], 'note'>> = {
  date: { title: 'Date', x: 0, width: 58 },
  lesson: { title: 'Lesson', x: 64, width: 170 },
  grade: { title: 'Grade', x: 240, width: 36 },
  times: { title: 'Hours', x: 282, width: 84 },
  signatures: { title: 'Signatures', x: 372, width: 132 },
}
const credits: Columns<Exclude<keyof RecordSheet['credits'][number], 'note'>> = {
  date: { title: 'Date', x: 0, width: 58 },
  requirement: { title: 'Requirement', x: 64, width: 260 },
  amount: { title: 'Credit', x: 330, width: 60, align: 'right' },
  source: { title: 'From', x: 404, width: 100 },
}

/** Renders a training record as a PDF. `printedAt` becomes its creation date. */
export function renderRecord(sheet: RecordSheet, printedAt: Date): Promise<Buffer> {
  return makePdf({ title: sheet.title, author: sheet.school, madeAt: printedAt }, (doc) => {
    writeHead(doc, sheet)
    writePart(doc, 'Requirements', sheet.standing, () => writeTable(doc, standing, sheet.standing))
    writePart(doc, 'Lessons', sheet.records, () => writeTable(doc, records, sheet.records))
    writePart(doc, 'Credit ledger', sheet.credits, () => writeTable(doc, credits, sheet.credits))
    writePart(doc, 'Endorsements', sheet.endorsements, () => writeEndorsements(doc, sheet.endorsements))
  })
}

function writeHead(doc: Doc, { title, school, facts }: RecordSheet): void {
  doc.font('bold').fontSize(16).text(title, { width: WIDTH })
  doc.font('plain').fontSize(9).fillColor(GREY).text(school, { width: WIDTH }).fillColor('black').moveDown()
  for (const [label, value] of facts) doc.text(`${label}: ${value}`, { width: WIDTH })
}

/** Writes a heading and the lines under it, or nothing when there are none. */
function writePart(doc: Doc, heading: string, rows: readonly unknown[], write: () => void): void {
  if (rows.length === 0) return
  // Keep a heading on the same page as its first lines.
  if (doc.y + 80 > BOTTOM) doc.addPage()
  doc.moveDown(1.5).font('bold').fontSize(12).text(heading, MARGIN, doc.y, { width: WIDTH })
  doc.font('plain').fontSize(9).moveDown(0.5)
  write()
}

function writeEndorsements(doc: Doc, endorsements: RecordSheet['endorsements']): void {
  for (const { heading, text, signed } of endorsements) {
    if (doc.y + 60 > BOTTOM) doc.addPage()
    doc.font('bold').text(heading, MARGIN, doc.y, { width: WIDTH })
    doc.font('plain').text(text, { width: WIDTH })
    doc.fillColor(GREY).text(signed, { width: WIDTH }).fillColor('black').moveDown()
  }
}
