import { BOTTOM, type Doc, MARGIN, WIDTH } from './make-pdf.ts'

/** The columns of a table from left to right; points from the margin. */
export type Columns<Name extends string> = Readonly<
  Record<Name, { title: string; x: number; width: number; align?: 'left' | 'right' }>
>

/** A row of texts, one a column. A note stands below it over the whole width, however long it is. */
type Row<Name extends string> = Readonly<Record<Name, string>> & { readonly note?: string }

/** A table with a heading on every page that it needs. A row is not divided; its note may be. */
export function writeTable<Name extends string>(doc: Doc, columns: Columns<Name>, rows: readonly Row<Name>[]): void {
  const names = Object.keys(columns) as Name[]
  const headings = Object.fromEntries(names.map((name) => [name, columns[name].title])) as Record<Name, string>
  writeRow(doc, columns, headings, 'bold')
  for (const row of rows) {
    if (doc.y + heightOf(doc, columns, row) > BOTTOM) {
      doc.addPage()
      writeRow(doc, columns, headings, 'bold')
    }
    writeRow(doc, columns, row, 'plain')
  }
}

function heightOf<Name extends string>(doc: Doc, columns: Columns<Name>, cells: Record<Name, string>): number {
  const heights = (Object.keys(columns) as Name[]).map((name) =>
    doc.heightOfString(cells[name], { width: columns[name].width }),
  )
  return Math.max(...heights) + 7
}

function writeRow<Name extends string>(doc: Doc, columns: Columns<Name>, row: Row<Name>, font: 'plain' | 'bold'): void {
  doc.font(font)
  const y = doc.y
  const height = heightOf(doc, columns, row)
  for (const name of Object.keys(columns) as Name[]) {
    const { x, width, align = 'left' } = columns[name]
    doc.text(row[name], MARGIN + x, y + 3, { width, align })
  }
  doc.font('plain')
  doc.x = MARGIN
  doc.y = y + height
  if (row.note) doc.text(row.note, { width: WIDTH }).moveDown(0.5)
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + WIDTH, doc.y)
    .lineWidth(0.5)
    .strokeColor('#cccccc')
    .stroke()
}
