import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type PDFDocument from 'pdfkit'

/** Covers Latin with all its accents, Greek and Cyrillic; PDF's built-in fonts know Western Europe only. */
const fontFile = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))
let fonts: { plain: Buffer; bold: Buffer } | undefined

/** Points. US MailMessage is 612 by 792. */
export const MARGIN = 54
export const WIDTH = 612 - 2 * MARGIN
/** Below it the number of the page stands. */
export const BOTTOM = 792 - MARGIN - 24
export const GREY = '#666666'

export type Doc = InstanceType<typeof PDFDocument>

/** What a document says of itself. */
interface About {
  title: string
  author: string
  /** When it counts as made: the same document twice is the same bytes. */
  madeAt: Date
}

/** A PDF on US MailMessage with the fonts `plain` and `bold`, in 9 points; its pages are numbered. */
export async function makePdf({ title, author, madeAt }: About, write: (doc: Doc) => void): Promise<Buffer> {
  // Loaded by the first document: it takes a tenth of a start.
  const { default: Document } = await import('pdfkit')
  fonts ??= { plain: fontFile('DejaVuSans'), bold: fontFile('DejaVuSans-Bold') }
  const doc = new Document({
    size: 'LETTER',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: title, Author: author, CreationDate: madeAt, ModDate: madeAt },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
  doc.registerFont('plain', fonts.plain).registerFont('bold', fonts.bold).font('plain').fontSize(9)
  write(doc)
  numberPages(doc, title)
  doc.end()
  await ended
  return Buffer.concat(chunks)
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
