import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOW, startTestApp, type TestApp } from '../../../support/app.ts'
import type { School } from '../../../support/builders.ts'
import { askFrom, buildListedSchool, type Offered, offer } from '../../../support/offerings.ts'

let apis: [TestApp, TestApp]
let school: School
let offering: Offered
beforeAll(async () => {
  const env = { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' }
  const first = await startTestApp({ env })
  apis = [first, await startTestApp({ env, databaseUrl: first.config.DATABASE_URL ?? '' })]
})
afterAll(async () => {
  for (const api of apis.toReversed()) await api.close()
})
beforeEach(async () => {
  for (const api of apis) api.clock.now = NOW
  await apis[0].core.database.pool.query('delete from mail_count')
  school = await buildListedSchool(apis[0])
  offering = await offer(apis[0], school)
})

let asked = 0
/** Asks on one of two API processes in turn, by default as somebody else from elsewhere. */
function ask({ network, email, at = offering }: { network?: string; email?: string; at?: Offered } = {}) {
  asked++
  const from = network ?? `10.1.${Math.floor(asked / 250)}.${asked % 250}`
  return askFrom(apis[asked % 2]!, from, at, { email: email ?? `asker${asked}@example.com` })
}
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).sort()
const times = <T>(count: number, work: (at: number) => T) => Array.from({ length: count }, (_, at) => work(at))

describe('requests without a token, on two API processes', () => {
  test('are three a day of one mailbox, however it is spelled, at all schools', async () => {
    const other = await offer(apis[0], await buildListedSchool(apis[0]))
    const spelled = ['gia@example.com', 'GIA@Example.com', 'gia+one@example.com', 'gia+two@example.com']
    const answers = await Promise.all(spelled.map((email, at) => ask({ email, at: at % 2 ? other : offering })))
    expect(statuses(answers)).toEqual([202, 202, 202, 429])
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    // Counted by the day in UTC: twelve hours are left at noon.
    expect(refused?.headers['retry-after']).toBe('43200')
    expect(refused?.json().message).toBe('Too many requests. Please wait and try again.')
    for (const api of apis) api.clock.now = new Date('2026-11-22T00:00:00Z')
    expect((await ask({ email: 'gia@example.com' })).statusCode).toBe(202)
  })

  test('are ten an hour from one network', async () => {
    const answers = await Promise.all(times(16, () => ask({ network: '198.51.100.7' })))
    expect(statuses(answers)).toEqual([...Array(10).fill(202), ...Array(6).fill(429)])
    expect(answers.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('3600')
    expect((await ask({ network: '198.51.100.8' })).statusCode).toBe(202)
    for (const api of apis) api.clock.now = new Date('2026-11-21T13:00:00Z')
    expect((await ask({ network: '198.51.100.7' })).statusCode).toBe(202)
  })

  test('are counted for the network behind a trusted proxy, and for an IPv6 household', async () => {
    const forwarded = (header: string) =>
      apis[0].call('POST', `/public/offerings/${offering.id}/requests`, {
        body: { name: 'Gia', email: `asker${asked++}@example.com`, phone: '1', start: '2026-11-23T10:00:00Z' },
        headers: { 'x-forwarded-for': header },
      })
    const spread = await Promise.all(times(5, (at) => forwarded(`203.0.113.${at}`)))
    expect(statuses(spread)).toEqual(Array(5).fill(202))
    const household = await Promise.all(times(11, (at) => forwarded(`2001:db8:1:2::${at + 1}`)))
    expect(statuses(household)).toEqual([...Array(10).fill(202), 429])
    // What a client writes in front of the proxy's own word is not believed.
    const forged = await Promise.all(times(11, (at) => forwarded(`198.18.0.${at}, 203.0.113.200`)))
    expect(statuses(forged)).toEqual([...Array(10).fill(202), 429])
  })

  test('are thirty an hour at one school, whoever asks, and another school has its own', async () => {
    const answers = await Promise.all(times(64, () => ask()))
    expect(statuses(answers)).toEqual([...Array(30).fill(202), ...Array(34).fill(429)])
    const other = await offer(apis[0], await buildListedSchool(apis[0]))
    expect((await ask({ at: other })).statusCode).toBe(202)
  })

  test('are a hundred a day at all schools of an owner', async () => {
    await apis[0].core.database.pool.query(
      "insert into mail_count (scope, key, day, mails) values ('asked_owner', $1, '2026-11-21', 99)",
      [String(school.owner.accountId)],
    )
    expect(statuses([await ask(), await ask()])).toEqual([202, 429])
  })

  test('do not count when they are refused', async () => {
    const network = '198.51.100.9'
    const past = { start: '2026-11-20T10:00:00Z' }
    for (const _ of times(12, () => null)) {
      const answer = await askFrom(apis[0], network, offering, { ...past, email: `late${asked++}@example.com` })
      expect(answer.statusCode).toBe(400)
    }
    expect((await ask({ network })).statusCode).toBe(202)
  })
})

describe('searches for openings without a token', () => {
  test('are four at the same time from one network', async () => {
    const window = 'startDate=2026-11-22T00:00:00Z&endDate=2026-12-22T00:00:00Z'
    const search = (network: string) =>
      apis[0].call('GET', `/public/offerings/${offering.id}/openings?${window}`, {
        headers: { 'x-forwarded-for': network },
      })
    const [elsewhere, ...answers] = await Promise.all([
      search('198.51.100.8'),
      ...times(20, () => search('198.51.100.7')),
    ])
    expect(elsewhere.statusCode).toBe(200)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect(statuses(answers).filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect((await search('198.51.100.7')).statusCode).toBe(200)
  })
})
