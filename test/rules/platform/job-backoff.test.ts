import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allJobs } from '../../../src/shared/composition/all-jobs.ts'
import { MeetingUnavailable } from '../../../src/shared/platform/adapters/meetings/meetings.port.ts'
import { OAuthUnavailable } from '../../../src/shared/platform/adapters/oauth/oauth.port.ts'
import { GatewayUnavailable } from '../../../src/shared/platform/adapters/payments/gateway-errors.ts'
import { backoff } from '../../../src/shared/platform/jobs/queue-backend.ts'

/** The pause before the retry that follows this many attempts of a job whose first pause is a second. */
function pause(attemptsMade: number, error?: Error): number {
  const job = { opts: { backoff: { type: 'doubling', delay: 1_000 } } }
  return backoff(attemptsMade, 'doubling', error, job as never) as number
}

const attempts = fc.integer({ min: 1, max: 16 })

describe('the pause before a retry', () => {
  test('doubles with each attempt and loses at most half of itself by chance', () => {
    fc.assert(
      fc.property(attempts, (attempt) => {
        const full = 1_000 * 2 ** (attempt - 1)
        const taken = pause(attempt)
        return taken >= full / 2 && taken <= full
      }),
    )
  })

  test.each([
    ['the processor', GatewayUnavailable],
    ['a provider of meetings', MeetingUnavailable],
    ['an authorization server', OAuthUnavailable],
  ])('is never shorter than the %s that the server asks for', (_, Unavailable) => {
    fc.assert(
      fc.property(attempts, fc.integer({ min: 0, max: 3_600 }), (attempt, seconds) => {
        return pause(attempt, new Unavailable('busy', seconds)) >= seconds * 1_000
      }),
    )
    expect(pause(1, new GatewayUnavailable('busy', 30))).toBe(30_000)
  })

  test('is an hour at most whatever the server asks for, and short when it asks for nothing', () => {
    expect(pause(1, new GatewayUnavailable('busy', 86_400))).toBe(3_600_000)
    expect(pause(1, new GatewayUnavailable('down'))).toBeLessThanOrEqual(1_000)
    expect(pause(1, new Error('down'))).toBeLessThanOrEqual(1_000)
  })
})

describe('a job that notifies, mails, pushes or stores', () => {
  const patient = Object.values(allJobs).filter(
    ({ queue, attempts }) => ['email', 'push', 'notifications', 'upkeep'].includes(queue) && attempts > 1,
  )

  test.each(patient)('is retried for hours while its server is away: $name', ({ attempts, backoffMs }) => {
    const pauses = Array.from({ length: attempts - 1 }, (_, at) => backoffMs * 2 ** at)
    // Each pause may lose half of itself. Mail servers put a stranger off for up to an hour (greylisting).
    const leastMs = pauses.reduce((sum, ms) => sum + ms / 2, 0)
    expect(leastMs).toBeGreaterThan(4 * 3_600_000)
  })
})
