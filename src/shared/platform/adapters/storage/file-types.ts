import { randomUUID } from 'node:crypto'

/** The content types of the accepted file extensions. A browser executes none of them. */
const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
}

export const fileExtensions = Object.keys(contentTypes)

/** The most bytes of one object: 25 MiB. */
export const MAX_OBJECT_BYTES = 25 * 1024 * 1024

/** The number of leading bytes that `looksLike` examines. */
export const SNIFFED_BYTES = 12

/**
 * The format of storage keys: `<organization>/<uuid>.<extension>`, so that no key leads out of its organization's folder.
 * `zip` is for exports, which nobody uploads; `csv` and `json` are for imports, which nobody downloads.
 */
export const storageKey = new RegExp(
  `^[1-9][0-9]{0,9}/[0-9a-f-]{36}\\.(${[...fileExtensions, 'zip', 'csv', 'json'].join('|')})$`,
)

/** Returns the content type of a file name's extension; null for an extension that is not accepted. */
export function contentTypeOf(fileName: string): string | null {
  const [, extension] = /\.([a-z]+)$/i.exec(fileName) ?? []
  return contentTypes[extension?.toLowerCase() ?? ''] ?? null
}

/** Returns a new, unique key in the organization's folder, with the file's extension. */
export function newStorageKey(organizationId: number, fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return `${organizationId}/${randomUUID()}.${extension}`
}

const heifBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Returns whether the first bytes of an object match its type; always true for CSV and JSON. */
export function looksLike(contentType: string, start: Buffer): boolean {
  switch (contentType) {
    case 'image/jpeg':
      return start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
    case 'image/png':
      return start.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    case 'application/pdf':
      return start.subarray(0, 5).toString('latin1') === '%PDF-'
    case 'image/heic':
    case 'image/heif':
      return (
        start.subarray(4, 8).toString('latin1') === 'ftyp' && heifBrands.has(start.subarray(8, 12).toString('latin1'))
      )
    // An import can begin with any text. The code that reads it checks it.
    case 'text/csv':
    case 'application/json':
      return true
    default:
      return false
  }
}

/** Returns the `Content-Disposition` of an object: shown in the browser, and saved under its file name. */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `inline; filename="${plain}"; filename*=UTF-8''${exact}`
}
