import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether it is a page or document that is the same for everybody. Such a response has an ETag too. */
    page?: boolean
  }
}

/** The parts of an endpoint's declaration that decide whether its answer has an ETag. */
interface Declared {
  read?: unknown
  secret?: boolean
  links?: boolean
}

/**
 * Adds an ETag of the answered bytes to every successful read, and answers 304 when the client has the same bytes. It
 * runs on the finished response, so a caller without the right to read gets the same error with and without a
 * condition. Only the reader's own cache may store an answer with an ETag, and it must revalidate it before each use.
 * Implements RFC 9110 §8.8.3 and §13.1.2.
 */
export function installConditions(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    if (!hasTag(request, reply, payload)) return next(null, payload)
    const bytes = bytesOf(payload)
    const { links } = (request.routeOptions.config.endpoint ?? {}) as Declared
    const tag = tagOf(links ? withoutLinks(bytes) : bytes)
    reply.header('etag', tag)
    // No 304 for these: the client's copy can contain links that have expired.
    if (links) return next(null, bytes)
    if (reply.getHeader('cache-control') === 'no-store') reply.header('cache-control', 'private, no-cache')
    if (!holds(request.headers['if-none-match'], tag)) return next(null, bytes)
    reply.code(304).removeHeader('content-type')
    // The framework reads the length of the answer to a HEAD, which cannot be null.
    next(null, request.method === 'HEAD' ? '' : null)
  })
}

/**
 * Adds the encoding to the ETag of a compressed answer, because its bytes differ from the uncompressed ones, and removes
 * the length that the framework gives a 304 to a HEAD. Applies to the routes that are added after this call, and runs
 * after the compression.
 */
export function installTagsOfEncodings(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, next) => {
      const [tag, encoding] = [reply.getHeader('etag'), reply.getHeader('content-encoding')]
      if (typeof tag === 'string' && typeof encoding === 'string') reply.header('etag', encodedTag(tag, encoding))
      if (reply.statusCode === 304) reply.removeHeader('content-length')
      next(null, payload)
    })
  })
}

/**
 * The length in characters from which an answer is encoded to bytes only once. Shorter ones are encoded for the ETag,
 * the compression and the socket each.
 */
const LONG = 16_384

function bytesOf(payload: string | Buffer): string | Buffer {
  return typeof payload === 'string' && payload.length >= LONG ? Buffer.from(payload) : payload
}

/**
 * Returns an answer without the query strings of its links. They contain signatures, which differ from answer to
 * answer.
 */
export function withoutLinks(payload: string | Buffer): string {
  return payload.toString().replace(/("url":"[^"?]*)\?[^"]*"/g, '$1"')
}

/** Returns the tag of an answer's bytes, before compression. */
export function tagOf(payload: string | Buffer): string {
  return `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`
}

/** Returns whether an `If-Match` or `If-None-Match` header names a tag, in any of its encodings; `*` names all. */
export function holds(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((given) => plainTag(given.trim()) === tag)
}

function hasTag(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (reply.statusCode !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  const { endpoint, page } = request.routeOptions.config
  const { read, secret } = (endpoint ?? {}) as Declared
  return payload.length > 0 && (page === true || (read !== undefined && secret !== true))
}

function encodedTag(tag: string, encoding: string): string {
  return tag.replace(/"$/, `-${encoding}"`)
}

function plainTag(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"')
}
