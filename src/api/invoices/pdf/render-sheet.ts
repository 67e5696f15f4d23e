import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import type { InvoiceSheet } from './invoice-sheet.ts'

/** Covers Latin with all its accents, Greek and Cyrillic; PDF's built-in fonts know Western Europe only. */
const fontFile = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))
let fonts: { plain: Buffer; bold: Buffer } | undefined

/** Points. US Letter is 612 by 792. */
const MARGIN = 54
const WIDTH = 612 - 2 * MARGIN
const BOTTOM = 792 - MARGIN - 24
const columns = {
  description: { x: 0, width: 250, align: 'left' },
  quantity: { x: 258, width: 82, align: 'right' },
  price: { x: 344, width: 78, align: 'right' },
  amount: { x: 426, width: 78, align: 'right' },
} as const
type Cells = Record<keyof typeof columns, string>

const headings: Cells = { description: 'Description', quantity: 'Quantity', price: 'Price', amount: 'Amount' }
const GREY = '#666666'

/** An invoice as a PDF, on as many pages as its lines need. `issuedAt` is what the document says of its making. */
export async function renderSheet(sheet: InvoiceSheet, issuedAt: Date): Promise<Buffer> {
  fonts ??= { plain: fontFile('DejaVuSans'), bold: fontFile('DejaVuSans-Bold') }
  const doc = new PDFDocument({
    size: 'LETTER',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: sheet.title, Author: sheet.from[0] ?? '', CreationDate: issuedAt, ModDate: issuedAt },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
  doc.registerFont('plain', fonts.plain).registerFont('bold', fonts.bold).font('plain').fontSize(9)
  writeHead(doc, sheet)
  writeLines(doc, sheet.lines)
  writeTotals(doc, sheet)
  numberPages(doc, sheet.title)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

type Doc = InstanceType<typeof PDFDocument>

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

function writeLines(doc: Doc, lines: InvoiceSheet['lines']): void {
  writeRow(doc, headings, 'bold')
  for (const line of lines) {
    if (doc.y + heightOf(doc, line) > BOTTOM) {
      doc.addPage()
      writeRow(doc, headings, 'bold')
    }
    writeRow(doc, line, 'plain')
  }
}

function heightOf(doc: Doc, cells: Cells): number {
  const heights = (Object.keys(columns) as (keyof Cells)[]).map((name) =>
    doc.heightOfString(cells[name], { width: columns[name].width }),
  )
  return Math.max(...heights) + 7
}

function writeRow(doc: Doc, cells: Cells, font: 'plain' | 'bold'): void {
  doc.font(font)
  const y = doc.y
  const height = heightOf(doc, cells)
  for (const name of Object.keys(columns) as (keyof Cells)[]) {
    const { x, width, align } = columns[name]
    doc.text(cells[name], MARGIN + x, y + 3, { width, align })
  }
  doc
    .moveTo(MARGIN, y + height)
    .lineTo(MARGIN + WIDTH, y + height)
    .lineWidth(0.5)
    .strokeColor('#cccccc')
    .stroke()
  doc.x = MARGIN
  doc.y = y + height
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

function numberPages(doc: Doc, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    const place = { width: WIDTH, align: 'center', height: 12, lineBreak: false } as const
    // Below the margin, where text would otherwise begin another page.
    doc.page.margins.bottom = 0
    doc
      .fillColor(GREY)
      .fontSize(8)
      .text(`${title} · page ${page + 1} of ${count}`, MARGIN, BOTTOM + 28, place)
  }
}
