import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'

/** More spent keys than this means that something else is wrong. */
const LAST_GENERATION = 20

/**
 * Makes one thing at Stripe, once, under an idempotency key of ours. While Stripe remembers the key (24 hours) a repeat
 * gives the first answer again, and that is the trouble when the first answer was a failure: the key is then spent. A
 * 500 does not say whether the thing was made, so we look, and only when it is not there try under the key's next
 * generation. All processes count generations alike, so two of them still make one thing.
 *
 * `look` is also asked when Stripe refuses the request, for the case that another process was faster.
 */
export async function postOnce<T>(
  key: string,
  post: (idempotencyKey: string) => Promise<T>,
  look: () => Promise<T | null>,
): Promise<T> {
  for (let generation = 1; generation <= LAST_GENERATION; generation++) {
    try {
      return await post(generation === 1 ? key : `${key}:${generation}`)
    } catch (error) {
      if (!isSpent(error) && !isRefused(error)) throw error
      const found = await look()
      if (found !== null) return found
      if (!isSpent(error)) throw error
    }
  }
  throw new GatewayUnavailable('The payment processor keeps failing.')
}

/** Whether an answer is one that Stripe gave before, to the same key. It shows the thing as it was then. */
export function isReplayed(answer: { lastResponse: { headers: unknown } }): boolean {
  const { headers } = answer.lastResponse
  return headers instanceof Headers && headers.get('idempotent-replayed') === 'true'
}

function isSpent(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeIdempotencyError) return true
  return error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true'
}

function isRefused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}
