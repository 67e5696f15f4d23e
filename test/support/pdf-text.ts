import { inflateSync } from 'node:zlib'

/** Returns the text of a PDF that pdfkit wrote with embedded fonts, without spaces, in the order of printing. */
export function pdfText(pdf: Buffer): string {
  const objects = objectsOf(pdf.toString('latin1'))
  const fonts = new Map<string, Map<string, string>>()
  for (const { head } of objects.values()) {
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) fonts.set(name!, unicodeOf(id!, objects))
  }
  const pages = [...objects.values()].filter(({ stream }) => stream.includes(' Tf'))
  return pages.map(({ stream }) => printed(stream, fonts)).join('')
}

interface PdfObject {
  head: string
  stream: string
}

function objectsOf(text: string): Map<string, PdfObject> {
  const found = text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)
  return new Map(
    [...found].map(([, id, body = '']) => {
      const [head = '', packed] = body.split('\nstream\n')
      const bytes = packed === undefined ? null : Buffer.from(packed.split('\nendstream')[0]!, 'latin1')
      const stream = bytes === null ? '' : (/FlateDecode/.test(head) ? inflateSync(bytes) : bytes).toString('latin1')
      return [id!, { head, stream }]
    }),
  )
}

/** Returns the characters of a font by their codes. */
function unicodeOf(fontId: string, objects: Map<string, PdfObject>): Map<string, string> {
  const id = /\/ToUnicode (\d+) 0 R/.exec(objects.get(fontId)?.head ?? '')?.[1]
  const map = objects.get(id ?? '')?.stream ?? ''
  const codes = new Map<string, string>()
  for (const [, first, , list] of map.matchAll(/<(\w{4})> <(\w{4})> \[([^\]]*)\]/g)) {
    const from = Number.parseInt(first!, 16)
    for (const [at, [, hex]] of [...list!.matchAll(/<([\w ]+)>/g)].entries()) {
      const code = (from + at).toString(16).padStart(4, '0')
      codes.set(code, Buffer.from(hex!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'))
    }
  }
  return codes
}

function printed(stream: string, fonts: Map<string, Map<string, string>>): string {
  let codes = new Map<string, string>()
  let text = ''
  for (const [, font, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font) codes = fonts.get(font) ?? codes
    for (const [, hex] of shown?.matchAll(/<(\w*)>/g) ?? []) {
      text += (hex!.match(/.{4}/g) ?? []).map((code) => codes.get(code.toLowerCase()) ?? '?').join('')
    }
  }
  return text.replaceAll(/\s/g, '')
}
