import { test as base, describe, expect } from 'vitest'
import { browserCookie } from '../../../../src/api/communication/meetings/browser-cookie.ts'
import type { MeetingProvider } from '../../../../src/shared/communication/communication.tables.ts'
import { NOW, startTestApp } from '../../../support/app.ts'
import { buildSchool } from '../../../support/builders.ts'
import { expectOk } from '../../../support/flights.ts'
import {
  atProvider,
  beginUrl,
  browse,
  comeBack,
  connect,
  connectionOf,
  openHere,
  PUBLIC_URL,
  startMeetings,
} from '../../../support/meetings.ts'

const providers = ['zoom', 'google'] as const
const page = (provider: MeetingProvider, error?: string) =>
  `${PUBLIC_URL}/connected-account?provider=${provider}${error ? `&error=${error}` : ''}`

const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  .extend('env', { scope: 'file' }, async ({}, { onCleanup }) => {
    const env = await startMeetings({ workers: false })
    onCleanup(() => env.close())

    return env
  })
  .extend('school', ({ env }) => env.school())

  .extend(
    'begin',
    ({ env, school }) =>
      () =>
        beginUrl(env, school.instructor, 'zoom'),
  )

  .extend(
    'agreed',
    ({ school, env }) =>
      async (member = school.instructor) =>
        browse(await atProvider(env, member, 'zoom')),
  )

test.afterEach(({ env }) => {
  env.api.clock.now = NOW
  for (const { person } of Object.values(env.oauth)) person.agrees = true
})

describe.each(providers)('connecting an account at %s', (provider) => {
  test('goes to the provider’s page and back once the person agrees', async ({ school, env }) => {
    const { instructor } = school
    expect(await connectionOf(env, instructor, provider)).toEqual({
      provider,
      connected: false,
      accountEmail: null,
      needsReconnect: false,
      connectedAt: null,
    })
    expect(await connect(env, instructor, provider)).toBe(page(provider))
    expect(await connectionOf(env, instructor, provider)).toEqual({
      provider,
      connected: true,
      accountEmail: `captain@${provider}.example`,
      needsReconnect: false,
      connectedAt: NOW.toISOString(),
    })
    expect(await connectionOf(env, school.student, provider)).toMatchObject({ connected: false })
  })

  test('requests the code with PKCE and a new state each time', async ({ env, school }) => {
    const [one, other] = [
      (await atProvider(env, school.instructor, provider)).url,
      (await atProvider(env, school.instructor, provider)).url,
    ]
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: env.oauth[provider].clientId,
      redirect_uri: `${PUBLIC_URL}/integrations/${provider}/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{32}\.[\w-]{43}$/),
    })
    expect(other.searchParams.get('state')).not.toBe(one.searchParams.get('state'))
    expect(other.searchParams.get('code_challenge')).not.toBe(one.searchParams.get('code_challenge'))
  })

  test('answers the address as data to a script in a browser, which cannot follow the redirect', async ({
    school,
    env,
  }) => {
    const asked = { token: school.instructor.token }
    const response = await env.api.call('GET', `/integrations/${provider}/authorize?as=json`, asked)
    expect(response.statusCode).toBe(200)
    const { url } = await browse(await openHere(env, response.json().data.url))
    expect(url.href).toContain(`/integrations/${provider}/callback?`)
  })

  test('ends without an account when the person refuses', async ({ env, school }) => {
    env.oauth[provider].person.agrees = false
    expect(await connect(env, school.instructor, provider)).toBe(page(provider, 'access_denied'))
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({ connected: false })
  })

  test('a second time replaces the account and repairs a broken one', async ({ school, env }) => {
    const { instructor } = school
    await connect(env, instructor, provider)
    await env.api.core.database.db
      .updateTable('connected_account')
      .set({ broken_at: NOW })
      .where('membership_id', '=', instructor.orgUserId)
      .execute()
    expect(await connectionOf(env, instructor, provider)).toMatchObject({ connected: true, needsReconnect: true })
    env.api.clock.now = new Date(NOW.getTime() + 60_000)
    expect(await connect(env, instructor, provider)).toBe(page(provider))
    expect(await connectionOf(env, instructor, provider)).toMatchObject({
      needsReconnect: false,
      connectedAt: new Date(NOW.getTime() + 60_000).toISOString(),
    })
  })

  test('reports a provider that cannot be asked, answers nonsense or hangs', async ({ env, school }) => {
    const { faults } = env.oauth[provider]
    for (const fault of [{ kind: 'status', status: 503 }, { kind: 'nonsense' }, { kind: 'hang' }] as const) {
      faults.push(fault)
      expect(await connect(env, school.instructor, provider)).toBe(page(provider, 'unavailable'))
    }
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({ connected: false })
  })

  test('works when the provider does not tell the account’s address', async ({ env, school }) => {
    const simulator = env[provider]
    simulator.faults.push({ match: 'GET ', kind: 'nonsense' })
    expect(await connect(env, school.instructor, provider)).toBe(page(provider))
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({
      connected: true,
      accountEmail: null,
    })
  })

  test('is undone by its owner, once', async ({ env, school }) => {
    const disconnect = (token: string) => env.api.call('DELETE', `/integrations/${provider}`, { token })
    await connect(env, school.instructor, provider)
    expect((await disconnect(school.student.token)).statusCode).toBe(404)
    expect((await disconnect(school.instructor.token)).statusCode).toBe(204)
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({ connected: false })
    expect((await disconnect(school.instructor.token)).statusCode).toBe(404)
  })
})

describe('the address that starts a connection (decision 14)', () => {
  test('leads one browser to the provider, also when twenty come at once', async ({ begin, env }) => {
    const address = await begin()
    const browsers = await Promise.all(Array.from({ length: 20 }, () => openHere(env, address)))
    const led = browsers.filter(({ cookie }) => cookie !== '')
    expect(led.map(({ url }) => url.origin)).toEqual([env.oauth.zoom.url])
    const others = browsers.filter(({ cookie }) => cookie === '')
    expect(others.map(({ url }) => url.href)).toEqual(Array(19).fill(page('zoom', 'expired')))
  })

  test('is valid for two minutes', async ({ begin, env }) => {
    const [early, late] = [await begin(), await begin()]
    env.api.clock.now = new Date(NOW.getTime() + 2 * 60_000 - 1)
    expect((await openHere(env, early)).url.origin).toBe(env.oauth.zoom.url)
    env.api.clock.now = new Date(NOW.getTime() + 2 * 60_000)
    expect((await openHere(env, late)).url.href).toBe(page('zoom', 'expired'))
  })

  test('sets a cookie that only this browser and this host have, and the callback removes it', async ({
    env,
    begin,
    school,
  }) => {
    const response = await env.api.call('GET', (await begin()).slice(PUBLIC_URL.length))
    expect(response.headers['set-cookie']).toMatch(
      /^flightline-connect-zoom=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(response.headers['cache-control']).toBe('no-store')
    const { url, cookie } = await browse(await atProvider(env, school.instructor, 'zoom'))
    const back = await env.api.call('GET', url.pathname + url.search, { headers: { cookie } })
    expect(back.headers['set-cookie']).toMatch(/^flightline-connect-zoom=; Max-Age=0; Path=\/;/)
    const { rows } = await env.api.core.database.pool.query('select browser_hash from connection_state')
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1])
  })

  test('over https has a cookie that no other host can set', () => {
    const secure = browserCookie('https://fly.example', 'google', 600)
    expect(secure.set('s')).toBe(
      '__Host-flightline-connect-google=s; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure',
    )
    expect(secure.read('flightline-connect-google=x; __Host-flightline-connect-google=s')).toBe('s')
    expect(secure.read('flightline-connect-google=x')).toBe('')
    expect(secure.read(undefined)).toBe('')
  })
})

describe('the state that returns from a provider', () => {
  /** As far as the provider’s page; answers where the browser is sent back to. */

  test('is valid once', async ({ agreed, env }) => {
    const back = await agreed()
    expect(await comeBack(env, back)).toBe(page('zoom'))
    expect(await comeBack(env, back)).toBe(page('zoom', 'expired'))
  })

  test('is valid once when twenty use it at the same time', async ({ agreed, env }) => {
    const back = await agreed()
    const ends = await Promise.all(Array.from({ length: 20 }, () => comeBack(env, back)))
    expect(ends.filter((end) => end === page('zoom'))).toHaveLength(1)
    expect(ends.filter((end) => end === page('zoom', 'expired'))).toHaveLength(19)
  })

  test('is valid for ten minutes', async ({ agreed, env }) => {
    const [early, late] = [await agreed(), await agreed()]
    env.api.clock.now = new Date(NOW.getTime() + 10 * 60_000 - 1)
    expect(await comeBack(env, early)).toBe(page('zoom'))
    env.api.clock.now = new Date(NOW.getTime() + 10 * 60_000)
    expect(await comeBack(env, late)).toBe(page('zoom', 'expired'))
  })

  test('is refused when it is foreign, changed or missing', async ({ agreed, env }) => {
    const back = await agreed()
    const state = back.url.searchParams.get('state') ?? ''
    const flipped = (at: number) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
    for (const wrong of [flipped(0), flipped(40), state.slice(0, 32), `${state}.x`, 'x', '']) {
      const changed = new URL(back.url)
      changed.searchParams.set('state', wrong)
      expect(await comeBack(env, { ...back, url: changed }), wrong).toBe(page('zoom', 'expired'))
    }
    back.url.searchParams.delete('state')
    expect(await comeBack(env, back)).toBe(page('zoom', 'expired'))
  })

  test('is refused in another browser and stays valid in the one that started', async ({ agreed, school, env }) => {
    const [back, other] = [await agreed(), await agreed(school.student)]
    for (const cookie of ['', other.cookie, back.cookie.slice(0, -1), `x${back.cookie}`, `${back.cookie}x`]) {
      expect(await comeBack(env, { ...back, cookie }), cookie).toBe(page('zoom', 'expired'))
    }
    expect(await connectionOf(env, school.instructor, 'zoom')).toMatchObject({ connected: false })
    expect(await comeBack(env, { ...back, cookie: `theme=dark; ${back.cookie}; lang=en` })).toBe(page('zoom'))
  })

  test('is refused when the provider’s page was reached without the browser’s cookie', async ({ env, school }) => {
    const begun = await beginUrl(env, school.instructor, 'zoom')
    const state = new URL(begun).searchParams.get('state')
    const url = new URL(`${PUBLIC_URL}/integrations/zoom/callback?code=x&state=${state}`)
    expect(await comeBack(env, { url, cookie: 'flightline-connect-zoom=' })).toBe(page('zoom', 'expired'))
  })

  test('is refused at another provider', async ({ agreed, env }) => {
    const back = await agreed()
    back.url.pathname = '/integrations/google/callback'
    expect(await comeBack(env, back)).toBe(page('google', 'expired'))
  })

  test('of one member does not redeem another’s code: the server asks for the secret of the first request', async ({
    agreed,
    school,
    env,
  }) => {
    const [mine, theirs] = [await agreed(school.student), await agreed(school.instructor)]
    mine.url.searchParams.set('code', theirs.url.searchParams.get('code') ?? '')
    expect(await comeBack(env, mine)).toBe(page('zoom', 'refused'))
    expect(env.oauth.zoom.asked.at(-1)).toBe('authorization_code refused')
    expect(await connectionOf(env, school.student, 'zoom')).toMatchObject({ connected: false })
  })

  test('of a member who was removed in the meantime is refused', async ({ agreed, school, env }) => {
    const back = await agreed(school.renter)
    const gone = await env.api.as(school.owner).delete(`/orgUsers/${school.renter.orgUserId}`)
    expect(gone.statusCode).toBeLessThan(300)
    expect(await comeBack(env, back)).toBe(page('zoom', 'expired'))
  })

  test('with a code that the server does not know, or with another server’s name, is refused', async ({
    agreed,
    env,
  }) => {
    const [unknown, misnamed] = [await agreed(), await agreed()]
    unknown.url.searchParams.set('code', 'x'.repeat(43))
    expect(await comeBack(env, unknown)).toBe(page('zoom', 'refused'))
    misnamed.url.searchParams.set('iss', 'https://evil.example')
    expect(await comeBack(env, misnamed)).toBe(page('zoom', 'refused'))
  })
})

describe('a connected account', () => {
  test('is deleted when its owner is removed', async ({ env, school }) => {
    await connect(env, school.renter, 'google')
    await env.api.as(school.owner).delete(`/orgUsers/${school.renter.orgUserId}`)
    const { rows } = await env.api.core.database.pool.query(
      'select id from connected_account where membership_id = $1 union select id from connection_state where membership_id = $1',
      [school.renter.orgUserId],
    )
    expect(rows).toEqual([])
  })

  test('is stored encrypted and bound to its owner', async ({ env, school }) => {
    await connect(env, school.instructor, 'zoom')
    await connect(env, school.student, 'zoom')
    const { rows } = await env.api.core.database.pool.query<{ refresh_token: string; access_token: string }>(
      'select refresh_token, access_token from connected_account where organization_id = $1 order by membership_id',
      [school.organizationId],
    )
    const issued = env.oauth.zoom.issued.filter((token) => token.length > 20)
    expect(issued.length).toBeGreaterThan(3)
    expect(issued.filter((token) => JSON.stringify(rows).includes(token))).toEqual([])
    const about = (orgUserId: number) => `refresh token zoom ${school.organizationId} ${orgUserId}`
    const sealed = rows[0]?.refresh_token ?? ''
    const { connectionSecrets } = env.api.core
    expect(issued).toContain(connectionSecrets.open(sealed, about(school.instructor.orgUserId)))
    expect(connectionSecrets.open(sealed, about(school.student.orgUserId))).toBeNull()
  })
})

describe('a provider that is not configured', () => {
  test('is not listed and cannot be connected', async () => {
    const api = await startTestApp({ env: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' } })
    try {
      const { student } = await buildSchool(api)
      const status = async (path: string) => (await api.as(student).get(path)).statusCode
      const offered = await expectOk<{ provider: string }[]>(api, student, 'GET', '/integrations')
      expect(offered.map(({ provider }) => provider)).toEqual(['google'])
      expect(await status('/integrations/zoom/authorize')).toBe(404)
      expect(await status('/integrations/zoom/callback?code=x&state=y')).toBe(404)
      expect(await status('/integrations/teams/authorize')).toBe(400)
      expect(await status('/integrations/google/authorize')).toBe(302)
    } finally {
      await api.close()
    }
  })
})
