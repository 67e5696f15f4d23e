import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody } from '../../../support/flights.ts'

const test = schoolTest().extend(
  'daily',
  ({ api, school }) =>
    (recurrence: object) =>
      api
        .as(school.dispatcher)
        .post('/reservations', dualBody(school, { extra: { recurrence: { frequency: 'daily', ...recurrence } } })),
)
const day = (date: number) => ({ start: `2026-11-${date}T10:00:00Z`, end: `2026-11-${date}T12:00:00Z` })

describe('a series that skips (§Reservations, recurrence.onConflict)', () => {
  test('leaves out what the rules refuse, says why, and numbers what is made', async ({ api, school, daily }) => {
    const [first, third] = [await bookDual(api, school, day(23)), await bookDual(api, school, day(25))]
    expect((await daily({ count: 4 })).statusCode).toBe(400)
    const made = await daily({ count: 4, onConflict: 'skip' })
    expect(made.statusCode, made.body).toBe(201)
    expect(made.json().data).toMatchObject([
      { start: '2026-11-24T10:00:00.000Z', series: { index: 1, count: 2 } },
      { start: '2026-11-26T10:00:00.000Z', series: { index: 2, count: 2 } },
    ])
    expect(made.json().skipped).toMatchObject([
      { start: '2026-11-23T10:00:00.000Z', problems: [{ code: 'RESOURCE_CLASH', reservationId: first }, {}, {}] },
      { start: '2026-11-25T10:00:00.000Z', problems: [{ code: 'RESOURCE_CLASH', reservationId: third }, {}, {}] },
    ])
  })

  test('is refused when nothing of it can be made, and says nothing when all is', async ({ api, school, daily }) => {
    for (const date of [23, 24]) await bookDual(api, school, day(date))
    const refused = await daily({ count: 2, onConflict: 'skip' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ code: 'RESOURCE_CLASH' })
    const later = { ...dualBody(school, day(26)), recurrence: { frequency: 'daily', count: 2, onConflict: 'skip' } }
    const made = await api.as(school.dispatcher).post('/reservations', later)
    expect(made.json().data).toHaveLength(2)
    expect(made.json()).not.toHaveProperty('skipped')
  })
})
