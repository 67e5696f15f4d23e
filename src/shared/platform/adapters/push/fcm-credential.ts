import { createPrivateKey } from 'node:crypto'
import type { Credential, GoogleOAuthAccessToken } from 'firebase-admin/app'
import { SignJWT } from 'jose'

/** The fields of a Google service account's key file that the sign-in needs. */
export interface FcmAccount {
  projectId: string
  clientEmail: string
  /** The private key in PEM. */
  privateKey: string
  /** The token endpoint. */
  tokenUri: string
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * Creates a credential that signs in with a service account (RFC 7523), with the scope of pushes only. The sign-in has a time
 * limit, which the SDK's own credential does not have. The SDK caches the access token until shortly before it expires.
 * @throws Error when the key cannot be read
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
      // The SDK validates the response.
      return (await response.json()) as GoogleOAuthAccessToken
    },
  }
}
