import { describe, expect } from 'vitest'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { buildNotification } from '../../../support/records.ts'

const test = sharedSchoolTest()
  .extend('list', ({ api }) => async (member: Member, query = '') => {
    const response = await api.as(member).get(`/notifications${query}`)
    return { response, rows: response.json().data as { id: number; title: string; readAt: string | null }[] }
  })
  .extend(
    'titles',
    ({ list }) =>
      async (query: string) =>
        (await list(reader, query)).rows.map((row) => row.title),
  )
  .extend(
    'mark',
    ({ api }) =>
      (id: number | string, member: Member) =>
        api.as(member).post(`/notifications/${id}`),
  )

let reader: Member
test.beforeEach(async ({ api, school }) => {
  reader = await buildMember(api, school.organizationId, ['student'])
})

describe('the notifications of a member (§Notifications)', () => {
  test('are their own alone, newest first, with every field', async ({ api, school, list }) => {
    await buildNotification(api, school.instructor, { title: 'Not mine' })
    const older = await buildNotification(api, reader, { title: 'Older', minutesAgo: 10, read: true })
    const newer = await buildNotification(api, reader, { title: 'Newer', minutesAgo: 5 })
    const { response, rows } = await list(reader)
    expect(response.headers['x-total-count']).toBe('2')
    expect(rows.map((row) => row.id)).toEqual([newer, older])
    expect(rows[1]).toEqual({
      id: older,
      kind: 'reservation_created',
      title: 'Older',
      body: 'Tomorrow',
      data: { reservationId: 12 },
      readAt: '2026-11-21T12:00:00.000Z',
      createdAt: '2026-11-21T11:50:00.000Z',
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(rows[0]?.readAt).toBeNull()
  })

  test('are those of the active organization only', async ({ api, list }) => {
    const elsewhere = await buildSchool(api)
    await buildNotification(api, elsewhere.student)
    expect((await list(reader)).rows).toEqual([])
  })

  test.for([
    ['', ['Three', 'Two', 'One 100%']],
    ['?status=all', ['Three', 'Two', 'One 100%']],
    ['?status=unread', ['Three', 'One 100%']],
    ['?status=read', ['Two']],
    ['?q=thr', ['Three']],
    ['?q=SOLO', ['Two']],
    ['?q=0%25', ['One 100%']],
    ['?q=%25', ['One 100%']],
    ['?q=_', []],
    ['?q=%20two%20', ['Two']],
    ['?status=read&q=three', []],
    ['?limit=1', ['Three']],
    ['?limit=1&offset=1', ['Two']],
    ['?sort=title', ['One 100%', 'Three', 'Two']],
    ['?sort=title&order=desc&limit=2', ['Two', 'Three']],
    ['?sort=readAt', ['Two', 'Three', 'One 100%']],
  ] as const)('are narrowed and sorted by the query: %s', async ([query, expected], { api, titles }) => {
    await buildNotification(api, reader, { title: 'One 100%', minutesAgo: 3 })
    await buildNotification(api, reader, { title: 'Two', body: 'Your solo', minutesAgo: 2, read: true })
    await buildNotification(api, reader, { title: 'Three', minutesAgo: 1 })
    expect(await titles(query)).toEqual(expected)
  })

  test.for(['?status=new', '?limit=0', '?offset=-1', '?order=up', `?q=${'x'.repeat(201)}`, '?q=%00'])(
    'refuse a wrong parameter: %s',
    async (query, { list }) => {
      expect((await list(reader, query)).response.statusCode).toBe(400)
    },
  )

  test('are deleted all at once, without those of others', async ({ api, school, list }) => {
    await buildNotification(api, reader)
    await buildNotification(api, reader, { read: true })
    const another = await buildMember(api, school.organizationId, ['student'])
    await buildNotification(api, another)
    const cleared = await api.as(reader).post('/notifications')
    expect(cleared.statusCode).toBe(204)
    expect(cleared.body).toBe('')
    expect((await list(reader)).rows).toEqual([])
    expect((await list(another)).rows).toHaveLength(1)
  })
})

describe('marking a notification as read (§Notifications, POST)', () => {
  test('keeps the time of the first read', async ({ api, list, mark }) => {
    const id = await buildNotification(api, reader)
    const before = api.clock.now
    expect((await mark(id, reader)).statusCode).toBe(204)
    api.clock.now = new Date(before.getTime() + 60_000)
    expect((await mark(id, reader)).statusCode).toBe(204)
    api.clock.now = before
    const { rows } = await list(reader)
    expect(rows[0]?.readAt).toBe('2026-11-21T12:00:00.000Z')
  })

  test('is 404 for one that is gone', async ({ api, mark }) => {
    const gone = await buildNotification(api, reader)
    await api.as(reader).post('/notifications')
    expect((await mark(gone, reader)).statusCode).toBe(404)
  })

  test.for(['abc', '-1', '1.5', '%F0%9F%9B%A9'])('is 400 for a malformed id: %s', async (id, { mark }) => {
    expect((await mark(id, reader)).statusCode).toBe(400)
  })
})
