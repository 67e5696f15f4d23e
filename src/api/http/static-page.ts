import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
}
type Encoding = keyof typeof compressors

/** A page or document that is the same for everybody while the process runs. It is compressed once, not per request. */
export class StaticPage {
  readonly #body: Buffer
  readonly #type: string
  readonly #encoded = new Map<Encoding, Promise<Buffer>>()

  constructor(body: string, type = 'text/html; charset=utf-8') {
    this.#body = Buffer.from(body)
    this.#type = type
  }

  /** Sends the page in an encoding that the client accepts. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.type(this.#type)
    const encoding = accepted(request.headers['accept-encoding'])
    if (encoding === null) return reply.send(this.#body)
    const encoded = this.#encoded.get(encoding) ?? compressors[encoding](this.#body)
    this.#encoded.set(encoding, encoded)
    return reply.header('content-encoding', encoding).send(await encoded)
  }
}

function accepted(header = ''): Encoding | null {
  const offered = header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return offered.includes('br') ? 'br' : offered.includes('gzip') ? 'gzip' : null
}
