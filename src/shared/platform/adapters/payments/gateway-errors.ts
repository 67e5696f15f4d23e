/** The gateway rejected the call, and a retry would be rejected too. `message` may be shown to the school. */
export class GatewayRefused extends Error {
  /** The gateway's error code (`card_declined`, `email_invalid`), or one of the service (`total_mismatch`). */
  readonly code: string
  /** The request id for the gateway's support; null without a request. */
  readonly requestId: string | null

  constructor(message: string, code: string, requestId: string | null = null) {
    super(message)
    this.name = 'GatewayRefused'
    this.code = code
    this.requestId = requestId
  }
}

/** The gateway is unreachable, busy, or returns an unreadable response: the same call may succeed later. */
export class GatewayUnavailable extends Error {
  /** The delay before a retry; null when the gateway gives none. */
  readonly retryAfterSeconds: number | null
  readonly requestId: string | null

  constructor(message: string, retryAfterSeconds: number | null = null, requestId: string | null = null) {
    super(message)
    this.name = 'GatewayUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
  }
}

/** The bytes do not have a valid, recent signature of the gateway. */
export class BadSignature extends Error {
  constructor() {
    super('The signature does not match.')
    this.name = 'BadSignature'
  }
}
