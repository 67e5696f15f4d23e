import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { httpErrors } from './http.errors.ts'
import { MOST_NAMES, MOST_VALUES, problemOfShape } from './json-shape.rules.ts'
import { BODY_LIMIT, OPEN_BODY_LIMIT, readBody } from './read-body.ts'

/**
 * Installs the parser of bodies: JSON in UTF-8 only, at most 64 KiB from callers without a token. An empty body counts
 * as no body, whatever its content type is, because some clients send a type without a body. Before validation it
 * refuses `__proto__` keys, deep nesting, and too many values or field names.
 * @param limits.ms How long a body may take to arrive; 30 seconds by default
 * @throws Invalid from the parser when a body is not UTF-8, not JSON, nested too deeply, or has too many values or
 * names.
 */
export function installJsonParser(app: FastifyInstance, limits: { ms?: number } = {}): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const most = request.caller?.account ? BODY_LIMIT : OPEN_BODY_LIMIT
    const bytes = await readBody(payload, { ...limits, most })
    if (bytes.length === 0) return undefined
    assertClaimsUtf8(request.headers['content-type'])
    if (!isUtf8(bytes)) throw httpErrors.bodyNotUtf8()
    const text = bytes.toString()
    const problem = problemOfShape(text)
    if (problem === 'tooDeep') throw httpErrors.bodyTooDeep()
    if (problem === 'tooMany') throw httpErrors.bodyTooWide({ values: MOST_VALUES, names: MOST_NAMES })
    return new Promise((resolve, reject) => {
      parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  })
  app.addHook('onRequest', (request, _reply, next) => {
    // The framework would refuse a malformed content type even without a body.
    const { headers } = request.raw
    if (!wellFormed.test(headers['content-type'] ?? '')) delete headers['content-type']
    next()
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.is404) return undefined
    await readBody(payload, { ...limits, most: 0, tooLarge: httpErrors.notJson })
    return undefined
  })
}

/** Matches a content type: a type and a subtype. */
const wellFormed = /^[^\s/;]+\/[^\s/;]+/

/** Refuses a content type with a character set other than UTF-8. */
function assertClaimsUtf8(type = ''): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1]?.toLowerCase()
  if (charset === undefined || ['utf-8', 'utf8', 'us-ascii'].includes(charset)) return
  throw httpErrors.bodyNotInUtf8()
}
