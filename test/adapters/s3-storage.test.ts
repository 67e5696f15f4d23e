import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStorage } from '../../src/shared/platform/adapters/storage/open-storage.ts'
import { createS3Storage } from '../../src/shared/platform/adapters/storage/s3.ts'
import type { ObjectStorage } from '../../src/shared/platform/adapters/storage/storage.port.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'

/** As much of S3 as the adapter asks for: what is there, what is deleted, and two to a page of a list. */
const objects = new Set<string>()
/** Objects that were written in parts, and the sizes of the parts. */
const written = new Map<string, Buffer>()
const parts: Buffer[] = []
let aborted = 0
let failing = false
let silent = false
let server: Server
let storage: ObjectStorage
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://s3')
    const key = url.pathname.replace('/flightline/', '')
    if (silent) return
    if (failing) return response.writeHead(500).end()
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return void multipart(request, response, url)
    if (request.method === 'GET' && written.has(key)) return response.writeHead(200).end(written.get(key))
    if (request.method === 'GET' && key !== '') return response.writeHead(404).end()
    if (request.method === 'HEAD') {
      return response.writeHead(objects.has(key) ? 200 : 404, { 'content-length': '1234' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = [...objects].filter((object) => object.startsWith(url.searchParams.get('prefix') ?? ''))
    const listed = found.slice(0, 2).map((object) => `<Contents><Key>${object}</Key></Contents>`)
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<ListBucketResult><IsTruncated>${found.length > 2}</IsTruncated>${listed.join('')}</ListBucketResult>`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  storage = await openStorage(configWith({}), { keys: [] })
})
afterAll(() => server.close())
beforeEach(() => {
  failing = false
  silent = false
  objects.clear()
})

/** The four requests of an upload in parts. */
async function multipart(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request))
  const xml = (text: string) => response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
  if (url.searchParams.has('uploads')) {
    parts.length = 0
    return void xml('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>')
  }
  if (request.method === 'PUT') {
    parts.push(body)
    return void response.writeHead(200, { etag: `"${parts.length}"` }).end()
  }
  if (request.method === 'DELETE') {
    aborted += 1
    return void response.writeHead(204).end()
  }
  written.set(url.pathname.replace('/flightline/', ''), Buffer.concat(parts))
  return void xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

async function* lateError() {
  yield Buffer.from('some bytes')
  throw new Error('the snapshot is gone')
}

const optionsOf = (listening: Server) => ({
  bucket: 'flightline',
  region: 'auto',
  endpoint: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not a secret' },
})

function configWith(env: Record<string, string>) {
  const given = {
    S3_BUCKET: 'flightline',
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'not a secret',
  }
  return readConfig({ ...given, ...env }, { HOST: '127.0.0.1' })
}

const inAQuarter = () => new Date(Date.now() + 15 * 60_000)
const key = '7/0f9d2c1e-2f6b-4d8e-9a53-3d1c5b7e9f00.pdf'

describe('object storage', () => {
  test('takes a stream in parts of 8 MiB, and leaves nothing of one that fails', async () => {
    const chunk = Buffer.alloc(3 * 1024 * 1024, 'x')
    await storage.write(key, Readable.from([chunk, chunk, chunk, chunk]))
    expect(parts.map(({ length }) => length / 1024 / 1024)).toEqual([9, 3])
    expect((await buffer((await storage.read(key))!)).length).toBe(4 * chunk.length)
    expect(await storage.read(key.replace('7/', '8/'))).toBeNull()
    const broken = (async function* () {
      yield chunk
      throw new Error('the disk is gone')
    })()
    await expect(storage.write(key, Readable.from(broken))).rejects.toThrow('the disk is gone')
    expect(aborted).toBe(1)
  })

  test('that refuses a stream takes its later error in silence, and destroys it', async () => {
    failing = true
    const content = Readable.from(lateError(), { objectMode: false })
    content.read()
    await expect(storage.write(key, content)).rejects.toThrow()
    expect(content.destroyed).toBe(true)
  })

  test('that does not answer is given up in time', async () => {
    silent = true
    const impatient = createS3Storage({ ...optionsOf(server), timeoutMs: 200 })
    await expect(impatient.sizeOf(key)).rejects.toThrow('200 ms')
    await expect(impatient.read(key)).rejects.toThrow('200 ms')
  })

  test('takes one object of one key, one type and a bounded size, for a quarter of an hour', async () => {
    const { url, fields } = await storage.presignUpload({
      key,
      contentType: 'application/pdf',
      maxBytes: 26_214_400,
      expiresAt: inAQuarter(),
    })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/flightline$/)
    expect(fields).toMatchObject({ key, 'Content-Type': 'application/pdf', 'X-Amz-Signature': expect.any(String) })
    const policy = JSON.parse(Buffer.from(fields.Policy ?? '', 'base64').toString())
    expect(policy.conditions).toEqual(
      expect.arrayContaining([
        { key },
        { bucket: 'flightline' },
        ['eq', '$Content-Type', 'application/pdf'],
        ['content-length-range', 1, 26_214_400],
      ]),
    )
    expect(Math.abs(Date.parse(policy.expiration) - inAQuarter().getTime())).toBeLessThan(5_000)
  })

  test('answers it through a link that names the file and expires', async () => {
    const link = new URL(await storage.presignRead({ key, fileName: 'Flügel.pdf', expiresAt: inAQuarter() }))
    expect(link.pathname).toBe(`/flightline/${key}`)
    expect(Number(link.searchParams.get('X-Amz-Expires'))).toBeGreaterThan(890)
    expect(Number(link.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(900)
    expect(link.searchParams.get('response-content-disposition')).toContain('Fl%C3%BCgel.pdf')
  })

  test('knows what is there, and drops it', async () => {
    objects.add(key)
    expect(await storage.sizeOf(key)).toBe(1_234)
    await storage.remove(key)
    await storage.remove(key)
    expect(await storage.sizeOf(key)).toBeNull()
  })

  test('drops the folder of an organization, page by page, and no other', async () => {
    for (const object of ['7/a.pdf', '7/b.pdf', '7/c.pdf', '7/d.pdf', '70/a.pdf']) objects.add(object)
    await storage.removeAll(7)
    expect([...objects]).toEqual(['70/a.pdf'])
  })

  test('that fails is no answer', async () => {
    failing = true
    await expect(storage.sizeOf(key)).rejects.toThrow()
  })
})

describe('its settings', () => {
  test.each([
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ])('%s without %s does not start', async (_given, missing) => {
    await expect(openStorage(configWith({ [missing]: '' }), { keys: [] })).rejects.toThrow(`${missing} is not set`)
  })
})
