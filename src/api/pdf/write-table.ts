import type PDFDocument from 'pdfkit'

export type Doc = InstanceType<typeof PDFDocument>
export type StructureElement = ReturnType<Doc['struct']>

/** The columns of a table from left to right. Widths are in points; a column without one takes the remaining width. */
export type Columns<Name extends string> = Readonly<
  Record<Name, { title: string; width?: number; align?: 'left' | 'right' }>
>

/** A row of texts, one per column. A note of any length is written below the row, over the whole width. */
export type Row<Name extends string> = Readonly<Record<Name, string>> & { readonly note?: string }

type Table = PDFKit.Mixins.PDFTableObject
/** The options of a table, with the position in the document's structure that the type definitions do not have. */
type TableOptions = PDFKit.Mixins.TableOptions & { structParent: StructureElement }

/** The space around the text of a cell in points: top and bottom, left and right. */
const PADDING = { vertical: 3.5, horizontal: 3 }
/** Divides a note into parts of about 1,500 characters, because a row of a table cannot continue on the next page. */
const NOTE_PART = /[\s\S]{1,1500}(?=\s|$)|[\s\S]{1,1500}/g

interface Line {
  cells: string[]
  heading?: boolean
  /** Whether the row has one cell over all columns. */
  note?: boolean
  /** Whether a note follows. There is then no line below the row. */
  open?: boolean
}

/**
 * Writes a table as children of a structure element, as one table with headings per page. A row is never divided
 * between pages; its note can be.
 */
export function writeTable<Name extends string>(
  doc: Doc,
  parent: StructureElement,
  columns: Columns<Name>,
  rows: readonly Row<Name>[],
): void {
  const names = Object.keys(columns) as Name[]
  const { width, height, margins } = doc.page
  const room = width - margins.left - margins.right
  const taken = names.reduce((sum, name) => sum + (columns[name].width ?? 0), 0)
  const open = names.filter((name) => columns[name].width === undefined).length
  const widths = names.map((name) => columns[name].width ?? (room - taken) / open)

  const headings: Line = { cells: names.map((name) => columns[name].title), heading: true }
  const lines = rows.flatMap((row): Line[] => {
    const notes = row.note?.match(NOTE_PART) ?? []
    return [
      { cells: names.map((name) => row[name]), open: notes.length > 0 },
      ...notes.map((note, index) => ({ cells: [note.trim()], note: true, open: index < notes.length - 1 })),
    ]
  })

  const heightOf = ({ cells, note, heading }: Line) => {
    doc.font(heading ? 'bold' : 'plain')
    const heights = cells.map((text, index) =>
      doc.heightOfString(text, { width: (note ? room : (widths[index] ?? 0)) - 2 * PADDING.horizontal }),
    )
    return Math.max(...heights) + 2 * PADDING.vertical
  }
  const begin = () => {
    const options: TableOptions = {
      structParent: parent,
      position: { x: margins.left, y: doc.y },
      maxWidth: room,
      columnStyles: names.map((name, index) => ({
        width: widths[index] ?? 0,
        align: { x: columns[name].align ?? 'left' },
      })),
      defaultStyle: { padding: [PADDING.vertical, PADDING.horizontal], borderColor: '#cccccc' },
    }
    return add(doc.table(options), headings)
  }
  const add = (table: Table, { cells, heading, note, open: isOpen }: Line) => {
    doc.font(heading ? 'bold' : 'plain')
    return table.row(
      cells.map((text) => ({
        text,
        border: [0, 0, isOpen ? 0 : 0.5, 0],
        ...(heading && { type: 'TH' as const, scope: 'Column' }),
        ...(note && { colSpan: names.length, align: { x: 'left' as const } }),
      })),
    )
  }

  let table = begin()
  for (const line of lines) {
    if (doc.y + heightOf(line) > height - margins.bottom - 1) {
      table.end()
      doc.addPage()
      table = begin()
    }
    table = add(table, line)
  }
  table.end()
  doc.font('plain')
  doc.x = margins.left
}
