import Stripe from 'stripe'

export interface StripeConnection {
  secretKey: string
  /** Where Stripe's API is; another address is a stand-in for it. */
  apiBase?: string
  /** How long one call may take, from connecting to the last byte, in milliseconds. */
  timeoutMs?: number
}

/** A call that Stripe has not answered by then is given up. */
const DEFAULT_TIMEOUT_MS = 8_000

/**
 * Stripe's own client. It never repeats a call by itself, since the job does; the `fetch` transport is what makes the
 * time-out cover the whole call (the default one starts again with every byte). It reports nothing home.
 * @throws RangeError for an address that is not `http:` or `https:`, or has a path.
 */
export function connectStripe({ secretKey, apiBase, timeoutMs = DEFAULT_TIMEOUT_MS }: StripeConnection): Stripe {
  return new Stripe(secretKey, {
    ...(apiBase === undefined ? {} : addressOf(apiBase)),
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  })
}

function addressOf(apiBase: string): { host: string; port?: string; protocol: 'http' | 'https' } {
  const { protocol, hostname, port, pathname, search } = new URL(apiBase)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError("The processor's address is http:// or https://.")
  if (pathname !== '/' || search) throw new RangeError("The processor's address is a host and a port.")
  const secure = protocol === 'https:'
  return { host: hostname, port: port || (secure ? '443' : '80'), protocol: secure ? 'https' : 'http' }
}

/** Whose books a call is about: the header that Stripe reads for connected accounts. */
export function inAccount(account: string | null): { stripeAccount?: string } {
  return account === null ? {} : { stripeAccount: account }
}
