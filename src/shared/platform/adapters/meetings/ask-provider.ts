import { z } from 'zod'
import { retryAfterSeconds } from '../call-result.ts'
import { MeetingUnavailable, TokenRefused } from './meetings.port.ts'

/** The base URL of a provider's API, and the time limit of one call. */
export interface ProviderAddress {
  name: string
  apiBase: string
  timeoutMs: number
}

export interface ProviderCall {
  method: 'GET' | 'POST'
  path: string
  accessToken: string
  body?: unknown
  /** Aborts the call. */
  signal?: AbortSignal | undefined
}

/** An https URL of a meeting, to which users are sent. */
export const JoinUrl = z.url({ protocol: /^https$/ }).max(2000)

/** Status codes, besides 5xx, for which a later attempt may succeed. */
const passing = new Set([408, 425, 429])

/**
 * Calls a provider within the time limit. Follows no redirect, so that no other host receives the token. Returns the response;
 * `ok` is false when the provider rejected the request. The body of a rejection is null when it is not JSON.
 * @throws TokenRefused when the provider rejects the access token
 * @throws MeetingUnavailable when a later attempt may succeed, or a successful response is not JSON
 */
export async function askProvider(
  { name, apiBase, timeoutMs }: ProviderAddress,
  { method, path, accessToken, body, signal: given }: ProviderCall,
): Promise<{ status: number; body: unknown; ok: boolean }> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(given ? [given] : [])])
  try {
    const response = await fetch(`${apiBase}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    })
    const { status, ok } = response
    if (status === 401) throw new TokenRefused()
    if (status >= 500 || passing.has(status)) {
      throw new MeetingUnavailable(`${name} answered ${status}.`, retryAfterSeconds(response.headers))
    }
    const text = await response.text()
    return { status, ok, body: ok ? JSON.parse(text) : readable(text) }
  } catch (error) {
    if (error instanceof TokenRefused || error instanceof MeetingUnavailable) throw error
    throw new MeetingUnavailable(`${name} gave no answer that can be read.`)
  }
}

/**
 * Returns a provider's response, parsed with a schema.
 * @throws MeetingUnavailable when it does not match the schema
 */
export function inShape<T>(schema: z.ZodType<T>, body: unknown, { name }: ProviderAddress): T {
  const read = schema.safeParse(body)
  if (!read.success) throw new MeetingUnavailable(`${name} gave an answer that cannot be read.`)
  return read.data
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
