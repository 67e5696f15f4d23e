import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { isForeignHost } from '../servers/host-header-guard.ts'
import { nameTakenPort } from '../servers/ports.ts'
import type { Fault, Faults } from './faults.ts'
import type { Inbox } from './inbox.ts'

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The content security policy of a mail: no scripts, no external resources, no origin. Links open in a new page. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const NO_SUCH_MAIL = { message: 'There is no such mail.' }

/**
 * Serves the inbox page, its REST interface and the control of faults.
 * @throws PortTaken naming MAIL_WEB_PORT.
 */
export async function serveInbox(listen: { port: number; host: string }, inbox: Inbox, faults: Faults) {
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    if (isForeignHost(listen.host, request.hostname)) {
      await reply.code(403).send({ message: 'The inbox answers to localhost only.' })
    }
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  servePage(app)
  serveMails(app, inbox)
  serveFaults(app, faults)

  try {
    await app.listen({ port: listen.port, host: listen.host })
  } catch (error) {
    await app.close()
    throw nameTakenPort(error, listen.port, 'MAIL_WEB_PORT')
  }
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}

function servePage(app: FastifyInstance): void {
  for (const [path, file, type] of [
    ['/', 'inbox.html', 'text/html'],
    ['/inbox.css', 'inbox.css', 'text/css'],
    ['/inbox.js', 'inbox.js', 'text/javascript'],
  ] as const) {
    const content = readFileSync(new URL(`./page/${file}`, import.meta.url), 'utf8')
    app.get(path, (_request, reply) =>
      reply.header('content-security-policy', PAGE_POLICY).type(`${type}; charset=utf-8`).send(content),
    )
  }
}

type ById = { Params: { id: string } }

function serveMails(app: FastifyInstance, inbox: Inbox): void {
  app.get('/email', (request, reply) => {
    reply.headers({ etag: inbox.version, 'cache-control': 'no-cache' })
    return request.headers['if-none-match'] === inbox.version ? reply.code(304).send() : reply.send(inbox.all())
  })

  app.get<ById>('/email/:id', (request, reply) => {
    const mail = inbox.find(request.params.id)
    return mail ? reply.send(mail) : reply.code(404).send(NO_SUCH_MAIL)
  })

  app.get<ById>('/email/:id/html', (request, reply) => {
    const mail = inbox.find(request.params.id)
    if (!mail) return reply.code(404).send(NO_SUCH_MAIL)
    return reply.header('content-security-policy', MAIL_POLICY).type('text/html; charset=utf-8').send(mail.html)
  })

  app.delete('/email', (_request, reply) => {
    inbox.clear()
    return reply.code(204).send()
  })

  app.delete<ById>('/email/:id', (request, reply) =>
    inbox.remove(request.params.id) ? reply.code(204).send() : reply.code(404).send(NO_SUCH_MAIL),
  )
}

const FAULT_SCHEMA = {
  type: 'object',
  required: ['recipient', 'kind'],
  additionalProperties: false,
  properties: {
    recipient: { type: 'string', minLength: 1, maxLength: 320 },
    kind: { enum: ['refuse', 'defer', 'hang'] },
    times: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
  },
}

function serveFaults(app: FastifyInstance, faults: Faults): void {
  app.get('/_catcher/faults', () => faults.all())

  app.post<{ Body: Fault }>('/_catcher/faults', { schema: { body: FAULT_SCHEMA } }, (request, reply) => {
    faults.add(request.body)
    return reply.code(204).send()
  })

  app.delete('/_catcher/faults', (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
}
