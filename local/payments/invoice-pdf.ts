import { formatMoney } from '../../src/shared/platform/kernel/money.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { day } from './hosted-invoice.ts'
import { linesOf } from './invoice-view.ts'
import type { Book, StoredInvoice } from './store.ts'

const LINES_A_PAGE = 48

/** Returns the invoice as a plain PDF: one column of text in Latin letters. */
export function renderInvoicePdf(book: Book, invoice: StoredInvoice): Buffer {
  const { currency } = invoice
  return textPdf([
    `Invoice ${invoice.number}`,
    '',
    `For: ${invoice.customer_name ?? invoice.customer_email ?? ''}`,
    `Issued: ${day(invoice.created)}`,
    ...(invoice.due_date === null ? [] : [`Due: ${day(invoice.due_date)}`]),
    '',
    ...linesOf(book, invoice.id).map(
      (line) => `${formatMoney(cents(line.amount), currency)}   ${line.description ?? ''}`,
    ),
    '',
    `Total: ${formatMoney(cents(invoice.total), currency)}`,
    `Paid: ${formatMoney(cents(invoice.amount_paid), currency)}`,
  ])
}

function textPdf(lines: string[]): Buffer {
  const pages: string[][] = []
  for (let start = 0; start < lines.length; start += LINES_A_PAGE) pages.push(lines.slice(start, start + LINES_A_PAGE))
  const kids = pages.map((_page, index) => `${4 + 2 * index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      stream(`BT /F 11 Tf 15 TL 60 780 Td ${page.map((line) => `(${literal(line)}) Tj T*`).join(' ')} ET`),
    ]),
  ]
  return assemble(objects)
}

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function literal(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')
}

/** Joins the objects and the cross-reference table. The text is one byte per character, so lengths are offsets. */
function assemble(objects: string[]): Buffer {
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\n`
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, 'latin1')
}
