import { createPrivateKey } from 'node:crypto'
import type { Credential, GoogleOAuthAccessToken } from 'firebase-admin/app'
import { SignJWT } from 'jose'

/** What of a Google service account's key file signs us in. */
export interface FcmAccount {
  projectId: string
  clientEmail: string
  /** PEM. */
  privateKey: string
  /** Where an access token is given for what the key signs. */
  tokenUri: string
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * Signs in with a service account (RFC 7523), within a stated time, for pushes and nothing else. The SDK keeps the access
 * token until shortly before it expires. Its own credential waits for ever for a sign-in that does not answer.
 * @throws when the key cannot be read.
 */
export function createFcmCredential({ clientEmail, privateKey, tokenUri }: FcmAccount, timeoutMs: number): Credential {
  const key = createPrivateKey(privateKey)
  return {
    async getAccessToken() {
      const assertion = await new SignJWT({ scope: SCOPE })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(clientEmail)
        .setAudience(tokenUri)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key)
      const response = await fetch(tokenUri, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: GRANT, assertion }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (!response.ok) throw new Error(`The sign-in was answered with ${response.status}.`)
      // The SDK checks what it is given.
      return (await response.json()) as GoogleOAuthAccessToken
    },
  }
}
