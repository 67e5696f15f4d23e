import { describe, expect } from 'vitest'
import { asking, buildAskedSchool, decide } from '../../../support/booking-requests.ts'
import type { School } from '../../../support/builders.ts'
import { expectFigure } from '../../../support/figures.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

const test = apiTest().extend(
  'counting',
  ({ api }) =>
    async (work: () => Promise<unknown>) =>
      (await countStatements(api, work)).statements,
)

let school: School
let ids: number[]
test.beforeAll(async ({ api }) => {
  school = await buildAskedSchool(api)
  ids = []
  for (let day = 10; day < 30; day++) {
    const times = { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
    ids.push((await asking(api, school, times)).id)
  }
})

const verbs = (statements: string[]) => statements.map((text) => text.trim().split(/\s+/)[0]?.toLowerCase())

describe('a fixed number of statements', () => {
  test('reads the desk’s list: the caller, the page, and its total when the page is full', async ({
    api,
    counting,
  }) => {
    expect(await counting(() => expectOk(api, school.dispatcher, 'GET', '/booking-requests?limit=2'))).toHaveLength(3)
    expect(await counting(() => expectOk(api, school.dispatcher, 'GET', '/booking-requests'))).toHaveLength(2)
    expect(await counting(() => expectOk(api, school.student, 'GET', '/booking-requests/me'))).toHaveLength(2)
  })

  test('reads one request: the caller, and the request with everything in it', async ({ api, counting }) => {
    expect(await counting(() => expectOk(api, school.student, 'GET', `/booking-requests/${ids[0]}`))).toHaveLength(2)
  })

  test('approves: the request, its seats, and what a booking takes', async ({ api, counting }) => {
    // Who calls; begin, the request's lock and its seats; locks, resource, people, what is taken, currencies; booking
    // with its seats, the request, outbox; commit; the answer.
    const statements = await counting(() => decide(api, school.dispatcher, ids[0]!, 'approve'))
    expect(verbs(statements)).toEqual([
      ...['select', 'begin', 'select', 'select'],
      ...['select', 'select', 'select', 'select', 'select'],
      ...['with', 'update', 'with', 'commit', 'select'],
    ])
    expectFigure('statements of an approval', statements.length)
  })

  test('refuses an approval, and nothing is written', async ({ api, counting }) => {
    await asking(api, school, { start: '2026-12-10T10:00:00Z', end: '2026-12-10T12:00:00Z' }).then(async ({ id }) => {
      const statements = await counting(() => decide(api, school.dispatcher, id, 'approve'))
      expect(statements.filter((text) => /^\s*(insert|update)/i.test(text))).toEqual([])
    })
  })
})
