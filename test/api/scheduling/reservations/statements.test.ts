import { describe, expect } from 'vitest'
import { isPrepared } from '../../../../src/shared/platform/db/auto-prepare.ts'
import { buildMember } from '../../../support/builders.ts'
import { expectFigure } from '../../../support/figures.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

const test = sharedSchoolTest().extend(
  'counting',
  ({ api }) =>
    async (work: () => Promise<unknown>) =>
      (await countStatements(api, work)).statements,
)

let id: number
test.beforeAll(async ({ api, school }) => {
  id = await bookDual(api, school)
  for (let day = 10; day < 30; day++) {
    await bookDual(api, school, { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` })
  }
})

const list = '/reservations?startDate=2026-11-01T00:00:00Z&endDate=2027-01-01T00:00:00Z'

describe('a fixed number of statements', () => {
  test('reads one booking: the caller, and the booking with everything in it', async ({ api, school, counting }) => {
    const { length } = await counting(() => expectOk(api, school.student, 'GET', `/reservations/${id}`))
    expect(length).toBe(2)
    expectFigure('statements of a booking that is read', length)
  })

  test('reads a list: the caller and the page, and counts only when the page is full', async ({
    api,
    school,
    counting,
  }) => {
    const totals = (statements: string[]) => statements.filter((text) => /count\(\*\)/.test(text))
    const full = await counting(() => expectOk(api, school.student, 'GET', `${list}&limit=2`))
    expect(full).toHaveLength(3)
    expect(totals(full)).toHaveLength(1)
    expect(totals(full)[0]).not.toMatch(/order by/)
    const { length } = await counting(() => expectOk(api, school.student, 'GET', list))
    expect(length).toBe(2)
    expectFigure('statements of a list of bookings that is not longer than its page', length)
  })

  test('reads what belongs to the bookings of a search by the same statement for every text', async ({
    api,
    school,
    counting,
  }) => {
    const searched = async (q: string) => {
      const statements = await counting(() => expectOk(api, school.student, 'GET', `${list}&q=${q}`))
      return statements.filter((text) => /^\s*with page as/.test(text))
    }
    const [lesson] = await searched('lesson')
    expect(lesson).not.toMatch(/like/)
    expect(await searched('l')).toEqual([lesson])
  })

  test('books, and is no larger for four students than for one', async ({ api, school, counting }) => {
    const others = await Promise.all([1, 2, 3].map(() => buildMember(api, school.organizationId, ['student'])))
    const one = await counting(() =>
      bookDual(api, school, { start: '2027-01-02T10:00:00Z', end: '2027-01-02T12:00:00Z' }),
    )
    const four = await counting(() =>
      bookDual(api, school, {
        start: '2027-01-03T10:00:00Z',
        end: '2027-01-03T12:00:00Z',
        students: [school.student, ...others],
      }),
    )
    // Who calls; begin, locks, resource, people, what is taken, currencies, booking with its seats, event and
    // outbox, commit; the answer.
    expect(one.map((text) => text.trim().split(/\s+/)[0]?.toLowerCase())).toEqual([
      'select',
      'begin',
      'select',
      'select',
      'select',
      'select',
      'select',
      'with',
      'with',
      'commit',
      'select',
    ])
    expect(four).toHaveLength(one.length)
    // The locks come with the setting that keeps PostgreSQL from planning the later statements for their values.
    expect(one.filter((text) => /force_generic_plan/.test(text))).toEqual([one[2]])
    expect(one[2]).toMatch(/pg_advisory_xact_lock/)
    // Planning the statement of the currencies at each booking took longer than everything else that a booking does.
    expect(one.filter((text) => !isPrepared(text, []))).toEqual([])
    expectFigure('statements of a booking that is made', one.length)
  })

  test('refuses a booking, and nothing is written', async ({ api, school, counting }) => {
    const refused = await counting(() => api.as(school.admin).post('/reservations', dualBody(school)))
    expect(refused.filter((text) => /insert|update/i.test(text))).toEqual([])
  })

  test('searches the fix of a refused booking after the rollback, when the lock of the slot is free', async ({
    api,
    school,
    counting,
  }) => {
    let fixes: unknown
    const refused = await counting(async () => {
      const answer = await api.as(school.admin).post('/reservations', dualBody(school))
      fixes = answer.json().details.problems.map(({ fix }: { fix?: { action: string } }) => fix?.action)
    })
    expect(fixes).toContain('choose_time')
    const [rollback, lastLock] = [/^rollback/i, /pg_advisory|for update/i].map((pattern) =>
      refused.findLastIndex((text) => pattern.test(text)),
    )
    expect(rollback).toBeGreaterThan(lastLock!)
    expect(refused.slice(rollback! + 1).filter((text) => /^\s*(with|select)/i.test(text)).length).toBeGreaterThan(0)
  })

  test('removes a member: their bookings are locked together and changed together, however many', async ({
    api,
    school,
    counting,
  }) => {
    const removing = async (day: number, count: number) => {
      const student = await buildMember(api, school.organizationId, ['student'])
      for (let at = day; at < day + count; at++) {
        const [start, end] = [`2027-02-${at}T10:00:00Z`, `2027-02-${at}T12:00:00Z`]
        await bookDual(api, school, { start, end, students: [student] })
      }
      const url = `/orgUsers/${student.orgUserId}?cancelBookings=true`
      const statements = await counting(async () => {
        const { statusCode } = await api.as(school.admin).delete(url)
        expect(statusCode).toBe(204)
      })
      const on = (pattern: RegExp) => statements.filter((text) => pattern.test(text)).length
      return {
        locks: on(/from "reservation".*for update/s),
        seats: on(/^select.*from "seat"/s),
        changes: on(/^update "reservation"/),
      }
    }
    // Seats: whether they are out, those that are freed, and those that are left.
    expect(await removing(10, 1)).toEqual({ locks: 1, seats: 3, changes: 1 })
    expect(await removing(20, 3)).toEqual({ locks: 1, seats: 3, changes: 1 })
  })
})
