import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'

/** The last generation of a key that is tried. When all are spent, there is another problem. */
const LAST_GENERATION = 20

/**
 * Creates one object at Stripe, once, with an idempotency key, and returns it. While Stripe stores the key (24 hours), it
 * repeats the first response, also when that is an error: the key is then spent. An error 500 leaves open whether the object
 * was created, so `look` searches for it; only when it finds nothing, the next generation of the key is tried. All processes
 * use the same generations, so two of them still create one object. `look` also runs when Stripe rejects the request, because
 * another process may have been faster.
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

/** Returns whether Stripe repeats the stored response of an earlier call with the same key. It has the object's state at that call. */
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
