import { parentPort } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'

/** A file to append. */
export interface FileToAppend {
  contentType: string
  bytes: Uint8Array
}

/** A task of the thread: to flatten one file to pages of a PDF, or to append such PDFs to a document. */
export type AppendTask =
  | { kind: 'flatten'; file: FileToAppend; mostPages: number }
  | { kind: 'append'; document: Uint8Array; appendices: readonly Uint8Array[]; note: string }

/** The most bytes to which a part of a file may unpack, and the most pixels of a picture: a few bytes can stand for gigabytes. */
const MOST_UNPACKED = 64_000_000
const MOST_PIXELS = 64_000_000
/** Where the header of a PNG has its width and height. */
const PNG_SIZE = { width: 16, height: 20, end: 24 }

/** The size of US Letter in points, with a margin, for a picture. */
const PAGE = { width: 612, height: 792, margin: 36 }

parentPort?.on('message', (task: AppendTask) => {
  const done = task.kind === 'flatten' ? flatten(task.file, task.mostPages) : append(task)
  done.then(
    (bytes) => parentPort?.postMessage(bytes),
    () => parentPort?.postMessage(null),
  )
})
parentPort?.postMessage('ready')

/**
 * Returns the pages of a file as a PDF of their pictures and text alone: scripts, links, forms, notes and attached files stay behind,
 * because only the contents of each page are drawn on a new one. Null when the file has no page, more than
 * allowed, or unpacks too far.
 */
async function flatten({ contentType, bytes }: FileToAppend, mostPages: number): Promise<Uint8Array | null> {
  if (unpacksTooFar(Buffer.from(bytes), contentType)) return null
  const flat = await PDFDocument.create()
  if (contentType !== 'application/pdf') {
    const picture = contentType === 'image/png' ? await flat.embedPng(bytes) : await flat.embedJpg(bytes)
    const { margin } = PAGE
    const { width, height } = picture.scaleToFit(PAGE.width - 2 * margin, PAGE.height - 2 * margin)
    const page = flat.addPage([PAGE.width, PAGE.height])
    page.drawImage(picture, { x: margin, y: PAGE.height - margin - height, width, height })
    return flat.save()
  }
  const source = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true })
  const pages = source.getPageCount()
  if (pages === 0 || pages > mostPages) return null
  for (const page of source.getPages()) {
    const { x, y, width, height } = page.getCropBox()
    // A page without contents cannot be embedded.
    if (!page.node.Contents()) {
      flat.addPage([width, height])
      continue
    }
    const drawn = await flat.embedPage(page, { left: x, bottom: y, right: x + width, top: y + height })
    const copy = flat.addPage([width, height])
    copy.setRotation(page.getRotation())
    copy.drawPage(drawn)
  }
  return flat.save()
}

function unpacksTooFar(bytes: Buffer, contentType: string): boolean {
  if (contentType === 'image/png') {
    if (bytes.length < PNG_SIZE.end) return true
    return bytes.readUInt32BE(PNG_SIZE.width) * bytes.readUInt32BE(PNG_SIZE.height) > MOST_PIXELS
  }
  if (contentType !== 'application/pdf') return false
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const end = bytes.indexOf('endstream', at)
    const start = at + (bytes.toString('latin1', at + 6, at + 8) === '\r\n' ? 8 : 7)
    try {
      inflateSync(bytes.subarray(start, end < 0 ? undefined : end), { maxOutputLength: MOST_UNPACKED })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return true
    }
  }
  return false
}

async function append({ document, appendices, note }: AppendTask & { kind: 'append' }): Promise<Uint8Array> {
  const whole = await PDFDocument.load(document, { updateMetadata: false })
  const font = await whole.embedFont(StandardFonts.Helvetica)
  for (const appendix of appendices) {
    const source = await PDFDocument.load(appendix, { updateMetadata: false })
    for (const page of await whole.copyPages(source, source.getPageIndices())) {
      page.drawText(note, { x: PAGE.margin, y: 12, size: 7, font })
      whole.addPage(page)
    }
  }
  return whole.save({ useObjectStreams: false })
}
