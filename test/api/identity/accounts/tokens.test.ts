import { generateKeyPairSync } from 'node:crypto'
import { base64url, exportJWK, importJWK, type JSONWebKeySet, type JWK, SignJWT } from 'jose'
import { describe, expect } from 'vitest'
import { createAccessTokens, generateKeySet } from '../../../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { NOW } from '../../../support/app.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'

const keys = await generateKeySet()
const key = keys.keys[0]!

interface Forgery {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  signWith?: JWK
}

const test = sharedSchoolTest({ env: { AUTH_KEYS: JSON.stringify(keys) } })
  .extend(
    'session',
    ({ api }) =>
      async (token: string) =>
        (await api.call('GET', '/auth/session', { token })).statusCode,
  )
  /** A token like ours but for what is given. */
  .extend('forge', ({ school }) => async ({ header, claims, signWith = key }: Forgery = {}): Promise<string> => {
    const { accountId, organizationId, orgUserId } = school.student
    const at = NOW.getTime() / 1000
    const payload = {
      org: organizationId,
      mem: orgUserId,
      sub: String(accountId),
      iat: at,
      exp: at + 3600,
      iss: 'flightline',
      aud: 'flightline-api',
      ...claims,
    }
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid as string, typ: 'JWT', ...header })
      .sign(await importJWK(signWith, 'EdDSA'))
  })

const encode = (value: unknown) => base64url.encode(JSON.stringify(value))

describe('a bearer token (§Authentication)', () => {
  test('is accepted when it is genuine, and each forgery below differs from it in one thing', async ({
    school,
    session,
    forge,
  }) => {
    expect(await session(await forge())).toBe(200)
    expect(await session(school.student.token)).toBe(200)
  })

  test.for<[string, Forgery]>([
    ['an unknown kid', { header: { kid: 'another' } }],
    ['no kid', { header: { kid: undefined } }],
    ['a kid that reaches for a file', { header: { kid: '../../../../dev/null' } }],
    ['a kid that reaches for a query', { header: { kid: "' or 1=1 --" } }],
    ['a kid that reaches for an inherited property', { header: { kid: '__proto__' } }],
    ['another issuer', { claims: { iss: 'elsewhere' } }],
    ['another audience', { claims: { aud: 'elsewhere' } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['an expiry that has come', { claims: { exp: NOW.getTime() / 1000 - 1 } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['a beginning to come', { claims: { nbf: NOW.getTime() / 1000 + 60 } }],
    ['a subject that is no account', { claims: { sub: 'admin' } }],
    ['another type', { header: { typ: 'at+jwt' } }],
    ['somebody else’s membership', { claims: { mem: 1 } }],
    ['a membership of another organization', { claims: { org: 999_999 } }],
  ])('with %s is refused', async ([_, forgery], { session, forge }) => {
    expect(await session(await forge(forgery))).toBe(401)
  })

  test('signed by a foreign key under a kid of the service is refused', async ({ session, forge }) => {
    const foreign = (await generateKeySet()).keys[0]!
    expect(await session(await forge({ signWith: foreign }))).toBe(401)
  })

  test('whose payload was changed after signing is refused', async ({ school, session, forge }) => {
    const [header, payload, signature] = (await forge()).split('.') as [string, string, string]
    const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload)))
    const changed = encode({ ...claims, sub: String(school.owner.accountId), mem: school.owner.orgUserId })
    expect(await session(`${header}.${changed}.${signature}`)).toBe(401)
    expect(await session(`${header}.${payload}.`)).toBe(401)
    expect(await session(`${header}.${payload}`)).toBe(401)
  })

  test('without an algorithm is refused, with or without a signature', async ({ session, forge }) => {
    const [, payload, signature] = (await forge()).split('.') as [string, string, string]
    for (const alg of ['none', 'None', 'NONE', '']) {
      const header = encode({ alg, kid: key.kid, typ: 'JWT' })
      expect(await session(`${header}.${payload}.`)).toBe(401)
      expect(await session(`${header}.${payload}.${signature}`)).toBe(401)
    }
  })

  test('signed with HMAC under the public key is refused, in each form that the key could be taken for a secret', async ({
    school,
    session,
  }) => {
    const { d: _private, ...publicKey } = key
    const secrets = [base64url.decode(publicKey.x as string), JSON.stringify(publicKey), publicKey.x as string]
    for (const secret of secrets) {
      const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret.padEnd(32)) : secret
      const token = await new SignJWT({ org: school.organizationId, mem: school.student.orgUserId })
        .setProtectedHeader({ alg: 'HS256', kid: key.kid as string, typ: 'JWT' })
        .setSubject(String(school.student.accountId))
        .setIssuedAt(NOW.getTime() / 1000)
        .setExpirationTime(NOW.getTime() / 1000 + 3600)
        .setIssuer('flightline')
        .setAudience('flightline-api')
        .sign(bytes)
      expect(await session(token)).toBe(401)
    }
  })

  test('that brings its own key is refused', async ({ session, forge }) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine' }
    const signWith = await exportJWK(privateKey)
    expect(await session(await forge({ header: { kid: 'mine', jwk }, signWith }))).toBe(401)
    expect(await session(await forge({ header: { kid: 'mine', jku: 'https://evil.example/keys' }, signWith }))).toBe(
      401,
    )
  })

  test.for(['', 'x', 'a.b.c', 'Bearer', '💥', 'x'.repeat(5000), '../../etc/passwd', '\u0000'])(
    'that is none (%j) is refused',
    async (token, { api }) => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await api.call('GET', '/auth/session', { headers })
      expect(response.statusCode).toBe(401)
      expect(Object.keys(response.json())).toEqual(['message'])
    },
  )

  test('lives thirty days to the second', async ({ api, school, session }) => {
    const { token, expiresAt } = await api.core.tokens.issue(
      { accountId: school.renter.accountId, organizationId: null, membershipId: null },
      NOW,
    )
    expect(expiresAt.toISOString()).toBe('2026-12-21T12:00:00.000Z')
    api.clock.now = new Date('2026-12-21T11:59:59.999Z')
    expect(await session(token)).toBe(200)
    api.clock.now = new Date('2026-12-21T12:00:00.000Z')
    expect(await session(token)).toBe(401)
    api.clock.now = NOW
  })
})

describe('a key set', () => {
  const claims = { accountId: 7, organizationId: 3, membershipId: 5 }

  test('is rotated without signing anyone out: a new key in front signs, and the old one still verifies', async () => {
    const [old, fresh] = [await generateKeySet(), await generateKeySet()]
    const before = await createAccessTokens(old)
    const during = await createAccessTokens({ keys: [...fresh.keys, ...old.keys] } as JSONWebKeySet)
    const after = await createAccessTokens(fresh)
    const oldToken = (await before.issue(claims, NOW)).token
    const newToken = (await during.issue(claims, NOW)).token
    expect(await during.verify(oldToken, NOW)).toMatchObject(claims)
    expect(await during.verify(newToken, NOW)).toMatchObject(claims)
    expect(await before.verify(newToken, NOW)).toBeNull()
    expect(await after.verify(newToken, NOW)).toMatchObject(claims)
    expect(await after.verify(oldToken, NOW)).toBeNull()
  })

  test('verifies with a public half alone and never signs with it', async () => {
    const [old, fresh] = [await generateKeySet(), await generateKeySet()]
    const { d: _private, ...publicHalf } = old.keys[0]!
    const { token } = await (await createAccessTokens(old)).issue(claims, NOW)
    const rotated = await createAccessTokens({ keys: [...fresh.keys, publicHalf] } as JSONWebKeySet)
    expect(await rotated.verify(token, NOW)).toMatchObject(claims)
    await expect(createAccessTokens({ keys: [publicHalf] } as JSONWebKeySet)).rejects.toThrow('private')
  })
})
