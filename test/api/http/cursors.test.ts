import { describe, expect } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { buildSchool, type Member, type School } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { buildBooking, buildNotification } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'

interface Given {
  api: TestApp
  school: School
  addGuest: (random: Random) => Promise<number>
  seats: () => { side: 'students'; member: Member }[]
}

const test = sharedSchoolTest()
  .extend(
    'get',
    ({ api, school }) =>
      (url: string, { token }: Pick<Member, 'token'> = school.admin) =>
        api.call('GET', url, { token }),
  )
  /** Reads a list by cursor in pages of random sizes, and does something between two pages. */
  .extend('walk', ({ get }) => async (url: string, random: Random, between: () => Promise<unknown>) => {
    const ids: number[] = []
    let next: string | null = `${url}limit=${1 + random(7)}&cursor=`
    while (next !== null) {
      const response = await get(next)
      expect(response.statusCode).toBe(200)
      ids.push(...response.json<{ data: { id: number }[] }>().data.map(({ id }) => id))
      next = nextOf(response)?.replace(/limit=\d+/, `limit=${1 + random(7)}`) ?? null
      await between()
    }
    return ids
  })
  .extend('addGuest', ({ api, school }) => async (random: Random): Promise<number> => {
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      'insert into guest (organization_id, name) values ($1, $2) returning id',
      [school.organizationId, names[random(names.length)]],
    )
    return rows[0]?.id ?? 0
  })
  .extend('seats', ({ school }) => () => [{ side: 'students' as const, member: school.student }])

/** Returns random whole numbers below a bound. */
type Random = (below: number) => number

/** A repeatable stream of random whole numbers below a bound. */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function nextOf(response: { headers: { link?: unknown } }): string | null {
  return /^<(\/[^>]+)>; rel="next"$/.exec(String(response.headers.link ?? ''))?.[1] ?? null
}

const names = ['Ana', 'ana', 'Émile', 'Zoë', 'Bo, "the" <b>', 'null', '{1,2}', '  ', "O'Hara"]

const window = 'startDate=2020-01-01T00:00:00Z&endDate=2030-01-01T00:00:00Z'

describe('each row that was there throughout comes exactly once', () => {
  /** Lists in either direction, with many rows that are equal but for their ids: their address, and how a row is added. */
  test.for<[string, string, (given: Given, random: Random) => Promise<number>]>([
    ['guests by name', '/guests?', ({ addGuest }, random) => addGuest(random)],
    [
      'bookings, the latest first',
      `/reservations?${window}&`,
      ({ api, school, seats }, random) =>
        buildBooking(api, school, { seats: seats(), cancelled: true, fromHour: random(5) }),
    ],
    [
      'bookings, the earliest first',
      `/reservations?${window}&orderBy=asc&`,
      ({ api, school, seats }, random) =>
        buildBooking(api, school, { seats: seats(), cancelled: true, fromHour: random(5) }),
    ],
    [
      'notifications, the newest first',
      '/notifications?',
      ({ api, school }, random) => buildNotification(api, school.admin, { minutesAgo: random(4) }),
    ],
  ])(
    '%s, whatever is added before or behind',
    async ([_name, url, add], { api, school, get, walk, addGuest, seats }) => {
      const random = randomFrom(url.length)
      const address = `${url}${url.includes('reservations') ? 'includeCanceled=true&' : ''}`
      for (let count = 0; count < 25; count += 1) await add({ api, school, addGuest, seats }, random)
      const there = (await get(`${address}limit=1000`)).json<{ data: { id: number }[] }>().data.map(({ id }) => id)
      const added: number[] = []
      const walked = await walk(address, random, async () => {
        if (added.length < 20)
          added.push(
            await add({ api, school, addGuest, seats }, random),
            await add({ api, school, addGuest, seats }, random),
          )
      })
      expect(walked.filter((id) => there.includes(id))).toEqual(there)
      expect(new Set(walked).size).toBe(walked.length)
      expect(walked.filter((id) => !there.includes(id) && !added.includes(id))).toEqual([])
    },
  )

  test('while others add guests at the same time', async ({ get, walk, addGuest }) => {
    const random = randomFrom(3)
    const there = (await get('/guests?')).json<{ data: { id: number }[] }>().data.map(({ id }) => id)
    const [walked] = await Promise.all([
      walk('/guests?', random, async () => undefined),
      ...Array.from({ length: 30 }, (_, index) => addGuest(randomFrom(index))),
    ])
    expect(walked.filter((id) => there.includes(id))).toEqual(there)
    expect(new Set(walked).size).toBe(walked.length)
  })

  test('when the last row of the page before is gone', async ({ api, get }) => {
    const first = await get('/guests?limit=3&cursor=')
    const { data } = first.json<{ data: { id: number }[] }>()
    const there = (await get('/guests?')).json<{ data: { id: number }[] }>().data.map(({ id }) => id)
    await asOwner(api, 'delete from guest where id = $1', [data[2]?.id])
    const second = (await get(nextOf(first) ?? '')).json<{ data: { id: number }[] }>().data
    expect(second.map(({ id }) => id)).toEqual(there.slice(3, 6))
  })
})

describe('a page by cursor (§Versioning rule 4)', () => {
  test('names the next one with every parameter, and the last page names none', async ({ get }) => {
    const response = await get('/guests?q=Ana&limit=2&cursor=&unknown=a%20%3E')
    const next = new URL(nextOf(response) ?? '', 'http://localhost')
    expect(next.pathname).toBe('/guests')
    expect(Object.fromEntries(next.searchParams)).toMatchObject({ q: 'Ana', limit: '2', unknown: 'a >' })
    expect(response.headers['x-total-count']).toBe((await get('/guests?q=Ana')).headers['x-total-count'])
    expect(nextOf(await get('/guests?limit=1000&cursor='))).toBeNull()
    expect(nextOf(await get('/guests?limit=2'))).toBeNull()
    expect(nextOf(await get('/guests?cursor='))).toBeNull()
  })

  test('shows nothing of its last row in the address', async ({ get }) => {
    const next = nextOf(await get('/guests?q=Ana&limit=1&cursor=')) ?? ''
    const cursor = new URL(next, 'http://localhost').searchParams.get('cursor')
    const bytes = Buffer.from(String(cursor).split('.').at(-1) ?? '', 'base64url').toString('latin1')
    expect(bytes).not.toMatch(/ana/i)
  })

  test('asks the database no more than a page by offset', async ({ api, get }) => {
    const next = nextOf(await get(`/reservations?${window}&includeCanceled=true&limit=2&cursor=`)) ?? ''
    const byOffset = `/reservations?${window}&includeCanceled=true&limit=2&offset=2`
    const { statements } = await countStatements(api, () => get(byOffset))
    expect((await countStatements(api, () => get(next))).statements).toHaveLength(statements.length)
  })
})

describe('a cursor is refused', () => {
  const sentence = 'cursor: is not a cursor of this list and its parameters'

  test.for(['x', 'null', '0', '[]', '%00', 'k1.AAAA', '..', 'é', 'a'.repeat(3_000)])(
    'when it is %s',
    async (text, { get }) => {
      const response = await get(`/guests?cursor=${text}`)
      expect([response.statusCode, response.json()]).toEqual([
        400,
        { message: sentence, details: { problems: [{ field: 'cursor', message: sentence }] } },
      ])
    },
  )

  test.for(['offset=0', 'offset=2', 'sort=name'])('beside %s', async (other, { get }) => {
    for (const cursor of ['', 'x']) {
      const response = await get(`/guests?cursor=${cursor}&${other}`)
      expect([response.statusCode, response.json().message]).toEqual([
        400,
        'cursor: cannot be combined with offset or sort',
      ])
    }
  })

  test('changed, with other parameters, on another list and in other hands', async ({ api, school, get }) => {
    const next = nextOf(await get('/guests?limit=2&cursor=')) ?? ''
    const cursor = new URL(next, 'http://localhost').searchParams.get('cursor') ?? ''
    const swapped = `${cursor.slice(0, -5)}${cursor.at(-5) === 'A' ? 'B' : 'A'}${cursor.slice(-4)}`
    const wrong = [
      await get(`/guests?limit=2&cursor=${swapped}`),
      await get(`/guests?limit=2&cursor=${cursor}&q=a`),
      await get(`/groups?limit=2&cursor=${cursor}`),
      await get(`/guests?limit=2&cursor=${cursor}`, school.dispatcher),
      await get(`/guests?limit=2&cursor=${cursor}`, (await buildSchool(api)).admin),
    ]
    expect(wrong.map((response) => [response.statusCode, response.json().message])).toEqual(
      wrong.map(() => [400, sentence]),
    )
    expect((await get(`/guests?limit=5&cursor=${cursor}`)).statusCode).toBe(200)
  })
})
