import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'

/** More used-up keys than this indicate another problem. */
const LAST_GENERATION = 20

/**
 * Creates one object at Stripe, once, under an idempotency key. While Stripe stores the key (24 hours), a repeat gets
 * the first response again, also when that was an error: the key is then used up. A 500 does not say whether the object
 * was created, so `look` searches for it, and only when it is missing the next generation of the key is tried. All
 * processes count generations alike, so two of them still create one object.
 *
 * `look` also runs when Stripe rejects the request, in case another process was faster.
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

/** Returns whether a response is a stored one for the same key. It has the object's state of then. */
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
