import type { FastifyBaseLogger } from 'fastify'
import type { Core } from '../../shared/composition/core.ts'
import type { RateLimits } from './rate-limit.ts'

/**
 * What the API process is made of. Handed to `buildApp`, by the server and by tests alike. Mails and pushes go out from
 * the workers alone.
 */
export interface Services extends Omit<Core, 'mailer' | 'push' | 'close'> {
  rateLimits: RateLimits
  log: FastifyBaseLogger
}
