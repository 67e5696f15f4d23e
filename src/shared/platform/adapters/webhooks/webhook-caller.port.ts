/** The reasons of a failed attempt. */
export const webhookErrors = ['dns', 'refused_address', 'connect', 'tls', 'timeout', 'too_large', 'status'] as const
export type WebhookError = (typeof webhookErrors)[number]

/** One request to a receiver. */
export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Aborts the request before its own limit of 10 seconds. */
  signal?: AbortSignal
}

/** The result of one request. */
export interface WebhookAnswer {
  /** Null when the receiver answered 2xx. */
  error: WebhookError | null
  /** The status code of the response; null without a response. */
  status: number | null
  /** Milliseconds, rounded to steps of 100. */
  latencyMs: number
  /** The first 2 KiB of the response; null without a response, and for a receiver in a private network. */
  body: string | null
  /** The delay that a Retry-After header gives, in seconds. */
  retryAfterSeconds: number | null
}

/** Sends webhooks, only to addresses that it checked. */
export interface WebhookCaller {
  /** Returns why webhooks cannot go to a URL, as the end of a sentence about it; null when they can. */
  problemOf(url: string): Promise<string | null>
  /** Sends one request. Checks the addresses again and connects only to these. Never throws. */
  post(request: WebhookRequest): Promise<WebhookAnswer>
}
