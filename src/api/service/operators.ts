import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasOperators, isOperator, OPERATORS_CHALLENGE } from '../../shared/platform/authz/operators.ts'
import { TooManyRequests, Unauthenticated } from '../../shared/platform/kernel/errors.ts'
import { networkOf } from '../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import type { Services } from '../http/services.ts'

/**
 * Returns the check for operators (HTTP basic authentication, credentials from the environment). It answers 404 when no
 * credentials are set, and 401 without the right password. After ten wrong passwords from one network in 15 minutes it
 * answers 429, also to the right password.
 */
export function operatorsOnly({ config, rateLimits }: Pick<Services, 'config' | 'rateLimits'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (!hasOperators(config)) {
      reply.callNotFound()
      return reply
    }
    const { authorization } = request.headers
    const network = networkOf(request.ip)
    const run = async () => {
      if (!isOperator(authorization, config)) throw platformErrors.signIn()
    }
    try {
      // A request without credentials does not count: browsers first send one without them.
      await (authorization === undefined
        ? run()
        : rateLimits.attempt(reply, [['operatorsNetwork', network]], { run, failed: () => true }))
    } catch (error) {
      if (authorization !== undefined) request.log.warn({ network }, 'an operators’ sign-in was refused')
      await refuse(reply, error)
    }
  }
}

/** Sends the refusal directly, because the dashboard has its own error handler. */
async function refuse(reply: FastifyReply, error: unknown): Promise<void> {
  if (error instanceof TooManyRequests) {
    const { message, retryAfterSeconds } = error
    await reply.code(429).header('retry-after', String(retryAfterSeconds)).send({ message })
  } else if (error instanceof Unauthenticated) {
    await reply
      .code(401)
      .header('www-authenticate', OPERATORS_CHALLENGE)
      .send({ message: 'This page is for the operators of the service.' })
  } else throw error
}
