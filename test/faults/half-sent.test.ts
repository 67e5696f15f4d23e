import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { installDrain } from '../../src/api/http/drain.ts'
import { answerUnreadable, installErrorHandler } from '../../src/api/http/error-handler.ts'
import { installJsonParser } from '../../src/api/http/json-parser.ts'
import { readUploadForm } from '../../src/api/platform/storage/read-form.ts'

/** What the service gives a request to arrive is thirty seconds; here it is this. */
const ARRIVE_MS = 200

const json = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const form = 'POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n'
const field = '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\nx\r\n'
const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nhalf of it'

let app: FastifyInstance
let sockets: Socket[]
beforeEach(async () => {
  app = Fastify({
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: ARRIVE_MS, connectionsCheckingInterval: 50 },
    clientErrorHandler: answerUnreadable,
  })
  installErrorHandler(app)
  installJsonParser(app, { ms: ARRIVE_MS })
  installDrain(app, { arrivingMs: 100, answeringMs: 400 })
  app.get('/', async () => 'here')
  app.post('/', async () => 'here')
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send({}) }, async () => 'here')
  app.get('/large', async () => 'x'.repeat(20_000_000))
  app.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
    scope.post('/form', async (request) => {
      const take = async (_fields: object, part: NodeJS.ReadableStream) => {
        for await (const _chunk of part);
      }
      await readUploadForm(request.raw, take, { ms: ARRIVE_MS })
      return 'here'
    })
  })
  sockets = []
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

function open(text: string): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  socket.write(text)
  return socket
}

/** What is answered to text that is sent and never finished, and to what is sent every now and then. */
async function answerTo(text: string, drip = ''): Promise<string> {
  const socket = open(text)
  const dripping = setInterval(() => socket.write(drip), 40)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  clearInterval(dripping)
  return Buffer.concat(chunks).toString()
}

describe('a request that does not arrive in time', () => {
  test.each([
    ['a body without its end', `${json}content-length: 20\r\n\r\n{"name":`, ''],
    ['a body without any of it', `${json}content-length: 20\r\n\r\n`, ''],
    ['a body that drips', `${json}content-length: 900\r\n\r\n`, 'x'],
    ['a body in chunks without the last', `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`, ''],
    ['a form without a file', `${form}content-length: 900\r\n\r\n${field}`, ''],
    ['a form with half a file', `${form}content-length: 900\r\n\r\n${field}${file}`, ''],
    ['a form with a file that drips', `${form}content-length: 900\r\n\r\n${field}${file}`, 'x'],
    ['headers without their end', 'GET / HTTP/1.1\r\nhost: x\r\n', ''],
    ['headers that drip', 'GET / HTTP/1.1\r\nhost: x\r\nx:', 'y'],
  ])('such as %s is 408 in the envelope, and the connection ends', async (_, text, drip) => {
    const [head = '', body = ''] = (await answerTo(text, drip)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(JSON.parse(body)).toEqual({ message: 'The request took too long to arrive.' })
  })
})

describe('an API that ends', () => {
  test.each([
    ['half a body', `${json}content-length: 20\r\n\r\n{"name":`],
    ['half a body after its refusal', `${json.replace('/', '/refused')}content-length: 20\r\n\r\n{"name":`],
    ['half a body of a request that has none', 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\n\r\nx'],
    ['half a form', `${form}content-length: 900\r\n\r\n${field}${file}`],
    ['half its headers', 'GET / HTTP/1.1\r\nhost: x\r\n'],
    ['its request, and does not take the answer', 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('does not wait for a client that sent %s', async (_, text) => {
    const socket = open(text)
    await pause(50)
    const started = performance.now()
    await app.close()
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(app.server.listening).toBe(false)
    socket.destroy()
  })
})
