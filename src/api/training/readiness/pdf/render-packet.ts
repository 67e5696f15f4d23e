import { writeStatus } from '../../../fleet/maintenance/render-status.ts'
import { makePdf } from '../../../pdf/make-pdf.ts'
import type { Paper } from '../../../pdf/paper.ts'
import type { Columns } from '../../../pdf/write-table.ts'
import { recordColumns, testColumns, writeEndorsements, writePart } from '../../records/pdf/render-record.ts'
import type { PacketSheet } from './packet-sheet.ts'

const items: Columns<Exclude<keyof PacketSheet['items'][number], 'note'>> = {
  item: { title: 'Item', width: 150 },
  status: { title: 'Status', width: 76 },
  rule: { title: 'Rule' },
  evidence: { title: 'Evidence', width: 140 },
}
const experience: Columns<keyof PacketSheet['experience'][number]> = {
  requirement: { title: 'Requirement' },
  required: { title: 'Required', width: 62, align: 'right' },
  credited: { title: 'Credited', width: 62, align: 'right' },
  brought: { title: 'Brought', width: 62, align: 'right' },
}

/** The size of the items on the first page, on which all of them fit. */
const SMALL = { size: 7.5 }

/** Renders a packet as a PDF: the verdict and the items on the first page, then what they rest on. */
export function renderPacket(sheet: PacketSheet, madeAt: Date): Promise<Buffer> {
  const { title, school, country, note } = sheet
  return makePdf({ title, author: school, country, madeAt, note }, (paper) => {
    writeFirstPage(paper, sheet)
    paper.newPage()
    writePart(paper, 'Items and evidence', sheet.items, () => paper.table(items, sheet.items))
    writeHours(paper, sheet)
    writePart(paper, 'Experience of the course', sheet.experience, () => paper.table(experience, sheet.experience))
    writePart(paper, 'Endorsements', sheet.endorsements, () => writeEndorsements(paper, sheet.endorsements))
    writePart(paper, 'Tests', sheet.tests, () => paper.table(testColumns, sheet.tests))
    writePart(paper, 'Training record', sheet.records, () => paper.table(recordColumns, sheet.records))
    if (!sheet.status) return
    paper.newPage()
    paper.heading(sheet.status.sheet.title)
    writeStatus(paper, sheet.status.sheet, sheet.status.printed)
  })
}

function writeFirstPage(paper: Paper, { title, school, facts, verdict, about, open, met }: PacketSheet): void {
  paper.title(title)
  paper.text(school, { grey: true })
  paper.skip(6)
  for (const line of facts) paper.text(line)
  paper.skip(10)
  paper.text(verdict, { size: 13, bold: true })
  paper.skip(3)
  for (const sentence of about) paper.text(sentence, { grey: true })
  if (open.length > 0) paper.heading('Open')
  for (const line of open) {
    paper.text(line, SMALL)
    paper.skip(1.5)
  }
  if (met === '') return
  paper.heading('Met')
  paper.text(met, SMALL)
}

function writeHours(paper: Paper, { hours }: PacketSheet): void {
  paper.heading('Hours, in the columns of FAA Form 8710-1')
  if (!hours) {
    paper.text('The log could not be read.')
    return
  }
  paper.text('The log at this school. Time elsewhere is the pilot’s to add.', { grey: true })
  if (hours.categories.length === 0) {
    paper.text('No flight is in the log.')
    return
  }
  const names = hours.categories.map((category) => [category, { title: category, width: 84, align: 'right' }] as const)
  const columns: Columns<string> = { time: { title: 'Time' }, ...Object.fromEntries(names) }
  const row = ({ time, values }: (typeof hours.rows)[number]) => ({
    time,
    ...Object.fromEntries(hours.categories.map((category, at) => [category, values[at] ?? ''])),
  })
  paper.table(columns, hours.rows.map(row))
}
