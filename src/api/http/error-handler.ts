import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whyUnusable } from '../../shared/platform/db/is-unusable.ts'
import { isAway } from '../../shared/platform/db/lost-connections.ts'
import { Stopped } from '../../shared/platform/db/stoppable.ts'
import { AppError, TooManyRequests } from '../../shared/platform/kernel/errors.ts'
import { httpErrors } from './http.errors.ts'
import { isLocal } from './local-visitor.ts'
import { type ErrorBody, problemOf, problemType, wantsProblem } from './problem.ts'

/**
 * Installs the handler that answers every error in the error envelope. The answer to an unexpected error contains no
 * internals. `inboxUrl` is where `npm start` keeps the mails: whoever must verify an address on this machine is told so.
 * Implements interface §Errors.
 */
export function installErrorHandler(app: FastifyInstance, inboxUrl: string | null = null): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Stopped) return reply.code(CLIENT_GONE).send()
    const { status, body } = toAnswer(error)
    if (inboxUrl !== null && body.code === 'EMAIL_NOT_VERIFIED' && isLocal(request)) {
      body.message = httpErrors.mailIsHere({ message: body.message, inboxUrl })
    }
    if (status >= 500) report(app, request, error)
    if (error instanceof TooManyRequests) reply.header('retry-after', String(error.retryAfterSeconds))
    if (status === 503) reply.header('retry-after', '1')
    // Otherwise late bytes of the body would be read as the next request.
    if (status === 408) reply.header('connection', 'close')
    return sendError(request, reply, status, body)
  })
}

/** The status with which logs and metrics count a request whose client disconnected. No client receives it. */
const CLIENT_GONE = 499

/** How often the log repeats why requests are answered 503, in milliseconds. */
const REPEAT_MS = 60_000
/** When each app last logged each of these reasons. */
const reported = new WeakMap<FastifyInstance, Map<string, number>>()

/**
 * Logs why a request is answered 5xx. The service's own 503, as under overload, and a database that cannot be used are logged once a
 * minute, without a stack: a line for each of thousands of refused requests would take the time of those that are worked on.
 */
function report(app: FastifyInstance, request: FastifyRequest, error: FastifyError): void {
  const unusable = whyUnusable(error) ?? (isAway(error) ? 'there is no connection' : null)
  if (unusable) reportOnce(app, unusable, 'the database cannot be used: requests are 503')
  else if (error instanceof AppError) reportOnce(app, error.message, 'requests are 503')
  else request.log.error({ err: error }, 'request failed')
}

function reportOnce(app: FastifyInstance, reason: string, message: string): void {
  const times = reported.get(app) ?? new Map<string, number>()
  reported.set(app, times)
  if (performance.now() - (times.get(reason) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
  times.set(reason, performance.now())
  app.log.error({ reason }, message)
}

/**
 * Answers a request that the router refuses before it finds a route, because the URL cannot be decoded or is too long.
 */
export function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, body } = toAnswer(error)
  sendError(request, reply, status, body)
}

/** Answers bytes that are not an HTTP request, or a request that does not arrive in time, directly on the socket. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerOnSocket(socket, (unreadable[error.code ?? ''] ?? httpErrors.unreadable)())
}

/** How long a client has to read an answer on the socket before its connection is closed, in milliseconds. */
const TAKE_MS = 1_000

/** Writes an error to a socket that has no other response in progress, and ends it. */
export function answerOnSocket(socket: Socket, { status, message }: AppError): void {
  const body = JSON.stringify({ message })
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'))
  // Further input is not read. The connection is closed even when the client does not close its end.
  const cut = setTimeout(() => socket.destroy(), TAKE_MS)
  socket.once('close', () => clearTimeout(cut))
}

const unreadable: Record<string, () => AppError> = {
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.bodyLate,
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
}

/** Sends an error in the envelope, or as problem details when the request accepts them. */
export function sendError(request: FastifyRequest, reply: FastifyReply, status: number, body: ErrorBody): FastifyReply {
  const asProblem = wantsProblem(request)
  return reply
    .code(status)
    .type(`${asProblem ? problemType : 'application/json'}; charset=utf-8`)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(asProblem ? problemOf(status, body) : body)
}

/** Returns the status and the envelope of an error of the service or of the framework. */
export function toAnswer(error: FastifyError): { status: number; body: ErrorBody } {
  if (error instanceof AppError) return answerOf(error)
  if (error.validation) return { status: 400, body: { message: error.message } }
  const known = frameworkErrors[error.code]
  if (known) return answerOf(known())
  if (isAway(error) || whyUnusable(error)) return answerOf(httpErrors.away())
  const status = error.statusCode
  return answerOf(status !== undefined && status >= 400 && status < 500 ? httpErrors.unreadable() : httpErrors.failed())
}

function answerOf(error: AppError): { status: number; body: ErrorBody } {
  return { status: error.status, body: bodyOf(error) }
}

function bodyOf({ message, code, details }: AppError): ErrorBody {
  // Codes of the framework are not in the catalogue, so they are left out.
  return { message, code: code?.startsWith('FST_') ? undefined : code, details }
}

const frameworkErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => httpErrors.bodyTooLarge({ size: '1 MiB' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: httpErrors.notJson,
  FST_ERR_CTP_INVALID_JSON_BODY: httpErrors.bodyNotJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: httpErrors.bodyEmpty,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: httpErrors.bodyLengthWrong,
  FST_ERR_BAD_URL: httpErrors.addressMalformed,
  FST_ERR_MAX_PARAM_LENGTH: httpErrors.nothingHere,
}
