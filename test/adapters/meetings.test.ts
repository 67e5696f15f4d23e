import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { retryAfterSeconds } from '../../src/shared/platform/adapters/call-result.ts'
import { createGoogleMeetings } from '../../src/shared/platform/adapters/meetings/google.ts'
import {
  MeetingRefused,
  MeetingUnavailable,
  TokenRefused,
} from '../../src/shared/platform/adapters/meetings/meetings.port.ts'
import { openMeetings } from '../../src/shared/platform/adapters/meetings/open-meetings.ts'
import { createZoomMeetings } from '../../src/shared/platform/adapters/meetings/zoom.ts'
import { GrantRefused, OAuthUnavailable } from '../../src/shared/platform/adapters/oauth/oauth.port.ts'
import { createOAuthClient } from '../../src/shared/platform/adapters/oauth/oauth-client.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { type GoogleSimulator, startGoogleSimulator } from '../support/google-simulator.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { startZoomSimulator, type ZoomSimulator } from '../support/zoom-simulator.ts'

const anybody = { holderOf: async (token: string) => (token === 'good' ? 'ana@example.com' : null) }
const redirectUri = 'https://flightline.example/integrations/zoom/callback'
const key = '0123456789abcdef0123456789abcdef'
const meeting = {
  accessToken: 'good',
  topic: 'Airspace',
  start: new Date('2026-11-23T10:00:00Z'),
  minutes: 60,
  zone: 'UTC',
  key,
  triedBefore: false,
}

let zoom: ZoomSimulator
let google: GoogleSimulator
let server: OAuthServer
beforeAll(async () => {
  zoom = await startZoomSimulator(anybody)
  google = await startGoogleSimulator(anybody)
  server = await startOAuthServer('zoom', redirectUri)
})
afterAll(() => Promise.all([zoom, google, server].map((one) => one.close())))
afterEach(() => {
  zoom.meetings.length = 0
  zoom.calls.length = 0
  google.events.length = 0
})

const atZoom = () => createZoomMeetings({ name: 'Zoom', apiBase: zoom.url, timeoutMs: 500 })
const atGoogle = () => createGoogleMeetings({ name: 'Google', apiBase: google.url, timeoutMs: 500 })

/** Other meetings of the same host, made before ours. */
function others(count: number): void {
  for (let id = 0; id < count; id += 1) {
    const rest = { start_time: '2026-11-22T10:00:00Z', duration: 30, timezone: 'UTC', join_url: 'nowhere' }
    zoom.meetings.push({ host: 'ana@example.com', id, topic: 'Another', agenda: `Booking ${id}`, ...rest })
  }
}

describe('Zoom', () => {
  test('is not asked for its meetings the first time', async () => {
    await atZoom().createMeeting(meeting)
    expect(zoom.calls).toEqual(['POST /users/me/meetings 201'])
  })

  test.each([0, 299, 300, 899])('has ours found among %d others when it was made before', async (count) => {
    others(count)
    const { joinUrl } = await atZoom().createMeeting(meeting)
    expect(await atZoom().createMeeting({ ...meeting, triedBefore: true })).toEqual({ joinUrl })
    expect(zoom.meetings).toHaveLength(count + 1)
  })

  test('has it made when it was not made before', async () => {
    others(301)
    await atZoom().createMeeting({ ...meeting, triedBefore: true })
    expect(zoom.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'GET', 'POST'])
  })

  test.each([
    ['no address', {}],
    ['an address that is none', { join_url: 'us02web' }],
    ['a number', { join_url: 5 }],
    ['an address that is not https', { join_url: 'http://zoom.example/j/1' }],
    ['an address that runs', { join_url: 'javascript:alert(1)' }],
    ['a list', []],
    ['nothing', null],
  ])('that answers %s is asked again', async (_, body) => {
    zoom.faults.push({ match: 'POST', kind: 'answer', status: 201, body })
    await expect(atZoom().createMeeting(meeting)).rejects.toThrow(MeetingUnavailable)
  })

  test('whose list cannot be read is asked again, rather than for a second meeting', async () => {
    for (const body of [{}, { meetings: 'none' }, []]) {
      zoom.faults.push({ match: 'GET', kind: 'answer', status: 200, body })
      await expect(atZoom().createMeeting({ ...meeting, triedBefore: true })).rejects.toThrow(MeetingUnavailable)
    }
    expect(zoom.meetings).toEqual([])
  })
})

describe('Google', () => {
  test.each([
    ['no link', { id: key }],
    ['a link that is not https', { hangoutLink: 'http://meet.google.example/a' }],
    ['an entry that runs', { conferenceData: { entryPoints: [{ entryPointType: 'video', uri: 'javascript:1' }] } }],
    ['something else', 'ok'],
  ])('that answers %s is asked again', async (_, body) => {
    google.faults.push({ match: 'POST', kind: 'answer', status: 200, body })
    await expect(atGoogle().createMeeting(meeting)).rejects.toThrow(MeetingUnavailable)
  })

  test.each([
    ['makes no call for this account', { conferenceData: { createRequest: { status: { statusCode: 'failure' } } } }],
    ['has the event deleted', { status: 'cancelled' }],
  ])('that %s refuses', async (_, body) => {
    google.faults.push({ match: 'POST', kind: 'answer', status: 200, body })
    await expect(atGoogle().createMeeting(meeting)).rejects.toThrow(MeetingRefused)
  })

  test('takes the call from its entry points, when there is no other link', async () => {
    const uri = 'https://meet.google.example/abc'
    const entryPoints = [
      { entryPointType: 'phone', uri: 'tel:+1' },
      { entryPointType: 'video', uri },
    ]
    google.faults.push({ match: 'POST', kind: 'answer', status: 200, body: { conferenceData: { entryPoints } } })
    expect(await atGoogle().createMeeting(meeting)).toEqual({ joinUrl: uri })
  })
})

describe.each([
  ['Zoom', () => zoom, atZoom],
  ['Google', () => google, atGoogle],
] as const)('a failure of %s', (_, simulator, connect) => {
  test('to accept the token is told apart', async () => {
    await expect(connect().createMeeting({ ...meeting, accessToken: 'bad' })).rejects.toThrow(TokenRefused)
  })

  test('says when to come back, when the provider does', async () => {
    const headers = { 'retry-after': '7' }
    simulator().faults.push({ match: 'POST', kind: 'answer', status: 429, body: {}, headers })
    await expect(connect().createMeeting(meeting)).rejects.toMatchObject({ retryAfterSeconds: 7 })
  })

  test('ends within the time given', async () => {
    simulator().faults.push({ match: 'POST', kind: 'hang' })
    await expect(connect().createMeeting(meeting)).rejects.toThrow(MeetingUnavailable)
  })
})

describe('an authorization server', () => {
  const client = (clientSecret = server.clientSecret) =>
    createOAuthClient({
      issuer: server.url,
      authorizeEndpoint: `${server.url}/oauth/authorize`,
      tokenEndpoint: `${server.url}/oauth/token`,
      clientId: server.clientId,
      clientSecret,
      secretIn: 'header',
      redirectUri,
      asking: {},
      timeoutMs: 500,
    })

  test('that does not know the refresh token refuses the grant', async () => {
    await expect(client().refresh('unknown')).rejects.toThrow(new GrantRefused('invalid_grant'))
  })

  test('that does not accept us may do so later: the grant is as good as before', async () => {
    const error: unknown = await client('another-secret')
      .refresh('a-refresh-token')
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(OAuthUnavailable)
    expect(JSON.stringify([error, String(error), (error as Error).stack, (error as Error).cause])).not.toMatch(
      /another-secret|a-refresh-token/,
    )
  })

  test('that is busy says when to come back', async () => {
    server.faults.push({ kind: 'status', status: 429, retryAfter: '9' })
    await expect(client().refresh('x')).rejects.toMatchObject({ name: 'OAuthUnavailable', retryAfterSeconds: 9 })
  })

  test.each([{ kind: 'hang' }, { kind: 'nonsense' }, { kind: 'status', status: 302 }] as const)(
    'that answers with %o is unavailable',
    async (fault) => {
      server.faults.push(fault)
      await expect(client().refresh('x')).rejects.toThrow(OAuthUnavailable)
    },
  )
})

describe('the providers', () => {
  const open = (env: Record<string, string>) => openMeetings(readConfig(env, { HOST: '127.0.0.1' }))

  test('are those that are configured', () => {
    expect(open({})).toEqual({ zoom: null, google: null })
    expect(open({ ZOOM_CLIENT_ID: 'a', ZOOM_CLIENT_SECRET: 'b' })).toMatchObject({
      zoom: { name: 'Zoom' },
      google: null,
    })
  })

  test('are configured in full, or the missing variable is named', () => {
    expect(() => open({ ZOOM_CLIENT_ID: 'a' })).toThrow('ZOOM_CLIENT_SECRET is not set')
    expect(() => open({ ZOOM_CLIENT_SECRET: 'a' })).toThrow('ZOOM_CLIENT_ID is not set')
    expect(() => open({ GOOGLE_CLIENT_ID: 'a' })).toThrow('GOOGLE_CLIENT_SECRET is not set')
    expect(() => open({ GOOGLE_CLIENT_SECRET: 'a' })).toThrow('GOOGLE_CLIENT_ID is not set')
  })

  test('are at their own addresses unless told otherwise', async () => {
    const pairs = { ZOOM_CLIENT_ID: 'a', ZOOM_CLIENT_SECRET: 'b', GOOGLE_CLIENT_ID: 'c', GOOGLE_CLIENT_SECRET: 'd' }
    const { zoom: atZoomItself, google: atGoogleItself } = open({ ...pairs, PUBLIC_URL: 'https://school.example' })
    const begun = { state: 's', codeVerifier: 'v'.repeat(43) }
    expect(await atZoomItself?.oauth.authorizeUrl(begun)).toMatch(/^https:\/\/zoom\.us\/oauth\/authorize\?/)
    const url = new URL((await atGoogleItself?.oauth.authorizeUrl(begun)) ?? '')
    expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      redirect_uri: 'https://school.example/integrations/google/callback',
    })
  })
})

describe('Retry-After', () => {
  const at = Date.parse('2026-11-21T12:00:00Z')

  test.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 12:01:30 GMT', 90],
    ['2026-11-21T12:00:00.500Z', 1],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('%j is %j seconds', (said, seconds) => {
    expect(retryAfterSeconds(new Headers({ 'retry-after': said }), at)).toBe(seconds)
  })

  test('that is not there is null', () => {
    expect(retryAfterSeconds(new Headers())).toBeNull()
  })
})
