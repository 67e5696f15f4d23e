interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
}

/** An error response in Stripe's form and, where known, with Stripe's messages. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Whether the work had started. Then the response is stored under the idempotency key. */
  readonly begun: boolean
  readonly headers: Record<string, string>

  constructor(status: number, body: ErrorBody, { begun = true, headers = {} } = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.begun = begun
    this.headers = headers
  }
}

/** Returns a 400 for an operation that the object's state does not allow. */
export function wrongState(message: string, code?: string, param?: string): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, code, param })
}

/** Returns a 400 for a wrong parameter. It is found before any work, so it is not stored under the idempotency key. */
export function badParameter(message: string, param: string, code?: string): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, code, param }, { begun: false })
}

/** Returns a 404 for an unknown object in the path, or a 400 for one in a parameter. */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeFault {
  const message = `No such ${kind}: '${id}'`
  return new StripeFault(status, { type: 'invalid_request_error', message, code: 'resource_missing', param })
}

/** Returns a 402: the card has expired. */
export function expired(): StripeFault {
  const message = 'Your card has expired.'
  return new StripeFault(402, { type: 'card_error', message, code: 'expired_card', decline_code: 'expired_card' })
}

/** Returns a 402: the payer's bank requires authentication, but the payer is not present. */
export function authenticationRequired(): StripeFault {
  const code = 'authentication_required'
  const message = 'Your card was declined. This transaction requires authentication.'
  return new StripeFault(402, { type: 'card_error', message, code, decline_code: code })
}

/** Returns a 402: the card was declined. */
export function declined(): StripeFault {
  return new StripeFault(402, {
    type: 'card_error',
    message: 'Your card was declined.',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
}

/** Returns a 500: an internal error of Stripe. */
export function broken(): StripeFault {
  return new StripeFault(500, { type: 'api_error', message: 'An unknown error occurred' })
}

/** Returns a 429: too many requests; the work has not begun. */
export function tooMany(retryAfterSeconds?: number): StripeFault {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  const message = 'Request rate limit exceeded. Learn more about rate limits at https://stripe.com/docs/rate-limits.'
  return new StripeFault(
    429,
    { type: 'invalid_request_error', message, code: 'rate_limit' },
    { begun: false, headers: { ...headers, 'stripe-rate-limited-reason': 'global-rate' } },
  )
}
