/** The processor said no, and will say it again: stop at once. `message` may be shown to the school. */
export class GatewayRefused extends Error {
  /** The processor's word for it (`card_declined`, `email_invalid`), or ours (`total_mismatch`). */
  readonly code: string
  /** What to give the processor's support, when there was a request. */
  readonly requestId: string | null

  constructor(message: string, code: string, requestId: string | null = null) {
    super(message)
    this.name = 'GatewayRefused'
    this.code = code
    this.requestId = requestId
  }
}

/** The processor could not be asked, is busy, or gave no answer that can be read: the same call again may succeed. */
export class GatewayUnavailable extends Error {
  /** When to come back, when the processor said so. */
  readonly retryAfterSeconds: number | null
  readonly requestId: string | null

  constructor(message: string, retryAfterSeconds: number | null = null, requestId: string | null = null) {
    super(message)
    this.name = 'GatewayUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
  }
}

/** These bytes are not what the processor signed just now. */
export class BadSignature extends Error {
  constructor() {
    super('The signature does not fit.')
    this.name = 'BadSignature'
  }
}
