import { describe, expect } from 'vitest'
import { buildLocation } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface Closure {
  id: number
  start: string
  seriesId: number | null
  affected: { id: number }[]
  affectedCount: number
}

/** Monday 23 November 2026, on which the dual flight of a school is. */
const monday = { start: '2026-11-23T08:00:00Z', end: '2026-11-23T20:00:00Z', reason: 'Runway closed' }

const test = schoolTest()
  .extend(
    'close',
    ({ api, school }) =>
      (more: object = {}) =>
        expectOk<Closure>(api, school.dispatcher, 'POST', '/closures', { ...monday, ...more }),
  )
  .extend(
    'listed',
    ({ api, school }) =>
      (query = '') =>
        expectOk<Closure[]>(api, school.student, 'GET', `/closures${query}`),
  )

describe('closures (interface §Closures)', () => {
  test('keep what is booked, list it, and refuse what is not booked yet', async ({ api, school, close }) => {
    const id = await bookDual(api, school)
    await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    const made = await close()
    expect(made).toMatchObject({ ...monday, start: '2026-11-23T08:00:00.000Z', end: '2026-11-23T20:00:00.000Z' })
    expect(made).toMatchObject({ affected: [{ id, title: 'Lesson 4: stalls' }], affectedCount: 1, seriesId: null })
    const later = { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' }
    const refused = await api.as(school.student).post('/reservations', dualBody(school, later))
    expect(refused.json()).toMatchObject({ code: 'CLOSED', details: { problems: [{ rule: 'closed_period' }] } })
    const moved = await api.as(school.dispatcher).patch(`/reservations/${id}`, later)
    expect(moved.json()).toMatchObject({ code: 'CLOSED' })
    const window = 'startDate=2026-11-23T00:00:00Z&endDate=2026-11-24T00:00:00Z&durationMinutes=120&type=dual'
    const openings = await expectOk<{ end: string }[]>(api, school.student, 'GET', `/reservations/openings?${window}`)
    expect(openings.filter(({ end }) => end > '2026-11-23T08:00:00.000Z' && end < '2026-11-23T22:00:00.000Z')).toEqual(
      [],
    )
    expect((await api.as(school.dispatcher).delete(`/closures/${made.id}`)).statusCode).toBe(204)
    expect((await api.as(school.student).post('/reservations', dualBody(school, later))).statusCode).toBe(201)
  })

  test('of a location cover what is booked there and what is based there, those of a resource that alone', async ({
    api,
    school,
    close,
    listed,
  }) => {
    const id = await bookDual(api, school)
    const elsewhere = await buildLocation(api, school.organizationId)
    const there = await bookDual(api, school, {
      start: '2026-11-23T14:00:00Z',
      end: '2026-11-23T16:00:00Z',
      extra: { location: { id: elsewhere.id } },
    })
    const base = await close({ locationId: school.location.id })
    expect(base.affected.map((one) => one.id)).toEqual([id, there])
    expect((await close({ locationId: elsewhere.id })).affected.map((one) => one.id)).toEqual([there])
    const plane = await close({ resourceId: school.plane.id })
    expect(plane.affectedCount).toBe(2)
    expect((await listed(`?locationId=${school.location.id}`)).map((one) => one.id)).toEqual([base.id])
    expect((await listed(`?resourceId=${school.plane.id}`)).map((one) => one.id)).toEqual([plane.id])
  })

  test('repeat at the same local time across a change of clocks, and end one by one or from one on', async ({
    api,
    school,
    close,
    listed,
  }) => {
    const made = await close({
      start: '2026-10-26T08:00:00-07:00',
      end: '2026-10-26T09:00:00-07:00',
      timeZoneName: 'America/Los_Angeles',
      recurrence: { frequency: 'weekly', count: 4 },
    })
    const rows = await listed()
    const starts = ['2026-10-26T15', '2026-11-02T16', '2026-11-09T16', '2026-11-16T16']
    expect(rows.map(({ start }) => start.slice(0, 13))).toEqual(starts)
    expect(new Set(rows.map(({ seriesId }) => seriesId))).toEqual(new Set([made.seriesId]))
    const remove = (at: number, query = '') => api.as(school.dispatcher).delete(`/closures/${rows[at]!.id}${query}`)
    expect((await remove(1)).statusCode).toBe(204)
    expect((await remove(1)).statusCode).toBe(404)
    expect((await remove(2, '?series=true')).statusCode).toBe(204)
    expect((await listed()).map(({ id }) => id)).toEqual([made.id])
    expect(await listed('?startDate=2026-10-26T16:00:00Z')).toEqual([])
  })

  test.for([
    ['a location and a resource', { locationId: 1, resourceId: 1 }],
    ['an end before the start', { end: '2026-11-23T07:00:00Z' }],
    ['more than 366 days', { end: '2027-11-25T08:00:00Z' }],
    ['no reason', { reason: '' }],
    ['a series of one', { recurrence: { frequency: 'weekly', count: 1 } }],
    ['an unknown location', { locationId: 2_000_000_000 }],
    ['an unknown resource', { resourceId: 2_000_000_000 }],
  ] as const)('are refused with %s', async ([_what, more], { api, school }) => {
    const { statusCode } = await api.as(school.dispatcher).post('/closures', { ...monday, ...more })
    expect(statusCode).toBe(400)
  })

  test('are five hundred at most while they are not over, whatever is asked at once', async ({ api, school }) => {
    const values = Array.from({ length: 498 }, () => ({
      organization_id: school.organizationId,
      starts_at: new Date(monday.start),
      ends_at: new Date(monday.end),
      reason: 'Fly-in',
      created_by: school.dispatcher.orgUserId,
    }))
    await api.core.database.db.insertInto('closure').values(values).execute()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.as(school.dispatcher).post('/closures', monday)),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409])
    const codes = answers.flatMap((answer) => answer.json().code ?? [])
    expect(codes).toEqual(Array(3).fill('TOO_MANY_CLOSURES'))
  })

  test('are made by a fixed number of statements, however long the series is', async ({ api, close }) => {
    const counted = async (count: number) =>
      (await countStatements(api, () => close({ recurrence: { frequency: 'weekly', count } }))).statements.length
    expect(await counted(104)).toBe(await counted(2))
  })
})
