import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAway } from '../../shared/db/is-away.ts'
import { AppError, TooManyRequests } from '../../shared/kernel/errors.ts'

interface ErrorBody {
  message: string
  code?: string | undefined
  details?: unknown
}

/** Renders every failure in the one error envelope. What we did not expect says nothing of the inside. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, body } = toAnswer(error)
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    if (error instanceof TooManyRequests) reply.header('retry-after', String(error.retryAfterSeconds))
    if (status === 503) reply.header('retry-after', '1')
    return send(reply, status, body)
  })
  app.setNotFoundHandler((_request: FastifyRequest, reply: FastifyReply) =>
    send(reply, 404, { message: 'There is nothing at this address.' }),
  )
}

function send(reply: FastifyReply, status: number, body: ErrorBody) {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body)
}

function toAnswer(error: FastifyError): { status: number; body: ErrorBody } {
  if (error instanceof AppError) {
    return { status: error.status, body: { message: error.message, code: error.code, details: error.details } }
  }
  if (error.validation) return { status: 400, body: { message: error.message } }
  const known = frameworkErrors[error.code]
  if (known) return { status: known.status, body: { message: known.message } }
  if (isAway(error)) {
    return { status: 503, body: { message: 'The service is not available right now. Please try again in a moment.' } }
  }
  const status = error.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return { status: 400, body: { message: 'The request could not be read.' } }
  }
  return { status: 500, body: { message: 'Something went wrong on our side. Please try again.' } }
}

const frameworkErrors: Record<string, { status: number; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The request is larger than 1 MiB.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'Please send JSON with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, message: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, message: 'The body is empty.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The body is not as long as its header says.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, message: 'There is nothing at this address.' },
}
