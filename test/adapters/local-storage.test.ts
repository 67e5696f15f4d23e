import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  contentDisposition,
  contentTypeOf,
  looksLike,
  newStorageKey,
} from '../../src/shared/platform/adapters/storage/file-types.ts'
import { createLocalStorage } from '../../src/shared/platform/adapters/storage/local-storage.ts'
import type { ObjectStorage, OwnStore, UploadPolicy } from '../../src/shared/platform/adapters/storage/storage.port.ts'

let directory: string
let storage: ObjectStorage
let own: OwnStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flightline-storage-'))
  storage = createLocalStorage({ directory, publicUrl: 'https://fly.example', secret: randomBytes(32) })
  own = storage.own!
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const now = new Date('2026-11-21T12:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const pdf = Buffer.from('%PDF-1.7\nsome pages\n%%EOF')

function policy(given: Partial<UploadPolicy> = {}): UploadPolicy {
  const key = newStorageKey(7, 'poh.PDF')
  return { key, contentType: 'application/pdf', maxBytes: 1_000, expiresAt: later(15), ...given }
}

const arriving = async () => readdir(join(directory, 'arriving')).catch(() => [])

describe('an object', () => {
  test('comes in under its policy and goes out through its link', async () => {
    const arranged = policy()
    expect(await storage.sizeOf(arranged.key)).toBeNull()
    const { url, fields } = await storage.presignUpload(arranged)
    expect(url).toBe('https://fly.example/uploads')
    await own.receive(own.admit(fields, now), Readable.from([pdf.subarray(0, 3), pdf.subarray(3)]))
    expect(await storage.sizeOf(arranged.key)).toBe(pdf.length)

    const link = new URL(await storage.presignRead({ key: arranged.key, fileName: 'poh.pdf', expiresAt: later(15) }))
    expect(link.pathname).toBe(`/uploads/${arranged.key}`)
    const opened = await own.open({ key: arranged.key, ...queryOf(link) }, later(14))
    expect(opened).toMatchObject({ size: pdf.length, contentType: 'application/pdf', fileName: 'poh.pdf' })
    expect(await buffer(opened.content)).toEqual(pdf)

    await storage.remove(arranged.key)
    await storage.remove(arranged.key)
    expect(await storage.sizeOf(arranged.key)).toBeNull()
    await expect(own.open({ key: arranged.key, ...queryOf(link) }, now)).rejects.toMatchObject({ status: 404 })
  })

  test('is replaced when the same upload is sent again', async () => {
    const arranged = policy()
    await own.receive(arranged, Readable.from([pdf]))
    await own.receive(arranged, Readable.from([Buffer.from('%PDF-1.4\nother')]))
    const url = new URL(await storage.presignRead({ key: arranged.key, fileName: 'a.pdf', expiresAt: later(1) }))
    const { content } = await own.open({ key: arranged.key, ...queryOf(url) }, now)
    expect(String(await buffer(content))).toBe('%PDF-1.4\nother')
  })

  test('goes with the folder of its organization, and no other does', async () => {
    const mine = policy({ key: newStorageKey(70, 'a.pdf') })
    const other = policy({ key: newStorageKey(701, 'a.pdf') })
    for (const arranged of [mine, other]) await own.receive(arranged, Readable.from([pdf]))
    await storage.removeAll(70)
    expect([await storage.sizeOf(mine.key), await storage.sizeOf(other.key)]).toEqual([null, pdf.length])
    await storage.removeAll(70)
  })
})

describe('the size', () => {
  const sized = (bytes: number) => Readable.from([pdf, Buffer.alloc(bytes - pdf.length)])

  test('may be exactly the largest, and not a byte more', async () => {
    const fits = policy()
    await own.receive(fits, sized(1_000))
    expect(await storage.sizeOf(fits.key)).toBe(1_000)
    const tooLarge = policy()
    await expect(own.receive(tooLarge, sized(1_001))).rejects.toMatchObject({ status: 413 })
    expect(await storage.sizeOf(tooLarge.key)).toBeNull()
    expect(await arriving()).toEqual([])
  })
})

describe('the bytes', () => {
  test.each<[string, string, Buffer]>([
    ['a web page', 'application/pdf', Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', 'application/pdf', Buffer.alloc(0)],
    ['too little', 'image/png', Buffer.from([0x89, 0x50, 0x4e])],
    ['a film in the box of a picture', 'image/heic', Buffer.from('\0\0\0\x18ftypmp42\0\0', 'latin1')],
    [
      'a PNG said to be a JPEG',
      'image/jpeg',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]),
    ],
  ])('%s is not %s', async (_what, contentType, bytes) => {
    const arranged = policy({ contentType })
    await expect(own.receive(arranged, Readable.from([bytes]))).rejects.toMatchObject({ status: 400 })
    expect(await storage.sizeOf(arranged.key)).toBeNull()
    expect(await arriving()).toEqual([])
  })

  test.each<[string, string, string]>([
    ['a JPEG', 'image/jpeg', '\xff\xd8\xff\xe0'],
    ['a PNG', 'image/png', '\x89PNG\r\n\x1a\n'],
    ['a PDF', 'application/pdf', '%PDF-1.4'],
    ['a HEIC', 'image/heic', '\0\0\0\x18ftypheic'],
    ['a HEIF', 'image/heif', '\0\0\0\x18ftypmif1'],
  ])('%s is %s', (_what, contentType, bytes) => {
    expect(looksLike(contentType, Buffer.from(bytes, 'latin1'))).toBe(true)
  })

  test('that stop coming leave nothing behind', async () => {
    const arranged = policy()
    const broken = Readable.from(
      (async function* () {
        yield pdf
        throw new Error('the line went dead')
      })(),
    )
    await expect(own.receive(arranged, broken)).rejects.toThrow('the line went dead')
    expect(await storage.sizeOf(arranged.key)).toBeNull()
    expect(await arriving()).toEqual([])
  })
})

describe('an upload form', () => {
  const fieldsOf = async (given: Partial<UploadPolicy> = {}) => (await storage.presignUpload(policy(given))).fields

  test('is good until it expires, and not at that instant', async () => {
    const fields = await fieldsOf()
    expect(own.admit(fields, later(14.999)).expiresAt).toEqual(later(15))
    expect(() => own.admit(fields, later(15))).toThrow(expect.objectContaining({ status: 403 }))
  })

  test.each<[string, (fields: Record<string, string>) => Record<string, string>]>([
    ['another key', (fields) => ({ ...fields, key: newStorageKey(8, 'a.pdf') })],
    ['another type', (fields) => ({ ...fields, 'Content-Type': 'text/html' })],
    ['no type', ({ 'Content-Type': _, ...fields }) => fields],
    ['a field that was not arranged', (fields) => ({ ...fields, acl: 'public-read' })],
    ['no signature', ({ signature: _, ...fields }) => fields],
    ['a changed signature', (fields) => ({ ...fields, signature: `A${fields.signature?.slice(1)}x` })],
    ['nothing at all', () => ({})],
    [
      'a policy of one’s own',
      (fields) => {
        const own = { key: fields.key, contentType: fields['Content-Type'], maxBytes: 1e9, expiresAt: later(999) }
        return { ...fields, policy: Buffer.from(JSON.stringify(own)).toString('base64url') }
      },
    ],
  ])('with %s is refused', async (_what, change) => {
    const fields = change(await fieldsOf())
    expect(() => own.admit(fields, now)).toThrow(expect.objectContaining({ status: 403 }))
  })

  test('of another service is refused', async () => {
    const other = createLocalStorage({ directory, publicUrl: 'https://fly.example', secret: randomBytes(32) })
    const { fields } = await other.presignUpload(policy())
    expect(() => own.admit(fields, now)).toThrow(expect.objectContaining({ status: 403 }))
  })
})

describe('a link', () => {
  test('is refused when it has expired or says something else', async () => {
    const key = newStorageKey(7, 'a.pdf')
    const good = queryOf(new URL(await storage.presignRead({ key, fileName: 'a.pdf', expiresAt: later(15) })))
    const refused = { status: 403 }
    await expect(own.open({ key, ...good }, later(15))).rejects.toMatchObject(refused)
    await expect(own.open({ key: newStorageKey(7, 'a.pdf'), ...good }, now)).rejects.toMatchObject(refused)
    await expect(own.open({ key, ...good, fileName: 'b.html' }, now)).rejects.toMatchObject(refused)
    await expect(own.open({ key, ...good, expires: '9999999999' }, now)).rejects.toMatchObject(refused)
    await expect(own.open({ key, ...good, signature: '' }, now)).rejects.toMatchObject(refused)
  })

  test('leads nowhere outside the folder, whatever its key', async () => {
    for (const key of ['7/../../etc/passwd', '../secret.pdf', '7/x.html', '/etc/passwd']) {
      await expect(storage.sizeOf(key)).rejects.toMatchObject({ status: 404 })
      await expect(storage.presignRead({ key, fileName: 'a', expiresAt: now })).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('a file name', () => {
  test.each([
    ['scan.JPEG', 'image/jpeg'],
    ['a.b.pdf', 'application/pdf'],
    ['photo.heif', 'image/heif'],
    ['drawing.svg', null],
    ['page.html', null],
    ['page.pdf.html', null],
    ['pdf', null],
    ['', null],
  ])('%s is %s', (fileName, contentType) => {
    expect(contentTypeOf(fileName)).toBe(contentType)
  })

  test('goes into a header without breaking it', () => {
    expect(contentDisposition('Flügel "links"\r\n.pdf')).toBe(
      `inline; filename="Fl_gel _links___.pdf"; filename*=UTF-8''Fl%C3%BCgel%20%22links%22%0D%0A.pdf`,
    )
  })
})

function queryOf(link: URL): { fileName: string; expires: string; signature: string } {
  const query = link.searchParams
  return {
    fileName: query.get('fileName') ?? '',
    expires: query.get('expires') ?? '',
    signature: query.get('signature') ?? '',
  }
}

test('halves that a crash left are dropped once nothing was added to them for long enough, and nothing else is', async () => {
  const arranged = policy()
  await own.receive(arranged, Readable.from([pdf]))
  const [left, growing] = ['left', 'growing'].map((name) => join(directory, 'arriving', name))
  for (const half of [left!, growing!]) await writeFile(half, pdf.subarray(0, 4))
  await utimes(left!, later(-2), later(-2))
  await utimes(growing!, now, now)
  expect(await own.dropHalves(now)).toBe(1)
  expect(await arriving()).toEqual(['growing'])
  expect(await storage.sizeOf(arranged.key)).toBe(pdf.length)
  await rm(growing!)
  const unused = createLocalStorage({
    directory: join(directory, 'nothing'),
    publicUrl: 'https://fly.example',
    secret: randomBytes(32),
  })
  expect(await unused.own!.dropHalves(now)).toBe(0)
})
