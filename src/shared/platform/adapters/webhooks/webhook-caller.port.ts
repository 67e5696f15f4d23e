/** Why an attempt failed. */
export const webhookErrors = ['dns', 'refused_address', 'connect', 'tls', 'timeout', 'too_large', 'status'] as const
export type WebhookError = (typeof webhookErrors)[number]

/** One request to a receiver. */
export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Ends the request early, beside its own limit of 10 seconds. */
  signal?: AbortSignal
}

/** What came of one request. */
export interface WebhookAnswer {
  /** Null when the receiver answered 2xx. */
  error: WebhookError | null
  /** The status of the answer; null without one. */
  status: number | null
  /** In steps of 100 ms. */
  latencyMs: number
  /** The first 2 kB of the answer; null without one, and for a receiver in a private network. */
  body: string | null
  /** What a Retry-After header says. */
  retryAfterSeconds: number | null
}

/** Sends webhooks, to addresses that it has checked. */
export interface WebhookCaller {
  /** Returns why webhooks cannot go to an address, as the end of a sentence about it; null when they can. */
  problemOf(url: string): Promise<string | null>
  /** Makes one request. Checks the address again and connects to what it has checked; never throws. */
  post(request: WebhookRequest): Promise<WebhookAnswer>
}
