import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new random secret of an endpoint: `whsec_` and the base64 of 32 random bytes. */
export function drawSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** The signed parts of one attempt. */
export interface SignedAttempt {
  /** `webhook-id`: the event's, the same on every attempt and replay. */
  id: string
  /** The instant of this attempt. */
  at: Date
  body: string
}

/**
 * Returns the headers of one attempt with the names and signatures of Standard Webhooks 1.0: HMAC-SHA256 over id,
 * seconds and body, one signature per secret.
 */
export function signedHeaders({ id, at, body }: SignedAttempt, secrets: readonly string[]): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}
