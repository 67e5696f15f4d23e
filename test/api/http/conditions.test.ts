import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { buildMember, buildSchool } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { countStatements } from '../../support/statements.ts'
import { uploadTo } from '../../support/uploads.ts'

const test = sharedSchoolTest().extend(
  'get',
  ({ api, school }) =>
    (url: string, headers: Record<string, string> = {}, token: string = school.admin.token) =>
      api.call('GET', url, { token, headers }),
)

const etagOf = ({ headers }: LightMyRequestResponse) => String(headers.etag)

describe('a read (§Conventions that hold across the interface)', () => {
  test.for(['/locations', '/orgUsers', '/resources/aircraft?limit=1', '/notifications/preferences'])(
    'has an ETag of its bytes, and is 304 without a body for who has them: %s',
    async (url, { get }) => {
      const first = await get(url)
      expect(etagOf(first)).toMatch(/^"[\w-]{27}"$/)
      const again = await get(url, { 'if-none-match': etagOf(first) })
      expect([again.statusCode, again.body, etagOf(again)]).toEqual([304, '', etagOf(first)])
      expect(again.headers['content-type']).toBeUndefined()
      expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
      expect((await get(url, { 'if-none-match': `W/"x", W/${etagOf(first)}` })).statusCode).toBe(304)
    },
  )

  test.for(['/locations', '/training/endorsements/templates', '/docs', '/openapi.json', '/docs/errors'])(
    'is the same 304 when only its headers are asked for, compressed or not: %s',
    async (url, { api, school }) => {
      const { token } = school.admin
      for (const encoding of ['identity', 'gzip', 'br']) {
        const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
        const { headers: first } = await api.app.inject({ method: 'HEAD', url, headers })
        const conditional = { ...headers, 'if-none-match': String(first.etag) }
        const read = await api.app.inject({ method: 'GET', url, headers: conditional })
        const asked = await api.app.inject({ method: 'HEAD', url, headers: conditional })
        const told = (answer: LightMyRequestResponse) =>
          ['etag', 'cache-control', 'content-type', 'content-length'].map((name) => answer.headers[name])
        expect([asked.statusCode, asked.body, ...told(asked)]).toEqual([304, '', ...told(read)])
      }
    },
  )

  test('gets another ETag when what it answers has changed', async ({ api, school, get }) => {
    const [before] = (await get('/locations')).json().data
    const tag = etagOf(await get('/locations'))
    await api.as(school.admin).patch(`/locations/${before.id}`, { name: 'Oakland, north field' })
    const after = await get('/locations', { 'if-none-match': tag })
    expect(after.statusCode).toBe(200)
    expect(etagOf(after)).not.toBe(tag)
  })

  test('is kept by its reader alone, and told apart by who asks and how', async ({ get }) => {
    const { headers } = await get('/locations')
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'authorization, accept, accept-language, accept-encoding',
    })
  })

  test('asks the database for nothing more, and a 304 counts against the limits as any answer does', async ({
    api,
    get,
  }) => {
    const first = await get('/locations')
    const plain = await countStatements(api, () => get('/locations'))
    const conditional = await countStatements(api, () => get('/locations', { 'if-none-match': etagOf(first) }))
    expect(conditional.statements).toEqual(plain.statements)
    const left = ({ headers }: LightMyRequestResponse) => Number(headers['ratelimit-remaining'])
    expect(left(conditional.result)).toBe(left(plain.result) - 1)
  })

  test('of a record of another school is the same 404 with any condition', async ({ api, get }) => {
    const other = await buildSchool(api)
    const theirs = (await api.as(other.admin).get('/locations')).json().data[0].id
    const tag = etagOf(await api.as(other.admin).get(`/locations/${theirs}`))
    for (const headers of [{}, { 'if-none-match': '*' }, { 'if-none-match': tag }]) {
      const answer = await get(`/locations/${theirs}`, headers as Record<string, string>)
      expect([answer.statusCode, answer.headers.etag]).toEqual([404, undefined])
    }
  })

  test('that answers a token has none, and neither has a refusal', async ({ get }) => {
    expect((await get('/auth')).headers).toMatchObject({ 'cache-control': 'no-store' })
    expect((await get('/auth')).headers.etag).toBeUndefined()
    expect((await get('/locations/999999')).headers.etag).toBeUndefined()
  })

  test('of a calendar has one too', async ({ api, school }) => {
    const { url } = (await api.as(school.student).post('/calendar/token')).json().data
    const { pathname } = new URL(url)
    const feed = await api.call('GET', pathname)
    const again = await api.call('GET', pathname, { headers: { 'if-none-match': etagOf(feed) } })
    expect([again.statusCode, again.headers['cache-control']]).toEqual([304, 'private, max-age=300'])
  })
})

describe('an answer over 1 kB', () => {
  test('is compressed as the client accepts, with a tag of its own', async ({ get }) => {
    const url = '/training/endorsements/templates'
    const plain = await get(url)
    const [br, gzip] = [
      await get(url, { 'accept-encoding': 'gzip, br' }),
      await get(url, { 'accept-encoding': 'gzip' }),
    ]
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    expect([etagOf(br), etagOf(gzip)]).toEqual([
      etagOf(plain).replace(/"$/, '-br"'),
      etagOf(plain).replace(/"$/, '-gzip"'),
    ])
    const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': etagOf(br) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('is not compressed below that, nor when it holds a secret', async ({ api, get, school }) => {
    const accept = { 'accept-encoding': 'br, gzip' }
    expect((await get('/locations?limit=1', accept)).headers['content-encoding']).toBeUndefined()
    await buildMember(api, school.organizationId, ['student'])
    const signedIn = await get('/auth', accept)
    expect(signedIn.headers['content-encoding']).toBeUndefined()
  })
})

describe('an edit with If-Match', () => {
  const edit = (tag: string) => ({ 'if-match': tag })

  test('is done when the record is as it was read, and 412 when somebody was faster', async ({ api, school, get }) => {
    const { id } = (await api.as(school.admin).post('/groups', { name: 'Evenings' })).json().data
    const url = `/groups/${id}`
    const { token } = school.admin
    const tag = etagOf(await get(url))
    const first = await api.call('PATCH', url, { token, headers: edit(tag), body: { name: 'Late evenings' } })
    expect(first.statusCode).toBe(200)
    const second = await api.call('PATCH', url, { token, headers: edit(tag), body: { name: 'Early evenings' } })
    expect([second.statusCode, second.json()]).toEqual([
      412,
      { message: 'This was changed after you read it. Read it again before you change it.' },
    ])
    expect((await get(url)).json().data.name).toBe('Late evenings')
    const fresh = etagOf(await get(url, { 'accept-encoding': 'br' }))
    expect((await api.call('DELETE', url, { token, headers: edit(`"x", ${fresh}`) })).statusCode).toBe(204)
  })

  test('of a record with signed links compares the rest, and no cache keeps the links', async ({
    api,
    school,
    get,
  }) => {
    const { token } = school.admin
    const body = { resource: { id: school.plane.id }, title: 'Left brake drags', severity: 'observation' }
    const { id } = (await api.as(school.admin).post('/maintenance/squawks', body)).json().data
    const url = `/maintenance/squawks/${id}`
    const arranged = (await api.as(school.admin).post(`${url}/files`, { fileNames: ['brake.pdf'] })).json()
    expect(await uploadTo(api, arranged.signedUrlData[0], Buffer.from('%PDF-1.7\nsome pages\n%%EOF'))).toBe(204)
    const first = await get(url)
    const before = api.clock.now
    api.clock.now = new Date(before.getTime() + 90_000)
    const second = await get(url, { 'if-none-match': etagOf(first) })
    expect([first, second].map(({ statusCode, headers }) => [statusCode, headers['cache-control']])).toEqual([
      [200, 'no-store'],
      [200, 'no-store'],
    ])
    const link = (response: LightMyRequestResponse) => response.json().data.files[0].url
    expect(link(second)).not.toBe(link(first))
    expect(etagOf(second)).toBe(etagOf(first))
    const patch = () => api.call('PATCH', url, { token, headers: edit(etagOf(first)), body: { severity: 'grounding' } })
    expect([(await patch()).statusCode, (await patch()).statusCode]).toEqual([200, 412])
    api.clock.now = before
  })

  test('of two at once from the same state is done once', async ({ api, school, get }) => {
    const { token } = school.admin
    for (let round = 0; round < 5; round++) {
      const { id } = (await api.as(school.admin).post('/locations', { name: `Field ${round}` })).json().data
      const url = `/locations/${id}`
      const headers = edit(etagOf(await get(url)))
      const answers = await Promise.all(
        ['One', 'Two', 'Three'].map((name) => api.call('PATCH', url, { token, headers, body: { name } })),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412, 412])
    }
  })

  test('is 404 for a record of another school and 403 for who may not, as without it', async ({ api, school, get }) => {
    const other = await buildSchool(api)
    const theirs = (await api.as(other.admin).get('/locations')).json().data[0].id
    const tag = etagOf(await api.as(other.admin).get(`/locations/${theirs}`))
    const { token } = school.admin
    for (const headers of [edit(tag), edit('*'), edit('"x"')]) {
      const answer = await api.call('PATCH', `/locations/${theirs}`, { token, headers, body: { name: 'Mine' } })
      expect(answer.statusCode).toBe(404)
      const [mine] = (await get('/locations')).json().data
      const student = { token: school.student.token, headers, body: { name: 'Mine' } }
      expect((await api.call('PATCH', `/locations/${mine.id}`, student)).statusCode).toBe(403)
    }
  })

  test('reads the booking, the aircraft and the membership with the caller’s eyes', async ({ api, school, get }) => {
    const [aircraft] = (await get('/resources/aircraft')).json().data
    const [member] = (await get('/orgUsers')).json().data
    const { token } = school.admin
    for (const [url, body] of [
      [`/resources/${aircraft.id}`, { type: { plane: {} } }],
      [`/orgUsers/${member.id}`, {}],
    ] as const) {
      const right = await api.call('PATCH', url, { token, headers: edit(etagOf(await get(url))), body })
      const wrong = await api.call('PATCH', url, { token, headers: edit('"x"'), body })
      expect([url, right.statusCode, wrong.statusCode]).toEqual([url, 200, 412])
    }
  })

  test('asks nothing more of the database without the header', async ({ api, school }) => {
    const { id } = (await api.as(school.admin).post('/groups', { name: 'Mornings' })).json().data
    const count = async (headers: Record<string, string>, name: string) => {
      const options = { token: school.admin.token, headers, body: { name } }
      return (await countStatements(api, () => api.call('PATCH', `/groups/${id}`, options))).statements
    }
    const plain = await count({}, 'Noons')
    expect(plain.filter((statement) => /for update/.test(statement) && /select 1/.test(statement))).toEqual([])
  })
})
