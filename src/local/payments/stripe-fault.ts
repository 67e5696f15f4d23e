interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
}

/** An answer that is an error, in Stripe's form and, where known, in Stripe's words. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Whether the work had begun: then the answer is kept under the idempotency key, as a success is. */
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

/** 400 for the state that things are in. */
export function wrongState(message: string, code?: string, param?: string): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, code, param })
}

/** 400 for a parameter, before any work: not kept under the idempotency key. */
export function badParameter(message: string, param: string, code?: string): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, code, param }, { begun: false })
}

/** 404 for an object that a path names, 400 for one that a parameter names. */
export function noSuch(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeFault {
  const message = `No such ${kind}: '${id}'`
  return new StripeFault(status, { type: 'invalid_request_error', message, code: 'resource_missing', param })
}

/** 402: the card said no. */
export function declined(): StripeFault {
  return new StripeFault(402, {
    type: 'card_error',
    message: 'Your card was declined.',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
}

/** 500: something broke on Stripe's side. */
export function broken(): StripeFault {
  return new StripeFault(500, { type: 'api_error', message: 'An unknown error occurred' })
}

/** 429: too many requests; the work never begins. */
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
