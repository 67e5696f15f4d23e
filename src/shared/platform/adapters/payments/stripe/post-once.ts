import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'

/** More spent generations than this indicate another problem. */
const LAST_GENERATION = 20

/**
 * Creates one object at Stripe, once, under an idempotency key. While Stripe stores the key (24 hours), a repeat gets
 * the first response again, also when that was an error: the key is then spent. A 500 does not say whether the object
 * was created, so `look` searches for it; only when it is missing, the next generation of the key is tried. All
 * processes count generations alike, so two of them still create one object. `look` also runs when Stripe rejects the
 * request, in case another process was faster.
 * @throws GatewayUnavailable when 20 generations are spent
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

/**
 * Returns whether a response repeats the stored one of the same key. It then has the object's state at the first call.
 */
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
