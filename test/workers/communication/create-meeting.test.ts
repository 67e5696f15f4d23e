import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JSONWebKeySet } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMeeting } from '../../../src/shared/communication/communication.jobs.ts'
import type { MeetingProvider } from '../../../src/shared/communication/communication.tables.ts'
import { generateKeySet } from '../../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createConnectionSecrets } from '../../../src/shared/platform/adapters/tokens/connection-secrets.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { createMeetingProcessor } from '../../../src/workers/communication/meetings/create-meeting.processor.ts'
import { tablesHolding } from '../../contract/support/database-state.ts'
import { NOW } from '../../support/app.ts'
import { buildMember, type School } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'
import { problem } from '../../support/google-simulator.ts'
import {
  approve,
  connect,
  connectionOf,
  disconnect,
  type MeetingEnv,
  requestLesson,
  startMeetings,
} from '../../support/meetings.ts'

const lines: string[] = []
let env: MeetingEnv
let school: School
beforeAll(async () => {
  env = await startMeetings({
    env: { LOG_LEVEL: 'trace' },
    logTo: { write: (line: string) => void lines.push(line) },
  })
})
afterAll(() => env.close())
beforeEach(async () => {
  school = await env.school()
  env.zoom.calls.length = 0
  env.google.calls.length = 0
})
afterEach(() => {
  env.api.clock.now = NOW
  env.google.slow = false
  for (const { slowness } of [env.zoom, env.google, env.oauth.zoom]) slowness.ms = 0
})

const zoomMade = () => env.zoom.meetings
const posts = (provider: MeetingProvider) => env[provider].calls.filter((call) => call.startsWith('POST'))

/** A lesson that the instructor's account is connected for. */
async function connectedLesson(provider: MeetingProvider): Promise<number> {
  await connect(env, school.instructor, provider)
  return requestLesson(env, school, provider)
}

/** The request by id, as the desk reads it. */
function requestOf(id: number) {
  return expectOk<{ meetingUrl: string | null; meetingError: string | null; reservation: { id: number } }>(
    env.api,
    school.dispatcher,
    'GET',
    `/booking-requests/${id}`,
  )
}

/** Resolves when a job is refreshing an access token of the school's. */
async function refreshing(): Promise<void> {
  const { db } = env.api.core.database
  const claimed = db
    .selectFrom('connected_account')
    .select('id')
    .where('organization_id', '=', school.organizationId)
    .where('refresh_claimed_until', 'is not', null)
  await expect.poll(() => claimed.execute()).toHaveLength(1)
}

/** Owes the job again, some times at once, and waits for all of them. */
async function runAgain(id: number, times = 1): Promise<void> {
  await env.workers.run(async (tx) => {
    for (let time = 0; time < times; time += 1) {
      tx.enqueue(createMeeting, { organizationId: school.organizationId, bookingRequestId: id })
    }
  })
}

/** Resets a request to one without a meeting; with `tried` the provider counts as called. */
async function unmake(id: number, given: { tried: boolean }): Promise<void> {
  const { db } = env.api.core.database
  await db.updateTable('booking_request').set({ meeting_url: null }).where('id', '=', id).execute()
  const subject = `booking-request/${id}`
  if (given.tried) {
    await db.updateTable('delivery').set({ sent_at: null, outcome: null }).where('subject', '=', subject).execute()
  } else await db.deleteFrom('delivery').where('subject', '=', subject).execute()
}

/** Runs the job here, without a queue. */
function runHere(id: number, lastAttempt: boolean, given: Partial<JobTools> = {}): Promise<void> {
  const { core } = env.workers
  const tools: JobTools = {
    ...core,
    ...given,
    log: env.api.log,
    transaction: async (work) => (await inTransaction(core.database, core.clock, work)).result,
  }
  const payload = { organizationId: school.organizationId, bookingRequestId: id }
  return createMeetingProcessor(payload, tools, {
    id: 'here',
    organizationId: school.organizationId,
    attempt: 1,
    attempts: 13,
    lastAttempt,
  })
}

describe.each(['zoom', 'google'] as const)('approving a lesson with a call at %s (decision 14)', (provider) => {
  test('makes the call, and puts its address on the request and on the booking', async () => {
    const id = await connectedLesson(provider)
    const { data } = await approve(env, school, id)
    expect(data).toMatchObject({ status: 'approved', meetingUrl: expect.stringMatching(/^https:/), meetingError: null })
    const booking = await expectOk<{ meetingUrl: string }>(
      env.api,
      school.student,
      'GET',
      `/reservations/${data.reservation.id}`,
    )
    expect(booking.meetingUrl).toBe(data.meetingUrl)
    expect(posts(provider)).toHaveLength(1)
  })

  test('makes it anew when the instructor of the lesson changes', async () => {
    const id = await connectedLesson(provider)
    const { data } = await approve(env, school, id)
    const other = await buildMember(env.api, school.organizationId, ['instructor'])
    await connect(env, other, provider)
    const url = `/reservations/${data.reservation.id}`
    const changed = await expectOk<{ meetingUrl: string | null }>(env.api, school.dispatcher, 'PATCH', url, {
      personnel: { instructors: [{ orgUserId: other.orgUserId }] },
    })
    const read = async () =>
      (await expectOk<{ meetingUrl: string | null }>(env.api, school.student, 'GET', url)).meetingUrl
    await expect.poll(read).toMatch(/^https:/)
    const anew = await read()
    expect(anew).not.toBe(data.meetingUrl)
    // The worker may be faster than the answer.
    expect([null, anew]).toContain(changed.meetingUrl)
    expect((await requestOf(id)).meetingUrl).toBe(anew)
    expect(posts(provider)).toHaveLength(2)
  })

  test('makes one call though the answer was lost after it was made', async () => {
    const id = await connectedLesson(provider)
    env[provider].faults.push({ match: 'POST', kind: 'cut after the work' })
    const made = provider === 'zoom' ? zoomMade() : env.google.events
    const before = made.length
    const { data } = await approve(env, school, id)
    expect(data.meetingUrl).toMatch(/^https:/)
    expect(made.length - before).toBe(1)
  })

  test('tries again when the provider fails, is busy, hangs, or gives nonsense', async () => {
    const id = await connectedLesson(provider)
    env[provider].faults.push(
      { match: 'POST', kind: 'answer', status: 500, body: { message: 'canary-body' } },
      { match: 'POST', kind: 'answer', status: 429, body: {}, headers: { 'retry-after': '1' } },
    )
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    expect(posts(provider).map((call) => call.split(' ')[2])).toEqual([
      '500',
      '429',
      provider === 'zoom' ? '201' : '200',
    ])
    const other = await requestLesson(env, school, provider)
    env[provider].faults.push({ match: 'POST', kind: 'hang' }, { match: 'POST', kind: 'nonsense' })
    expect((await approve(env, school, other)).data.meetingUrl).toMatch(/^https:/)
  })

  test('stands without a call when the provider refuses it, and says so in our words', async () => {
    const id = await connectedLesson(provider)
    const body = { code: 3_000, message: 'canary-body' }
    env[provider].faults.push({ match: 'POST', kind: 'answer', status: 400, body })
    const { data, meetingError } = await approve(env, school, id)
    const said = `${provider === 'zoom' ? 'Zoom' : 'Google'} refused to make the meeting (400).`
    expect(data).toMatchObject({ status: 'approved', meetingUrl: null, meetingError: said })
    expect(meetingError).toBe(said)
    expect(posts(provider)).toHaveLength(1)
    const path = `/reservations/${data.reservation.id}`
    expect(await expectOk(env.api, school.dispatcher, 'GET', path)).toMatchObject({
      status: 'booked',
      meetingUrl: null,
    })
  })

  test('refreshes an access token that is over, as often as it is', async () => {
    await connect(env, school.instructor, provider)
    const { asked } = env.oauth[provider]
    for (const hours of [2, 4, 6]) {
      const id = await requestLesson(env, school, provider)
      env.api.clock.now = new Date(NOW.getTime() + hours * 3_600_000)
      asked.length = 0
      expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
      expect(asked).toEqual(['refresh_token'])
    }
  })

  test('refreshes once when the provider ended the access token early', async () => {
    const id = await connectedLesson(provider)
    await env.oauth[provider].endAccess()
    env.oauth[provider].asked.length = 0
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    expect(env.oauth[provider].asked).toEqual(['refresh_token'])
    expect(posts(provider).map((call) => call.split(' ')[2])[0]).toBe('401')
  })

  test('stands without a call when the provider wants the member to connect again', async () => {
    const id = await connectedLesson(provider)
    await env.oauth[provider].endAccess()
    await env.oauth[provider].endRefresh()
    const { data } = await approve(env, school, id)
    expect(data.meetingError).toMatch(/^No (Zoom|Google) account that works is connected. Please connect one again.$/)
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({
      connected: true,
      needsReconnect: true,
    })
  })
})

describe('what is made (decision 14)', () => {
  test('at Zoom is a scheduled meeting of the booking’s time, in the instructor’s account', async () => {
    await connect(env, school.student, 'zoom')
    env.oauth.zoom.person.email = 'instructor@zoom.example'
    const id = await connectedLesson('zoom')
    env.oauth.zoom.person.email = 'captain@zoom.example'
    const { data } = await approve(env, school, id)
    const path = `/reservations/${data.reservation.id}`
    const { start } = await expectOk<{ start: string }>(env.api, school.student, 'GET', path)
    expect(zoomMade().at(-1)).toMatchObject({
      host: 'instructor@zoom.example',
      topic: 'Ground school: airspace',
      start_time: start.replace('.000Z', 'Z'),
      duration: 45,
      timezone: 'America/New_York',
      join_url: data.meetingUrl,
    })
  })

  test('at Google is an event with a call, in the requester’s calendar when the instructor has no account', async () => {
    env.oauth.google.person.email = 'student@google.example'
    await connect(env, school.student, 'google')
    env.oauth.google.person.email = 'captain@google.example'
    const { data } = await approve(env, school, await requestLesson(env, school, 'google'))
    const path = `/reservations/${data.reservation.id}`
    const { start, end } = await expectOk<{ start: string; end: string }>(env.api, school.student, 'GET', path)
    expect(env.google.events.at(-1)).toMatchObject({
      calendar: 'student@google.example',
      summary: 'Ground school: airspace',
      start: { dateTime: start, timeZone: 'America/New_York' },
      end: { dateTime: end, timeZone: 'America/New_York' },
    })
  })

  test('is made in the requester’s account when the instructor’s is not accepted any more', async () => {
    const id = await connectedLesson('zoom')
    await env.oauth.zoom.endAccess()
    await env.oauth.zoom.endRefresh()
    env.oauth.zoom.person.email = 'student@zoom.example'
    await connect(env, school.student, 'zoom')
    env.oauth.zoom.person.email = 'captain@zoom.example'
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    expect(zoomMade().at(-1)?.host).toBe('student@zoom.example')
    expect(await connectionOf(env, school.instructor, 'zoom')).toMatchObject({ needsReconnect: true })
  })

  test('waits for a call that Google makes a while after its event', async () => {
    const id = await connectedLesson('google')
    env.google.slow = true
    const before = env.google.events.length
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    expect(env.google.events.length - before).toBe(1)
  })

  test('is not made when the account is gone by then', async () => {
    const id = await connectedLesson('google')
    await disconnect(env, school.instructor, 'google')
    expect((await approve(env, school, id)).data.meetingError).toMatch(/^No Google account/)
    expect(posts('google')).toEqual([])
  })

  test('is not made for a booking that was cancelled before', async () => {
    const id = await connectedLesson('zoom')
    const { data } = await approve(env, school, id)
    await unmake(id, { tried: false })
    const url = `/reservations/${data.reservation.id}`
    const cancelled = await env.api.call('DELETE', url, {
      token: school.dispatcher.token,
      body: { reason: 'Fog', category: 'weather' },
    })
    expect(cancelled.statusCode).toBeLessThan(300)
    const before = posts('zoom').length
    await runAgain(id)
    expect(posts('zoom').length).toBe(before)
    expect(await requestOf(id)).toMatchObject({ meetingUrl: null, meetingError: null })
  })

  test('has an https address, or the provider is asked again', async () => {
    const id = await connectedLesson('zoom')
    const body = { join_url: 'http://us02web.zoom.example/j/1' }
    env.zoom.faults.push({ match: 'POST', kind: 'answer', status: 201, body })
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
  })

  test('is asked for at the provider alone: a redirect is not followed', async () => {
    const seen: string[] = []
    const canary = createServer((request, response) => {
      seen.push(request.headers.authorization ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const to = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`
    const id = await connectedLesson('google')
    env.google.faults.push({ match: 'POST', kind: 'redirect', to })
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    canary.close()
    expect(seen).toEqual([])
  })
})

describe('Google’s 403 (decision 14)', () => {
  test('is tried again when it asks too much at once, and final otherwise', async () => {
    const id = await connectedLesson('google')
    const busy = problem(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded')
    env.google.faults.push({ match: 'POST', kind: 'answer', ...busy })
    expect((await approve(env, school, id)).data.meetingUrl).toMatch(/^https:/)
    const other = await requestLesson(env, school, 'google')
    const never = problem(403, 'insufficientPermissions', 'Insufficient Permission')
    env.google.faults.push({ match: 'POST', kind: 'answer', ...never })
    expect((await approve(env, school, other)).data.meetingError).toBe('Google refused to make the meeting (403).')
  })
})

describe('the job (decision 14)', () => {
  test.each(['zoom', 'google'] as const)('that runs again makes nothing more at %s', async (provider) => {
    const id = await connectedLesson(provider)
    const { data } = await approve(env, school, id)
    await runAgain(id)
    expect(posts(provider)).toHaveLength(1)
    await unmake(id, { tried: true })
    const made = provider === 'zoom' ? zoomMade() : env.google.events
    const before = made.length
    await runAgain(id)
    expect(made.length).toBe(before)
    expect((await requestOf(id)).meetingUrl).toBe(data.meetingUrl)
  })

  test.each(['zoom', 'google'] as const)('that runs three times at once makes one call at %s', async (provider) => {
    const id = await connectedLesson(provider)
    await approve(env, school, id)
    await unmake(id, { tried: false })
    const made = provider === 'zoom' ? zoomMade() : env.google.events
    const before = made.length
    env[provider].slowness.ms = 200
    await runAgain(id, 3)
    expect(made.length - before).toBe(1)
    expect((await requestOf(id)).meetingUrl).toMatch(/^https:/)
  })

  test('spends a refresh token once for all that need it at the same time', async () => {
    await connect(env, school.instructor, 'zoom')
    const ids: number[] = []
    for (let lesson = 0; lesson < 6; lesson += 1) ids.push(await requestLesson(env, school, 'zoom'))
    env.api.clock.now = new Date(NOW.getTime() + 2 * 3_600_000)
    env.oauth.zoom.asked.length = 0
    env.oauth.zoom.slowness.ms = 500
    const approved = await Promise.all(ids.map((id) => approve(env, school, id)))
    expect(approved.map(({ data }) => data.meetingError)).toEqual(ids.map(() => null))
    expect(new Set(approved.map(({ data }) => data.meetingUrl)).size).toBe(6)
    expect(env.oauth.zoom.asked).toEqual(['refresh_token'])
  })

  test('says on its last try that there is no call, and a later one that succeeds takes that back', async () => {
    const id = await connectedLesson('zoom')
    await approve(env, school, id)
    await unmake(id, { tried: true })
    const down = { match: '', kind: 'answer', status: 503, body: {} } as const
    env.zoom.faults.push(down)
    await expect(runHere(id, false)).rejects.toThrow('Zoom answered 503.')
    expect((await requestOf(id)).meetingError).toBeNull()
    env.zoom.faults.push(down)
    await expect(runHere(id, true)).rejects.toThrow('Zoom answered 503.')
    expect((await requestOf(id)).meetingError).toBe('Zoom could not be reached to make the meeting.')
    await runHere(id, true)
    expect(await requestOf(id)).toMatchObject({ meetingUrl: expect.stringMatching(/^https:/), meetingError: null })
  })

  test.each(['zoom', 'google'] as const)('goes on at %s while the keys of the service rotate', async (provider) => {
    const id = await connectedLesson(provider)
    await approve(env, school, id)
    const older = JSON.parse(env.api.config.AUTH_KEYS ?? '') as JSONWebKeySet
    const newer = await generateKeySet()
    const under = async (hours: number, keySet: JSONWebKeySet) => {
      await unmake(id, { tried: true })
      env.api.clock.now = new Date(NOW.getTime() + hours * 3_600_000)
      await runHere(id, false, { connectionSecrets: createConnectionSecrets(keySet) })
      return (await requestOf(id)).meetingUrl
    }
    expect(await under(2, { keys: [...newer.keys, ...older.keys] })).toMatch(/^https:/)
    expect(await under(4, newer)).toMatch(/^https:/)
    await unmake(id, { tried: true })
    await expect(runHere(id, false)).rejects.toThrow('Another process')
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({ needsReconnect: false })
    env.api.clock.now = new Date(NOW.getTime() + 6 * 3_600_000)
    await runHere(id, false)
    expect((await requestOf(id)).meetingError).toMatch(/connect one again/)
    expect(await connectionOf(env, school.instructor, provider)).toMatchObject({ needsReconnect: true })
  })

  test('leaves a meeting to the run that is at it', async () => {
    const id = await connectedLesson('zoom')
    await approve(env, school, id)
    await unmake(id, { tried: true })
    const { pool } = env.api.core.database
    const hold = (until: string) =>
      pool.query(`update delivery set claimed_until = now() + interval '${until}' where subject = $1`, [
        `booking-request/${id}`,
      ])
    await hold('1 minute')
    env.zoom.calls.length = 0
    await expect(runHere(id, false)).rejects.toThrow('Another run')
    expect(env.zoom.calls).toEqual([])
    await hold('-1 second')
    await runHere(id, false)
    expect((await requestOf(id)).meetingUrl).toMatch(/^https:/)
  })

  test('makes no call in an account that was disconnected while its token was refreshed', async () => {
    const id = await connectedLesson('zoom')
    env.api.clock.now = new Date(NOW.getTime() + 2 * 3_600_000)
    env.oauth.zoom.slowness.ms = 500
    env.oauth.zoom.asked.length = 0
    const answer = approve(env, school, id)
    await refreshing()
    await disconnect(env, school.instructor, 'zoom')
    expect((await answer).data).toMatchObject({
      meetingUrl: null,
      meetingError: expect.stringMatching(/^No Zoom account/),
    })
    expect(env.oauth.zoom.asked).toEqual(['refresh_token'])
    expect(posts('zoom')).toEqual([])
  })

  test('makes no call for a booking that was cancelled while the token was refreshed', async () => {
    const id = await connectedLesson('zoom')
    env.api.clock.now = new Date(NOW.getTime() + 2 * 3_600_000)
    env.oauth.zoom.slowness.ms = 500
    const answer = approve(env, school, id)
    await refreshing()
    const { reservation } = await requestOf(id)
    const off = { token: school.dispatcher.token, body: { reason: 'Fog', category: 'weather' } }
    expect((await env.api.call('DELETE', `/reservations/${reservation.id}`, off)).statusCode).toBeLessThan(300)
    expect((await answer).data).toMatchObject({ meetingUrl: null, meetingError: null })
    expect(posts('zoom')).toEqual([])
  })

  test('does not blame the provider for a call that another run has made', async () => {
    const id = await connectedLesson('zoom')
    await approve(env, school, id)
    await unmake(id, { tried: true })
    env.zoom.meetings.length = 0
    env.zoom.faults.push({ match: 'POST', kind: 'hang' })
    const late = runHere(id, true)
    await expect.poll(() => env.zoom.faults).toEqual([])
    // As if the first run had been stopped for longer than its claim lasts.
    await env.api.core.database.pool.query(
      `update delivery set claimed_until = now() - interval '1 second' where subject = $1`,
      [`booking-request/${id}`],
    )
    await runHere(id, false)
    await expect(late).rejects.toThrow('no answer')
    expect(await requestOf(id)).toMatchObject({ meetingUrl: expect.stringMatching(/^https:/), meetingError: null })
  })

  test('does nothing for what is gone', async () => {
    await runHere(2_000_000_000, false)
  })
})

describe('tokens and secrets (decision 14)', () => {
  test('stand in no log, no table and no queue', async () => {
    const { zoom, google } = env.oauth
    const secrets = [
      ...zoom.issued,
      ...google.issued,
      zoom.clientSecret,
      google.clientSecret,
      'canary-start-url',
      'canary-body',
    ]
    const telling = secrets.filter((secret) => typeof secret === 'string' && secret.length > 8)
    expect(telling.length).toBeGreaterThan(50)
    const log = lines.join('')
    expect(log).toContain('job failed')
    expect(telling.filter((secret) => log.includes(secret))).toEqual([])
    const { pool } = env.api.core.database
    expect(await tablesHolding(pool, telling)).toEqual([])
    expect(await tablesHolding(pool, ['Ground school: airspace'])).not.toEqual([])
  })
})
