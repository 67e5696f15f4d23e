import { describe, expect } from 'vitest'
import { buildMember, buildPlane, buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'

interface Row {
  start: string
  end: string
  resource: { id: number } | null
  resources?: number[]
  personnel: { instructors: { orgUserId: number }[] }
}

const test = schoolTest({ school: { settings: { flyingDayStartMinute: 480, flyingDayEndMinute: 1080 } } })
  .extend('second', ({ api, school }) => buildPlane(api, school, { name: 'Z-plane' }))
  .extend(
    'ask',
    ({ api, school, second: _ }) =>
      (query: Record<string, string | number> = {}, who: Pick<Member, 'token'> = school.student, at?: string) => {
        const asked = { startDate: '2026-11-23', endDate: '2026-11-23', durationMinutes: 120, type: 'dual', ...query }
        const parameters = new URLSearchParams(asked as object as Record<string, string>)
        return api.as(who).get(at ?? `/reservations/openings?${parameters}`)
      },
  )
  .extend('rows', ({ ask }) => async (query: Record<string, string | number> = {}): Promise<Row[]> => {
    const answer = await ask(query)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data
  })

const startsOf = (rows: Row[]) => rows.map(({ start }) => start.slice(11, 16))
const linkOf = (headers: Record<string, unknown>) => /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]

describe('openings by day (`startsPerDay`)', () => {
  test('are the first start of each part of the day, then the earliest others, with what is free then', async ({
    api,
    school,
    second,
    rows,
  }) => {
    // The day is from 08:00 to 18:00. The first plane is out from 09:00 to 11:00, so 07:15 to 10:45 are left to the second.
    await bookDual(api, school, { start: '2026-11-23T09:00:00Z', end: '2026-11-23T11:00:00Z' })
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const found = await rows({ startsPerDay: 4 })
    // Parts begin at 00, 06, 12 and 18 hours; 08:00 and 12:00 are the first starts of theirs. The student is taken until 11:00.
    expect(startsOf(found)).toEqual(['11:00', '11:15', '11:30', '12:00'])
    expect(found.map(({ resources }) => resources)).toEqual(Array(4).fill([school.plane.id, second.id]))
    const desk = await expectOk<Row[]>(
      api,
      school.dispatcher,
      'GET',
      '/reservations/openings?startDate=2026-11-23&endDate=2026-11-23&durationMinutes=120&type=dual&startsPerDay=2',
    )
    expect(startsOf(desk)).toEqual(['08:00', '12:00'])
    expect(desk[0]).toMatchObject({
      resources: [second.id],
      resource: { id: second.id },
      personnel: { instructors: [{ orgUserId: other.orgUserId }] },
    })
  })

  test('answer a week in one request, and each row can be booked', async ({ api, school, ask }) => {
    const answer = await ask({ endDate: '2026-11-29', startsPerDay: 8 })
    const rows: Row[] = answer.json().data
    expect(rows).toHaveLength(56)
    expect(answer.headers.link).toBeUndefined()
    expect(new Set(rows.map(({ start }) => start.slice(0, 10))).size).toBe(7)
    const present = await expectOk<Row[]>(
      api,
      school.student,
      'GET',
      '/reservations/openings?startDate=2026-11-23&endDate=2026-11-23&durationMinutes=120&type=dual',
    )
    for (const row of rows.filter(({ start }) => start.startsWith('2026-11-23'))) {
      const free = present.filter(({ start }) => start === row.start).map(({ resource }) => resource?.id)
      expect(row.resources).toEqual(free)
    }
  })

  test('of one day are at most all quarter hours', async ({ rows }) => {
    expect(await rows({ startsPerDay: 96 })).toHaveLength(33)
  })

  test('start within the minutes that are asked for, in both forms', async ({ rows }) => {
    const hours = { earliestMinute: 600, latestMinute: 660 }
    expect(startsOf(await rows({ ...hours, startsPerDay: 96 }))).toEqual(['10:00', '10:15', '10:30', '10:45', '11:00'])
    const each = startsOf(await rows(hours))
    expect([...new Set(each)]).toEqual(['10:00', '10:15', '10:30', '10:45', '11:00'])
  })

  test('of a pool are on its aircraft alone', async ({ api, school, second, ask, rows }) => {
    await expectOk(api, school.admin, 'PATCH', `/resources/${second.id}`, { type: { plane: {} }, pool: 'Trainers' })
    expect((await rows({ startsPerDay: 1, pool: 'TRAINERS' })).map(({ resources }) => resources)).toEqual([[second.id]])
    expect(new Set((await rows({ pool: 'Trainers' })).map(({ resource }) => resource?.id))).toEqual(
      new Set([second.id]),
    )
    const elsewhere = await buildSchool(api)
    expect((await ask({ pool: 'Trainers' }, elsewhere.student)).json().message).toMatch(/^pool: /)
  })

  test.for([
    ['pool', { pool: 'Twins' }],
    ['pool', { pool: 'Twins', resourceId: 1 }],
    ['startsPerDay', { startsPerDay: 0 }],
    ['startsPerDay', { startsPerDay: 97 }],
    ['earliestMinute', { earliestMinute: 1440 }],
    ['latestMinute', { earliestMinute: 600, latestMinute: 600 }],
  ] as const)('are 400 naming %s for %o', async ([field, query], { ask }) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toMatch(new RegExp(`^${field}: `))
  })
})

describe('a window of openings that was cut', () => {
  test('has the address of the rest, which repeats no row', async ({ api, ask, school }) => {
    await buildPlane(api, school)
    const found: Row[] = []
    let pages = 0
    for (let at: string | undefined = ''; at !== undefined; pages++) {
      const answer = await ask({ endDate: '2026-11-29', durationMinutes: 60 }, school.student, at || undefined)
      expect(answer.statusCode).toBe(200)
      const rows: Row[] = answer.json().data
      expect(rows.length).toBeLessThanOrEqual(200)
      found.push(...rows)
      at = linkOf(answer.headers)
    }
    // 37 starts a day on three aircraft: 198 rows of 66 whole starts a page.
    expect(pages).toBe(4)
    expect(found).toHaveLength(7 * 37 * 3)
    expect(new Set(found.map(({ start, resource }) => `${start} ${resource?.id}`)).size).toBe(7 * 37 * 3)
  })

  test('by day ends with a whole day', async ({ ask }) => {
    const answer = await ask({ endDate: '2026-12-23', startsPerDay: 96 })
    const rows: Row[] = answer.json().data
    expect(new URLSearchParams(linkOf(answer.headers)!.split('?')[1]).get('startDate')).toBe('2026-12-21T00:00:00.000Z')
    expect(rows.at(-1)?.start.slice(0, 10)).toBe('2026-12-20')
  })
})
