import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../shared/config/config.ts'

/** Lets operators pass (HTTP basic, credentials from the environment); closed to everybody when none are set. */
export function operatorsOnly(config: Config) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { OPS_USER, OPS_PASSWORD } = config
    if (!OPS_USER || !OPS_PASSWORD) {
      await reply.code(404).send({ message: 'There is nothing at this address.' })
      return
    }
    const given = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!same(Buffer.from(given, 'base64').toString(), `${OPS_USER}:${OPS_PASSWORD}`)) {
      await reply
        .code(401)
        .header('www-authenticate', 'Basic realm="Flightline operations", charset="UTF-8"')
        .send({ message: 'This page is for the operators of the service.' })
    }
  }
}

function same(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
