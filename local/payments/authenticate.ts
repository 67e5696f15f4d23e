import { createHash, timingSafeEqual } from 'node:crypto'
import { StripeFault } from './stripe-fault.ts'

/**
 * Checks the secret key, given as a bearer token or as the user of basic authentication.
 * @throws StripeFault (401) when the key is missing or wrong
 */
export function authenticate(authorization: string | undefined, secretKey: string): void {
  const key = keyIn(authorization)
  if (key === null) {
    throw refused(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (!timingSafeEqual(digest(key), digest(secretKey))) {
    throw refused(`Invalid API Key provided: ${'*'.repeat(8)}${key.slice(-4)}`)
  }
}

function keyIn(authorization: string | undefined): string | null {
  const [scheme = '', credentials = ''] = authorization?.split(' ', 2) ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials || null
  if (scheme.toLowerCase() !== 'basic') return null
  return Buffer.from(credentials, 'base64').toString().split(':', 1)[0] || null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refused(message: string): StripeFault {
  return new StripeFault(401, { type: 'invalid_request_error', message }, { begun: false })
}
