import type { FastifyBaseLogger } from 'fastify'
import type { Core } from '../../shared/composition/core.ts'
import type { RateLimits } from './rate-limit.ts'

/** The dependencies of the API process. Mails and pushes are absent, because only workers send them. */
export interface Services extends Omit<Core, 'mailer' | 'push' | 'close'> {
  rateLimits: RateLimits
  log: FastifyBaseLogger
}
