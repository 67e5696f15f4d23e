import { type Columns, type Doc, type Row, type StructureElement, writeTable } from './write-table.ts'

/** Grey text with a contrast of 5.7 to 1 on white paper. */
const GREY = '#666666'
const LINK = '#0b5fbd'

/** The style and position of a paragraph; `x`, `y` and `width` in points from the left margin and the top. */
export interface TextStyle {
  size?: number
  bold?: boolean
  grey?: boolean
  align?: 'left' | 'right'
  x?: number
  y?: number
  width?: number
}

/**
 * A document that is being written. Every text is tagged with its kind, in reading order, so that screen readers can
 * distinguish headings, paragraphs and table cells.
 */
export class Paper {
  readonly #doc: Doc
  readonly #root: StructureElement

  constructor(doc: Doc) {
    this.#doc = doc
    this.#root = doc.struct('Document')
    doc.addStructure(this.#root)
  }

  /** The width of the text in points. */
  get width(): number {
    const { width, margins } = this.#doc.page
    return width - margins.left - margins.right
  }

  /** The position of the next text, in points from the top of the page. */
  get y(): number {
    return this.#doc.y
  }

  set y(y: number) {
    this.#doc.y = y
  }

  /** Writes the title of the document. */
  title(text: string, style: TextStyle = {}): void {
    this.#write('H1', text, { size: 16, bold: true, ...style })
  }

  /** Writes a heading, on the same page as the lines that follow it. */
  heading(text: string): void {
    this.keepTogether(80)
    this.skip(14)
    this.#write('H2', text, { size: 12, bold: true })
    this.skip(5)
  }

  /** Writes a paragraph. */
  text(text: string, style: TextStyle = {}): void {
    this.#write('P', text, style)
  }

  /** Writes a clickable address after a few words that say what it is for. */
  link(words: string, url: string): void {
    const doc = this.#doc
    this.#tagged('P', () => doc.text(`${words} `, doc.page.margins.left, doc.y, { width: this.width }))
    this.#tagged('Link', () => doc.fillColor(LINK).text(url, { link: url, underline: true }).fillColor('black'))
  }

  /** Writes a table. Its headings are repeated on every page. */
  table<Name extends string>(columns: Columns<Name>, rows: readonly Row<Name>[]): void {
    writeTable(this.#doc, this.#root, columns, rows)
  }

  /** Writes a line per person for signature and date. */
  signatures(people: readonly { role: string; name: string }[]): void {
    const doc = this.#doc
    const left = doc.page.margins.left
    for (const { role, name } of people) {
      this.keepTogether(52)
      this.skip(30)
      const y = doc.y
      doc.markContent('Artifact', { type: 'Layout' })
      doc.lineWidth(0.5).strokeColor('black')
      doc
        .moveTo(left, y)
        .lineTo(left + 300, y)
        .moveTo(left + 330, y)
        .lineTo(left + this.width, y)
        .stroke()
      doc.endMarkedContent()
      this.text(name ? `${role}: ${name}` : role, { y: y + 3, width: 300 })
      this.text('Date', { x: 330, y: y + 3, width: this.width - 330 })
    }
  }

  /** Leaves this many points empty. */
  skip(points: number): void {
    this.#doc.y += points
  }

  /** Begins a new page. */
  newPage(): void {
    this.#doc.addPage()
  }

  /** Begins a new page when fewer than this many points are left on the present one. */
  keepTogether(points: number): void {
    const { page } = this.#doc
    if (this.#doc.y + points > page.height - page.margins.bottom) this.#doc.addPage()
  }

  /** Ends the document: writes its title, the page number and a note at the foot of each page. */
  end(title: string, note?: string): void {
    const doc = this.#doc
    this.#root.end()
    const { start, count } = doc.bufferedPageRange()
    for (let page = start; page < start + count; page++) {
      doc.switchToPage(page)
      const { height, margins } = doc.page
      const y = height - margins.bottom + 28
      // The text is below the margin, where pdfkit would otherwise begin a new page.
      margins.bottom = 0
      doc.markContent('Artifact', { type: 'Pagination' })
      doc.fillColor(GREY).font('plain').fontSize(8)
      const lines = [`${title} · page ${page + 1} of ${count}`, ...(note === undefined ? [] : [note])]
      for (const [line, text] of lines.entries()) {
        doc.text(text, margins.left, y + line * 12, {
          width: this.width,
          align: 'center',
          height: 12,
          lineBreak: false,
        })
      }
      doc.endMarkedContent()
    }
    doc.end()
  }

  #write(tag: string, text: string, { size = 9, bold, grey, align, x = 0, y, width }: TextStyle): void {
    const doc = this.#doc
    const { left } = doc.page.margins
    this.#tagged(tag, () => {
      doc
        .font(bold ? 'bold' : 'plain')
        .fontSize(size)
        .fillColor(grey ? GREY : 'black')
      doc.text(text, left + x, y ?? doc.y, { width: width ?? this.width - x, ...(align && { align }) })
      doc.font('plain').fontSize(9).fillColor('black')
    })
    doc.x = left
  }

  #tagged(tag: string, write: () => void): void {
    this.#root.add(this.#doc.struct(tag, {}, write))
  }
}
