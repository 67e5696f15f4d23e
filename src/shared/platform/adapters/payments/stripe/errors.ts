import Stripe from 'stripe'
import { BadSignature, GatewayRefused, GatewayUnavailable } from '../gateway-errors.ts'

const CANNOT_REACH = 'The payment processor cannot be reached.'
const BUSY = 'The payment processor is busy.'
const FAILED = 'The payment processor failed to answer.'
const UNREADABLE = 'The payment processor gave an answer that cannot be read.'
const NOT_LET_IN = "The payment processor does not accept this service's key."
const NOT_CONNECTED = "The school's payment account is not connected, or not to this service."

const REFUSALS: Record<string, string> = {
  account_invalid: NOT_CONNECTED,
  amount_too_large: 'The amount is above what the payment processor takes.',
  amount_too_small: 'The amount is below what the payment processor takes.',
  charge_already_refunded: 'The payment was given back already.',
  email_invalid: "The payment processor refuses the payer's email address.",
  resource_missing: 'The payment processor no longer has what this invoice needs.',
}

/**
 * Runs calls to Stripe and classifies their errors. A rejected API key counts as unavailable, because an operator can fix it
 * and the invoices can wait.
 * @throws GatewayRefused when a retry cannot succeed
 * @throws GatewayUnavailable for other errors
 */
export async function sortingErrors<T>(conversation: () => Promise<T>): Promise<T> {
  try {
    return await conversation()
  } catch (error) {
    throw sorted(error)
  }
}

function sorted(error: unknown): Error {
  if (error instanceof GatewayRefused || error instanceof GatewayUnavailable || error instanceof BadSignature) {
    return error
  }
  const failure = error instanceof Stripe.errors.StripeError ? fromStripe(error) : new GatewayUnavailable(UNREADABLE)
  failure.cause = error
  return failure
}

function fromStripe(error: Stripe.errors.StripeError): Error {
  const { statusCode: status } = error
  const requestId = error.requestId ?? null
  const later = (message: string) => new GatewayUnavailable(message, retryAfterSeconds(error), requestId)

  if (error instanceof Stripe.errors.StripeConnectionError) return later(CANNOT_REACH)
  if (status === undefined) return later(UNREADABLE)
  if (status === 401) return later(NOT_LET_IN)
  if (status === 409 || error instanceof Stripe.errors.StripeRateLimitError) return later(BUSY)
  if (status >= 500 || error instanceof Stripe.errors.StripeIdempotencyError) return later(FAILED)
  return new GatewayRefused(refusal(error), error.code ?? error.rawType ?? 'refused', requestId)
}

/**
 * Returns the message of a rejection. Stripe writes the messages of card errors for payers; its other messages are for
 * developers and are replaced.
 */
function refusal(error: Stripe.errors.StripeError): string {
  if (error instanceof Stripe.errors.StripeCardError && error.message) return error.message
  const known = REFUSALS[error.code ?? '']
  if (known) return known
  if (error.statusCode === 403) return NOT_CONNECTED
  return `The payment processor refused the request (${error.code ?? 'no reason given'}).`
}

function retryAfterSeconds(error: Stripe.errors.StripeError): number | null {
  const seconds = Number(error.headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null
}
