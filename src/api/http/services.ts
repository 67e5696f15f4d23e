import type { FastifyBaseLogger } from 'fastify'
import type { Core } from '../../shared/composition/core.ts'
import type { RateLimits } from './rate-limit.ts'
import type { ReadPlaces } from './read-places.ts'

/** The dependencies of the API process. Mails and pushes are absent, because only workers send them. */
export interface Services extends Omit<Core, 'mailer' | 'push' | 'close' | 'replicas'> {
  rateLimits: RateLimits
  /** Where reads go; absent without replicas. */
  readPlaces?: ReadPlaces | null
  log: FastifyBaseLogger
}
