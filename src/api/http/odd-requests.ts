import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerOnSocket } from './error-handler.ts'
import { httpErrors } from './http.errors.ts'

/**
 * Handles unusual requests that the HTTP server would otherwise answer itself or interpret differently, and answers
 * them in the error envelope.
 */
export function installOddRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, next) => {
    if (hostsOf(request.raw) > 1) return next(httpErrors.hostTwice())
    if (hostsOf(request.raw) < 1 && request.raw.httpVersion === '1.1') {
      return next(httpErrors.hostMissing())
    }
    if (!decodes(request.raw.url ?? '')) return next(httpErrors.addressMalformed())
    next()
  })
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ message: 'The service expects nothing but 100-continue.' })
    response
      .writeHead(417, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'x-request-id': randomUUID(),
        'cache-control': 'no-store',
      })
      .end(body)
  })
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerOnSocket(socket, httpErrors.nothingHere())
  })
}

function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts
}

/** Returns whether a URL, including its query, can be decoded as UTF-8. */
function decodes(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
