import { makePdf } from '../../../pdf/make-pdf.ts'
import type { Paper } from '../../../pdf/paper.ts'
import type { Columns } from '../../../pdf/write-table.ts'
import type { InvoiceSheet } from './invoice-sheet.ts'

const columns: Columns<keyof InvoiceSheet['lines'][number]> = {
  description: { title: 'Description' },
  quantity: { title: 'Quantity', width: 86, align: 'right' },
  price: { title: 'Price', width: 82, align: 'right' },
  amount: { title: 'Amount', width: 82, align: 'right' },
}

/**
 * Renders an invoice as a PDF with as many pages as its lines need. `issuedAt` becomes the creation date of the
 * document.
 */
export function renderSheet(sheet: InvoiceSheet, issuedAt: Date): Promise<Buffer> {
  const about = { title: sheet.title, author: sheet.from[0] ?? '', country: sheet.country, madeAt: issuedAt }
  return makePdf(about, (paper) => {
    writeHead(paper, sheet)
    paper.table(columns, sheet.lines)
    writeTotals(paper, sheet)
  })
}

/** Writes the school at the left, the title and dates at the right, and the payer below. */
function writeHead(paper: Paper, { title, from, to, facts, stamp }: InvoiceSheet): void {
  const top = paper.y
  paper.text(from[0] ?? '', { size: 14, bold: true, width: 280 })
  paper.text(from.slice(1).join('\n'), { grey: true, width: 280 })
  const left = paper.y
  const right = { x: 290, align: 'right' } as const
  paper.title(title, { ...right, size: 18, y: top })
  for (const [label, value] of facts) paper.text(`${label}: ${value}`, right)
  if (stamp) paper.text(stamp.toUpperCase(), { ...right, size: 14, bold: true })
  paper.y = Math.max(left, paper.y) + 18
  paper.text('Billed to', { grey: true })
  paper.text(to.join('\n'))
  paper.skip(16)
}

function writeTotals(paper: Paper, { totals, payments, payUrl, memo }: InvoiceSheet): void {
  paper.keepTogether(totals.length * 16 + 60)
  paper.skip(8)
  for (const [index, [label, value]] of totals.entries()) {
    const y = paper.y
    const line = { y, bold: index === totals.length - 1, align: 'right' } as const
    paper.text(label, { ...line, width: paper.width - 85 })
    paper.text(value, { ...line, x: paper.width - 82, width: 79 })
    paper.y = y + 16
  }
  if (payments.length > 0) {
    paper.skip(10)
    paper.text('Payments', { grey: true })
    paper.text(payments.join('\n'))
  }
  if (payUrl) {
    paper.skip(10)
    paper.link('Pay online:', payUrl)
  }
  if (memo) {
    paper.skip(10)
    paper.text(memo)
  }
}
