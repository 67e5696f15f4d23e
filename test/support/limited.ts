import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

/** Expects the answer of a limit that is used up. */
export function limited(response: LightMyRequestResponse): void {
  expect(response.statusCode).toBe(429)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  expect(response.headers['retry-after']).toBe(response.headers['ratelimit-reset'])
  expect(response.headers['ratelimit-remaining']).toBe('0')
  expect(Object.keys(response.json())).toEqual(['message'])
}
