import Stripe from 'stripe'

export interface StripeConnection {
  secretKey: string
  /** The URL of Stripe's API, or of a simulator. */
  apiBase?: string
  /** The time limit of one call, from connecting to the last byte, in milliseconds. */
  timeoutMs?: number
}

/** The default time limit of a call, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 8_000

/**
 * Creates Stripe's client, without telemetry, and without retries, because jobs retry. It uses the `fetch` transport, whose
 * time-out covers the whole call; the default transport restarts the time-out with every byte.
 * @throws RangeError for a URL that is not `http:` or `https:`, or has a path
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

/** Returns the request option that selects a connected account; empty for the service's own account. */
export function inAccount(account: string | null): { stripeAccount?: string } {
  return account === null ? {} : { stripeAccount: account }
}

/**
 * The metadata field with the service's key. It identifies the objects that the service created in a Stripe account.
 */
export const KEY = 'flightlineKey'

/** The longest text that is accepted from Stripe: ids have about thirty characters, URLs about a hundred. */
const LONGEST = 2_000

/** Returns whether the database can store a value as text: a non-empty string that is not too long and has no NUL. */
export function isStorable(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= LONGEST && !text.includes('\u0000')
}
