import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'

const test = sharedSchoolTest()
  .extend(
    'change',
    ({ api }) =>
      (preferences: unknown) =>
        api.as(member).patch('/notifications/preferences', { preferences }),
  )
  .extend('rowOf', ({ api }) => async (kind: string, reader = member): Promise<Row | undefined> => {
    const response = await api.as(reader).get('/notifications/preferences')
    return (response.json().data as Row[]).find((row) => row.kind === kind)
  })

let member: Member
test.beforeEach(async ({ api, school }) => {
  member = await buildMember(api, school.organizationId, ['student'])
})

interface Row {
  kind: string
  inApp: boolean
  push: boolean
  email: boolean
}

describe('notification preferences (§Notifications)', () => {
  test('are the defaults at first, in one row for each of the 63 kinds', async ({ api, rowOf }) => {
    const response = await api.as(member).get('/notifications/preferences')
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toHaveLength(63)
    expect(await rowOf('invoice_raised')).toEqual({ kind: 'invoice_raised', inApp: true, push: true, email: true })
    expect(await rowOf('invoice_paid')).toEqual({ kind: 'invoice_paid', inApp: true, push: false, email: false })
  })

  test('change by kind and channel, and what is left out stays', async ({ school, change, rowOf }) => {
    const first = await change([{ kind: 'invoice_raised', email: false }])
    expect(first.statusCode).toBe(200)
    expect(first.json().data).toHaveLength(63)
    await change([
      { kind: 'invoice_raised', push: false },
      { kind: 'announcement', inApp: false },
    ])
    expect(await rowOf('invoice_raised')).toEqual({ kind: 'invoice_raised', inApp: true, push: false, email: false })
    expect(await rowOf('announcement')).toEqual({ kind: 'announcement', inApp: false, push: true, email: true })
    expect(await rowOf('invoice_raised', school.student)).toMatchObject({ push: true, email: true })
  })

  test('are recorded when a kind by which staff oversee others is turned off, and only then', async ({
    api,
    school,
    change,
  }) => {
    await change([{ kind: 'announcement', email: false }])
    await change([{ kind: 'squawk_opened', push: false, email: false }])
    await change([{ kind: 'squawk_opened', inApp: true, email: false }])
    const path = `/audit?action=notifications.turned_off&orgUserId=${member.orgUserId}`
    const rows = (await api.as(school.admin).get(path)).json().data as { after: unknown }[]
    expect(rows.map(({ after }) => after)).toEqual([{ kind: 'squawk_opened', channels: ['push', 'email'] }])
  })

  test('take the later of two changes of one kind', async ({ change, rowOf }) => {
    await change([
      { kind: 'announcement', email: false, push: false },
      { kind: 'announcement', email: true },
    ])
    expect(await rowOf('announcement')).toMatchObject({ push: false, email: true })
  })

  test('stay unchanged by an empty change', async ({ change, rowOf }) => {
    expect((await change([])).statusCode).toBe(200)
    expect((await change([{ kind: 'announcement' }])).statusCode).toBe(200)
    expect(await rowOf('announcement')).toEqual({ kind: 'announcement', inApp: true, push: true, email: true })
  })

  test('keep each of several changes that are made at once', async ({ change, rowOf }) => {
    const ways = [{ inApp: false }, { push: false }, { email: false }]
    const answers = await Promise.all(ways.map((way) => change([{ kind: 'announcement', ...way }])))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
    expect(await rowOf('announcement')).toEqual({ kind: 'announcement', inApp: false, push: false, email: false })
  })

  test.for([
    ['an unknown kind', [{ kind: 'weather', email: false }], 'preferences.0.kind: '],
    ['a way that is no flag', [{ kind: 'announcement', email: 'no' }], 'preferences.0.email: '],
    ['null for a way', [{ kind: 'announcement', push: null }], 'preferences.0.push: '],
    ['no kind', [{ email: false }], 'preferences.0.kind: '],
    ['no list', { kind: 'announcement' }, 'preferences: '],
    ['nothing', undefined, 'preferences: '],
    ['too many rows', Array(101).fill({ kind: 'announcement' }), 'preferences: '],
  ] as const)('refuse %s', async ([_, preferences, opening], { change }) => {
    const answer = await change(preferences)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message.startsWith(opening)).toBe(true)
  })

  test('narrow what staff hear of locations, to those that the organization has', async ({ api, school }) => {
    const { location_id: id } = await api.core.database.db
      .selectFrom('resource')
      .select('location_id')
      .where('id', '=', school.plane.id)
      .executeTakeFirstOrThrow()
    const set = (locationIds: number[]) => api.as(member).patch('/notifications/preferences', { locationIds })
    expect((await set([id, id])).json()).toMatchObject({ locationIds: [id], data: expect.any(Array) })
    expect((await api.as(member).get('/notifications/preferences')).json().locationIds).toEqual([id])
    const unknown = await set([id, 2_000_000_000])
    expect([unknown.statusCode, unknown.json().message]).toEqual([400, 'locationIds.1: there is no such location'])
    expect((await set([])).json().locationIds).toEqual([])
  })
})
