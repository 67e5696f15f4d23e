import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest()
  .extend(
    'put',
    ({ api, school }) =>
      (availability: unknown, token = school.instructor.token) =>
        api.call('PATCH', '/users/availability', { token, body: { availability } }),
  )
  .extend(
    'add',
    ({ api, school }) =>
      (body: object, token = school.instructor.token) =>
        api.call('POST', '/availability/timeOff', { token, body }),
  )
  .extend(
    'list',
    ({ api, school }) =>
      async (query = '', token = school.student.token) =>
        (await api.call('GET', `/availability/timeOff?${query}`, { token })).json().data,
  )

const morning = { dayOfWeek: 1, startMinute: 480, endMinute: 720 }
const afternoon = { dayOfWeek: 1, startMinute: 720, endMinute: 1020 }

describe('a weekly pattern (§Members)', () => {
  test('is empty at first and is replaced as a whole', async ({ api, school, put }) => {
    const { token, orgUserId } = school.instructor
    const read = async () => (await api.call('GET', '/users/availability', { token })).json().data
    expect(await read()).toEqual([])
    const response = await put([afternoon, { ...morning, id: 7, organizationId: 1 }])
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toEqual([morning, afternoon])
    const wholeDay = { dayOfWeek: 7, startMinute: 0, endMinute: 1440 }
    await put([wholeDay])
    expect(await read()).toEqual([wholeDay])
    const seen = await api.as(school.student).get(`/orgUsers/${orgUserId}/availability`)
    expect(seen.json().data).toEqual([wholeDay])
    await put([])
    expect(await read()).toEqual([])
  })

  test('of others is set by desk staff, managed members included', async ({ api, school }) => {
    const url = `/orgUsers/${school.student.orgUserId}/availability`
    const body = { availability: [morning] }
    const answer = await api.as(school.dispatcher).patch(url, body)
    expect(answer.json().data).toEqual([morning])
    expect((await api.as(school.student).get('/users/availability')).json().data).toEqual([morning])
    expect((await api.as(school.dispatcher).patch(url, { availability: [morning, morning] })).statusCode).toBe(400)
    const managed = await api.as(school.admin).post('/orgUsers', { name: 'Mia Managed' })
    const id = managed.json().data.id
    expect((await api.as(school.admin).patch(`/orgUsers/${id}/availability`, body)).statusCode).toBe(200)
  })

  test.for([
    ['availability.1', [morning, { dayOfWeek: 1, startMinute: 719, endMinute: 800 }]],
    ['availability.0.endMinute', [{ dayOfWeek: 1, startMinute: 700, endMinute: 700 }]],
    ['availability.0.dayOfWeek', [{ ...morning, dayOfWeek: 0 }]],
    ['availability.0.dayOfWeek', [{ ...morning, dayOfWeek: 8 }]],
    ['availability.0.startMinute', [{ ...morning, startMinute: -1 }]],
    ['availability.0.endMinute', [{ ...morning, endMinute: 1441 }]],
    ['availability.0.startMinute', [{ ...morning, startMinute: 480.5 }]],
    ['availability', 'always'],
    ['availability', undefined],
    ['availability', Array(201).fill(morning)],
  ] as const)(
    'with a bad %s is refused by field name, and the old one stays',
    async ([field, pattern], { api, school, put }) => {
      await put([morning])
      const response = await put(pattern)
      expect(response.statusCode).toBe(400)
      expect(response.json().message.startsWith(`${field}: `)).toBe(true)
      const { data } = (await api.as(school.instructor).get('/users/availability')).json()
      expect(data).toEqual([morning])
    },
  )

  test('that is replaced ten times at once is one of the ten', async ({ api, school, put }) => {
    const patterns = Array.from({ length: 10 }, (_, hour) => [
      { dayOfWeek: 2, startMinute: hour * 60, endMinute: 1440 },
    ])
    const answers = await Promise.all(patterns.map((pattern) => put(pattern)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(200))
    const { data } = (await api.as(school.instructor).get('/users/availability')).json()
    expect(patterns).toContainEqual(data)
  })
})

describe('time off (§Members)', () => {
  const christmas = { start: '2026-12-24T00:00:00+01:00', end: '2026-12-27T00:00:00+01:00', reason: 'Christmas' }

  test('is recorded by a person for themselves, and others see when and not why', async ({ school, add, list }) => {
    const response = await add(christmas)
    expect(response.statusCode).toBe(201)
    expect(response.json().data).toMatchObject({
      orgUserId: school.instructor.orgUserId,
      name: school.instructor.name,
      start: '2026-12-23T23:00:00.000Z',
      end: '2026-12-26T23:00:00.000Z',
      reason: 'Christmas',
    })
    expect(await list()).toMatchObject([{ reason: null }])
    expect(await list('', school.dispatcher.token)).toMatchObject([{ reason: 'Christmas' }])
    expect(await list('', school.instructor.token)).toMatchObject([{ reason: 'Christmas' }])
  })

  test('is recorded for others by desk staff, and for oneself by its id', async ({ school, add }) => {
    const body = { ...christmas, orgUserId: school.student.orgUserId }
    expect((await add(body, school.dispatcher.token)).json().data.orgUserId).toBe(school.student.orgUserId)
    expect((await add(body, school.student.token)).statusCode).toBe(201)
  })

  test('is listed by start, and narrowed by person and by a window', async ({ school, add, list }) => {
    const day = (date: number) => ({ start: `2026-12-0${date}T08:00:00Z`, end: `2026-12-0${date}T17:00:00Z` })
    await add(day(3))
    await add(day(1), school.student.token)
    await add(day(2))
    const starts = async (query: string) => (await list(query)).map((row: { start: string }) => row.start.slice(8, 10))
    expect(await starts('')).toEqual(['01', '02', '03'])
    expect(await starts(`orgUserId=${school.instructor.orgUserId}`)).toEqual(['02', '03'])
    expect(await starts('startDate=2026-12-01T17:00:00Z&endDate=2026-12-03T08:00:00Z')).toEqual(['02'])
    expect(await starts('startDate=2026-12-01T16:59:00Z')).toEqual(['01', '02', '03'])
  })

  test.for([
    ['start', { ...christmas, start: undefined }],
    ['start', { ...christmas, start: '2026-12-24T00:00:00' }],
    ['end', { ...christmas, end: '2026-02-30T00:00:00Z' }],
    ['end', { ...christmas, end: christmas.start }],
    ['reason', { ...christmas, reason: 'x'.repeat(10_000) }],
    ['orgUserId', { ...christmas, orgUserId: 2 ** 31 }],
  ] as const)('with a bad %s is refused by field name', async ([field, body], { school, add }) => {
    const response = await add(body, school.admin.token)
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
  })
})
