import { fileURLToPath } from 'node:url'
import type { Font } from 'fontkit'
import { Paper } from './paper.ts'

/**
 * The fonts of all documents, loaded with the first document. DejaVu has all accented Latin letters, Greek and
 * Cyrillic; the built-in fonts of PDF have only Western European letters. The fonts are parsed here once, because
 * pdfkit would parse them for every cell of a table.
 */
let fonts: { plain: Font; bold: Font } | undefined

/** The countries that print on US Letter; all others use A4 (Unicode CLDR, `paperSize`). */
const LETTER_COUNTRIES = new Set(['BZ', 'CA', 'CL', 'CO', 'CR', 'GT', 'MX', 'NI', 'PA', 'PH', 'PR', 'SV', 'US', 'VE'])

/** The metadata of a document. */
interface About {
  title: string
  author: string
  /** ISO 3166 alpha-2; decides the paper size. Null when the organization has no country. */
  country: string | null | undefined
  /** The creation date. The same document with the same date has the same bytes. */
  madeAt: Date
  /** Stands at the foot of every page, below the title. */
  note?: string
}

/**
 * Returns a tagged PDF that screen readers can read, with language and title (ISO 14289). The text size is 9 points.
 * The paper is US Letter when the country uses it or is not known, otherwise A4. The pages are numbered.
 */
export async function makePdf(
  { title, author, country, madeAt, note }: About,
  write: (paper: Paper) => void,
): Promise<Buffer> {
  // Loaded with the first document, because it takes a tenth of the start-up time.
  const { default: Document } = await import('pdfkit')
  fonts ??= { plain: await openFont('DejaVuSans'), bold: await openFont('DejaVuSans-Bold') }
  const doc = new Document({
    size: !country || LETTER_COUNTRIES.has(country) ? 'LETTER' : 'A4',
    // The page number is below the text.
    margins: { top: 54, right: 54, bottom: 78, left: 54 },
    bufferPages: true,
    pdfVersion: '1.7',
    // The type definitions of this version do not have this option.
    ...({ subset: 'PDF/UA' } as object),
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: madeAt, ModDate: madeAt },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
  // The type definitions do not accept parsed fonts. pdfkit reuses a font that the document has under its family name.
  for (const [name, font] of Object.entries(fonts)) doc.registerFont(name, font as never, name)
  doc.font('plain').fontSize(9)
  const paper = new Paper(doc)
  write(paper)
  paper.end(title, note)
  await ended
  return Buffer.concat(chunks)
}

async function openFont(name: string): Promise<Font> {
  const { open } = await import('fontkit')
  const font = await open(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)))
  if (!('layout' in font)) throw new Error(`${name} is a collection of fonts`)
  return font
}
