import { describe, expect } from 'vitest'
import { judgeSoFar } from '../../support/at-risk.ts'
import { buildLocation } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'

type Board = Record<'out' | 'late' | 'due' | 'next' | 'grounded' | 'atRisk', { id: number }[]>

const test = sharedSchoolTest()
const day = (from: string, to: string) => ({ start: `2026-11-23T${from}:00Z`, end: `2026-11-23T${to}:00Z` })
const ids = { late: 0, due: 0, next: 0, tomorrow: 0 }

/** Half past twelve: one is out since eight and was expected at ten, one should have left at noon, one leaves at three. */
test.beforeAll(async ({ api, school }) => {
  ids.late = await bookDual(api, school, day('08:00', '10:00'))
  ids.due = await bookDual(api, school, day('12:00', '13:00'))
  ids.next = await bookDual(api, school, day('15:00', '16:00'))
  await bookDual(api, school, { ...day('13:00', '14:00'), extra: { type: 'ground', resource: null } })
  ids.tomorrow = await bookDual(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
  await bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
  api.clock.now = new Date('2026-11-23T08:05:00Z')
  const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }
  await expectOk(api, school.instructor, 'POST', `/reservations/${ids.late}/rampOut`, out)
  api.clock.now = new Date('2026-11-23T12:30:00Z')
})

describe('the departure board (interface §Dispatch)', () => {
  test('says who is out, late, due and next, what is grounded, and what is at risk until tomorrow', async ({
    api,
    school,
  }) => {
    const grounding = { grounded: true, reason: 'Flat strut' }
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, grounding)
    await judgeSoFar(api, school.organizationId)
    const board = await expectOk<Board>(api, school.instructor, 'GET', '/board')
    expect(board).toMatchObject({
      out: [{ id: ids.late, status: 'ramped_out', minutesLate: 150, expectedBackAt: '2026-11-23T10:00:00.000Z' }],
      late: [{ id: ids.late }],
      due: [{ id: ids.due, status: 'booked', minutesLate: 30 }],
      next: [{ id: ids.next, minutesLate: 0, resource: { id: school.plane.id } }],
      grounded: [{ id: school.plane.id, groundedReason: 'Flat strut' }],
      atRisk: [
        { id: ids.next, problems: [{ rule: 'resource_grounded' }] },
        { id: ids.tomorrow, problems: [{ rule: 'resource_grounded' }] },
      ],
    })
    expect(board.next[0]).not.toHaveProperty('notes')
  })

  test('is of some locations when they are named', async ({ api, school }) => {
    const elsewhere = await buildLocation(api, school.organizationId)
    const here = await expectOk<Board>(api, school.dispatcher, 'GET', `/board?locationId=${school.location.id}`)
    expect(here.out).toHaveLength(1)
    const both = await expectOk<Board>(
      ...([api, school.dispatcher, 'GET', `/board?locationId=${school.location.id},${elsewhere.id}`] as const),
    )
    expect(both.out).toHaveLength(1)
    const there = await expectOk<Board>(api, school.dispatcher, 'GET', `/board?locationId=${elsewhere.id}`)
    expect(Object.values(there).flat()).toEqual([])
  })

  test('asks for the caller, the bookings, the grounded, and with two statements for the bookings at risk', async ({
    api,
    school,
  }) => {
    const { statements } = await countStatements(api, () => expectOk(api, school.dispatcher, 'GET', '/board'))
    expect(statements).toHaveLength(5)
  })
})
