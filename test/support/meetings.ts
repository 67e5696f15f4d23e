import type { DestinationStream } from 'pino'
import type { MeetingProvider } from '../../src/shared/communication/communication.tables.ts'
import { startTestApp, type TestApp, waitingForWorkers } from './app.ts'
import { buildSchool, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'
import { type GoogleSimulator, startGoogleSimulator } from './google-simulator.ts'
import { type OAuthServer, startOAuthServer } from './oauth-server.ts'
import { startTestWorkers, type TestWorkers } from './workers.ts'
import { startZoomSimulator, type ZoomSimulator } from './zoom-simulator.ts'

/** An API with stand-ins for both meeting providers, and workers. */
export interface MeetingEnv {
  api: TestApp
  workers: TestWorkers
  oauth: Record<MeetingProvider, OAuthServer>
  zoom: ZoomSimulator
  google: GoogleSimulator
  /** Builds a school whose students book by request. */
  school(): Promise<School>
  close(): Promise<void>
}

interface LocalStackOptions {
  env?: Record<string, string>
  logTo?: DestinationStream
  /** False when the test runs the jobs itself. */
  workers?: boolean
}

export const PUBLIC_URL = 'http://flightline.test'

/** Starts both authorization servers and both interfaces, the API and its workers. Calls time out after a second. */
export async function startMeetings(options: LocalStackOptions = {}): Promise<MeetingEnv> {
  const callback = (provider: MeetingProvider) => `${PUBLIC_URL}/integrations/${provider}/callback`
  const oauth = {
    zoom: await startOAuthServer('zoom', callback('zoom')),
    google: await startOAuthServer('google', callback('google')),
  }
  const zoom = await startZoomSimulator(oauth.zoom)
  const google = await startGoogleSimulator(oauth.google)
  const api = await startTestApp({
    env: {
      PUBLIC_URL,
      ...(options.workers !== false && waitingForWorkers),
      MEETING_TIMEOUT_MS: '1000',
      ZOOM_CLIENT_ID: oauth.zoom.clientId,
      ZOOM_CLIENT_SECRET: oauth.zoom.clientSecret,
      ZOOM_AUTH_BASE: oauth.zoom.url,
      ZOOM_API_BASE: zoom.url,
      GOOGLE_CLIENT_ID: oauth.google.clientId,
      GOOGLE_CLIENT_SECRET: oauth.google.clientSecret,
      GOOGLE_AUTH_BASE: oauth.google.url,
      GOOGLE_API_BASE: google.url,
      ...options.env,
    },
    ...(options.logTo && { logTo: options.logTo }),
  })
  const workers = await startTestWorkers(api, options.workers === false ? { queues: ['upkeep'] } : {})
  return {
    api,
    workers,
    oauth,
    zoom,
    google,
    school: () => buildSchool(api, { settings: { approvalRequired: { student: true, renter: false } } }),
    async close() {
      await workers.stop()
      await api.close()
      await Promise.all([oauth.zoom, oauth.google, zoom, google].map((server) => server.close()))
    },
  }
}

/** The state of a browser: its current address, and the service's cookie. */
export interface Browser {
  url: URL
  cookie: string
}

/** Returns the address that starts a connection, requested with the member's token. */
export async function beginUrl({ api }: MeetingEnv, member: Member, provider: MeetingProvider): Promise<string> {
  const response = await api.call('GET', `/integrations/${provider}/authorize`, { token: member.token })
  if (response.statusCode !== 302) throw new Error(`${response.statusCode} ${response.body}`)
  return String(response.headers.location)
}

/** Opens an address of the service in a new browser. Returns the browser at the address of the redirect. */
export async function openHere({ api }: MeetingEnv, address: string): Promise<Browser> {
  const response = await api.call('GET', address.slice(PUBLIC_URL.length))
  if (response.statusCode !== 302) throw new Error(`${response.statusCode} ${response.body}`)
  const [cookie = ''] = String(response.headers['set-cookie'] ?? '').split(';')
  return { url: new URL(String(response.headers.location)), cookie }
}

/** Returns a browser of the member's at the provider's page. */
export async function atProvider(env: MeetingEnv, member: Member, provider: MeetingProvider): Promise<Browser> {
  return openHere(env, await beginUrl(env, member, provider))
}

/** Follows redirects, with cookies, until the provider redirects to the service. */
export async function browse({ url: from, cookie: ours }: Browser): Promise<Browser> {
  const cookies = new Map<string, string>()
  let url = from
  for (let step = 0; step < 10 && url.origin !== new URL(PUBLIC_URL).origin; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${url.pathname}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    url = new URL(location, url)
  }
  return { url, cookie: ours }
}

/** Opens the service's callback. Returns the address of the page that the browser is redirected to. */
export async function comeBack({ api }: MeetingEnv, { url, cookie }: Browser): Promise<string> {
  const response = await api.call('GET', url.pathname + url.search, { headers: { cookie } })
  return String(response.headers.location ?? `${response.statusCode} ${response.body}`)
}

/** Connects a member's account with all steps. Returns the address of the last page. */
export async function connect(env: MeetingEnv, member: Member, provider: MeetingProvider): Promise<string> {
  return comeBack(env, await browse(await atProvider(env, member, provider)))
}

/** Disconnects a member's account, who has just signed in. */
export async function disconnect({ api }: MeetingEnv, member: Member, provider: MeetingProvider): Promise<void> {
  const { accountId, organizationId, orgUserId: membershipId } = member
  const { token } = await api.core.tokens.issue({ accountId, organizationId, membershipId }, api.clock.now)
  const { statusCode } = await api.call('DELETE', `/integrations/${provider}`, { token })
  if (statusCode !== 204) throw new Error(`${statusCode}`)
}

/** Returns a member's account at a provider, as the list of connections shows it. */
export async function connectionOf({ api }: MeetingEnv, member: Member, provider: MeetingProvider) {
  const rows = await expectOk<{ provider: string; [key: string]: unknown }[]>(api, member, 'GET', '/integrations')
  return rows.find((row) => row.provider === provider)
}

let hour = 0

/**
 * Submits a student's request for a ground lesson with a call, each at another hour of the coming weeks. Returns its
 * id.
 */
export async function requestLesson(
  { api }: MeetingEnv,
  { student, instructor }: Pick<School, 'student' | 'instructor'>,
  provider: MeetingProvider,
): Promise<number> {
  hour += 1
  const start = new Date(Date.parse('2026-11-23T00:00:00Z') + hour * 3_600_000)
  const { id } = await expectOk<{ id: number }>(api, student, 'POST', '/booking-requests', {
    type: 'ground',
    start: start.toISOString(),
    end: new Date(start.getTime() + 45 * 60_000).toISOString(),
    timeZoneName: 'America/New_York',
    personnel: {
      instructors: [{ orgUserId: instructor.orgUserId }],
      students: [{ orgUserId: student.orgUserId }],
    },
    meeting: { provider, topic: 'Ground school: airspace' },
  })
  return id
}

export interface Approved {
  status: string
  meetingUrl: string | null
  meetingError: string | null
  reservation: { id: number }
}

/** Approves a request as the dispatcher. Returns the whole answer. */
export async function approve({ api }: MeetingEnv, school: School, id: number) {
  const response = await api.call('POST', `/booking-requests/${id}/approve`, {
    token: school.dispatcher.token,
    body: {},
  })
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`)
  return response.json() as { data: Approved; warnings?: object[]; meetingError?: string }
}
