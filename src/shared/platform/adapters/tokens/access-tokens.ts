import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { isId } from '../../kernel/units.ts'

/**
 * The claims of a bearer token: account, organization and membership. A token contains no roles.
 * Implements docs/decisions/0006.
 */
export interface TokenClaims {
  accountId: number
  organizationId: number | null
  membershipId: number | null
  /** Precise to the millisecond. */
  issuedAt: Date
  /**
   * The instant of the sign-in, precise to the millisecond. Refreshing the token and switching the organization keep it. A
   * password reset ends the tokens of earlier sign-ins.
   */
  authTime: Date
  expiresAt: Date
}

export interface AccessTokens {
  /** Issues a token; `authTime` defaults to now. */
  issue(
    claims: Pick<TokenClaims, 'accountId' | 'organizationId' | 'membershipId'> & { authTime?: Date },
    now: Date,
  ): Promise<{ token: string; expiresAt: Date }>
  /** Returns the claims of a token that is signed by a known key and has not expired; null otherwise. */
  verify(token: string, now: Date): Promise<TokenClaims | null>
}

const THIRTY_DAYS_S = 30 * 86_400
const ISSUER = 'flightline'
const AUDIENCE = 'flightline-api'
const REMEMBERED = 10_000

type Key = Awaited<ReturnType<typeof importJWK>>

/**
 * Creates the issuer and verifier of tokens from a JWK set of Ed25519 keys. The first key signs, and all keys verify. To
 * rotate keys without signing anyone out, put a new key first and remove the old one 30 days later.
 * Implements interface §Authentication rule 1.
 * @throws Error when the set has no usable key, or a key is not Ed25519 with a `kid`
 */
export async function createAccessTokens(keySet: JSONWebKeySet): Promise<AccessTokens> {
  const signing = keySet.keys[0]
  if (!signing?.d) throw new Error('the first key must be a private Ed25519 key')
  const verifiers = new Map<string, Key>()
  for (const jwk of keySet.keys) {
    if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || !jwk.kid) throw new Error('every key must be Ed25519 with a kid')
    const { d: _private, ...publicJwk } = jwk
    verifiers.set(jwk.kid, await importJWK(publicJwk, 'EdDSA'))
  }
  const signer = await importJWK(signing, 'EdDSA')
  const verified = new Map<string, TokenClaims>()

  return {
    async issue(claims, now) {
      const issuedAt = now.getTime() / 1000
      const expiresAt = Math.floor(issuedAt) + THIRTY_DAYS_S
      const token = await new SignJWT({
        org: claims.organizationId,
        mem: claims.membershipId,
        authTime: (claims.authTime ?? now).getTime() / 1000,
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: signing.kid as string, typ: 'JWT' })
        .setSubject(String(claims.accountId))
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .sign(signer)
      return { token, expiresAt: new Date(expiresAt * 1000) }
    },

    // Verified tokens are cached, so that the signature is checked only at a token's first use.
    async verify(token, now) {
      const known = verified.get(token)
      if (known) return known.expiresAt > now ? known : null
      const claims = await check(token, verifiers, now)
      if (!claims) return null
      if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value as string)
      verified.set(token, claims)
      return claims
    },
  }
}

async function check(token: string, verifiers: Map<string, Key>, now: Date): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = verifiers.get(header.kid ?? '')
        if (!key) throw new Error('unknown key')
        return key
      },
      {
        algorithms: ['EdDSA'],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: 'JWT',
        currentDate: now,
        requiredClaims: ['sub', 'iat', 'exp'],
      },
    )
    const accountId = Number(payload.sub)
    const { org: organizationId = null, mem: membershipId = null } = payload
    if (!isId(accountId) || !isIdOrNull(organizationId) || !isIdOrNull(membershipId)) return null
    const issuedAt = new Date(Math.round((payload.iat as number) * 1000))
    return {
      accountId,
      organizationId,
      membershipId,
      issuedAt,
      authTime: typeof payload.authTime === 'number' ? new Date(Math.round(payload.authTime * 1000)) : issuedAt,
      expiresAt: new Date((payload.exp as number) * 1000),
    }
  } catch {
    return null
  }
}

function isIdOrNull(value: unknown): value is number | null {
  return value === null || isId(value)
}

/** Returns a new private key as a JWK set, for a first start and for tests. */
export async function generateKeySet(): Promise<JSONWebKeySet> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk: JWK = await exportJWK(privateKey)
  return { keys: [{ ...jwk, alg: 'EdDSA', use: 'sig', kid: await calculateJwkThumbprint(jwk) }] }
}
