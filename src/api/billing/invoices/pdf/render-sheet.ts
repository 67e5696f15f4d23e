import { BOTTOM, type Doc, GREY, MARGIN, makePdf, WIDTH } from '../../../pdf/make-pdf.ts'
import { type Columns, writeTable } from '../../../pdf/write-table.ts'
import type { InvoiceSheet } from './invoice-sheet.ts'

const columns: Columns<keyof InvoiceSheet['lines'][number]> = {
  description: { title: 'Description', x: 0, width: 250 },
  quantity: { title: 'Quantity', x: 258, width: 82, align: 'right' },
  price: { title: 'Price', x: 344, width: 78, align: 'right' },
  amount: { title: 'Amount', x: 426, width: 78, align: 'right' },
}

/** Renders an invoice as a PDF with as many pages as its lines need. `issuedAt` is the document's creation date. */
export function renderSheet(sheet: InvoiceSheet, issuedAt: Date): Promise<Buffer> {
  return makePdf({ title: sheet.title, author: sheet.from[0] ?? '', madeAt: issuedAt }, (doc) => {
    writeHead(doc, sheet)
    writeTable(doc, columns, sheet.lines)
    writeTotals(doc, sheet)
  })
}

function writeHead(doc: Doc, { title, from, to, facts, stamp }: InvoiceSheet): void {
  const top = doc.y
  doc
    .font('bold')
    .fontSize(14)
    .text(from[0] ?? '', { width: 280 })
  doc.font('plain').fontSize(9).fillColor(GREY).text(from.slice(1).join('\n'), { width: 280 }).fillColor('black')
  const left = doc.y
  doc
    .font('bold')
    .fontSize(18)
    .text(title, MARGIN + 290, top, { width: WIDTH - 290, align: 'right' })
  doc.font('plain').fontSize(9)
  for (const [label, value] of facts) doc.text(`${label}: ${value}`, { width: WIDTH - 290, align: 'right' })
  if (stamp)
    doc
      .font('bold')
      .fontSize(14)
      .text(stamp.toUpperCase(), { width: WIDTH - 290, align: 'right' })
  const y = Math.max(left, doc.y) + 18
  doc.font('plain').fontSize(9).fillColor(GREY).text('Billed to', MARGIN, y).fillColor('black')
  doc.text(to.join('\n'), { width: WIDTH }).moveDown(1.5)
}

function writeTotals(doc: Doc, { totals, payUrl, memo }: InvoiceSheet): void {
  if (doc.y + totals.length * 16 + 60 > BOTTOM) doc.addPage()
  doc.y += 8
  for (const [index, [label, value]] of totals.entries()) {
    const y = doc.y
    doc.font(index === totals.length - 1 ? 'bold' : 'plain')
    doc.text(label, MARGIN + 258, y, { width: 164, align: 'right' })
    doc.text(value, MARGIN + 426, y, { width: 78, align: 'right' })
    doc.y = y + 16
  }
  doc.font('plain')
  doc.x = MARGIN
  if (payUrl)
    doc
      .moveDown()
      .text('Pay online: ', { continued: true })
      .fillColor('#0b5fbd')
      .text(payUrl, { link: payUrl, underline: true })
  doc.fillColor('black')
  if (memo) doc.moveDown().text(memo, { width: WIDTH })
}
