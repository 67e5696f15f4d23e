import type { FastifyRequest } from 'fastify'

/** Returns whether the requested host and the client are both this machine. */
export function isLocal({ raw, headers }: FastifyRequest): boolean {
  const host = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return host && !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(raw.socket.remoteAddress ?? '')
}
