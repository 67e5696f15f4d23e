import { makePdf } from '../../pdf/make-pdf.ts'
import type { Paper } from '../../pdf/paper.ts'
import type { Columns } from '../../pdf/write-table.ts'
import type { Fitted, StatusSheet } from './status-sheet.ts'

/** Renders an aircraft's status sheet as a PDF of one page. `at` becomes the creation date of the document. */
export function renderStatus(sheet: StatusSheet, printed: string, at: Date): Promise<Buffer> {
  const about = { title: sheet.title, author: sheet.school, country: sheet.country, madeAt: at }
  return makePdf(about, (paper) => {
    paper.title(sheet.title)
    writeStatus(paper, sheet, printed)
  })
}

/** Writes a status sheet below its title. */
export function writeStatus(paper: Paper, sheet: StatusSheet, printed: string): void {
  paper.text([sheet.school, sheet.aircraft, `as of ${printed}`].filter(Boolean).join(' · '), { grey: true })
  paper.skip(5)
  paper.text(sheet.state, { bold: true })
  paper.text(sheet.meters)
  const { inspections, undone, deferred, open, documents } = sheet
  const wide = { width: 150 }
  section(paper, 'Inspections', inspections, {
    item: { title: 'Item', width: 142 },
    last: { title: 'Last done' },
    next: { title: 'Next due', width: 86 },
    remaining: { title: 'Remaining', width: 74, align: 'right' },
    status: { title: 'Status', width: 56 },
  })
  if (undone) {
    section(paper, 'Undone completions', undone, {
      item: { title: 'Item', width: 142 },
      done: { title: 'Done', width: 76 },
      undone: { title: 'Undone' },
      reason: { title: 'Reason' },
    })
  }
  section(paper, 'Deferred (14 CFR 91.213)', deferred, {
    item: { title: 'Item' },
    until: { title: 'Until', width: 76 },
    reference: { title: 'Reference', ...wide },
    placard: { title: 'Placard', width: 76 },
  })
  section(paper, 'Open squawks', open, {
    item: { title: 'Item' },
    severity: { title: 'Severity', width: 88 },
    status: { title: 'Status', width: 76 },
    reported: { title: 'Reported', width: 76 },
  })
  section(paper, 'Documents', documents, {
    category: { title: 'Category', ...wide },
    name: { title: 'Name' },
    added: { title: 'Added', width: 76 },
  })
}

function section<Name extends string>(
  paper: Paper,
  heading: string,
  { rows, more }: Fitted<Name>,
  columns: Columns<Name>,
): void {
  paper.heading(heading)
  if (rows.length === 0) paper.text('None.')
  else paper.table(columns, rows)
  if (more > 0) paper.text(`and ${more} more`, { grey: true })
}
