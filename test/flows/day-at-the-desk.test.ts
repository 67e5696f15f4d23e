import { describe, expect } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { buildMember, buildPlane, type School } from '../support/builders.ts'
import { schoolTest } from '../support/fixtures.ts'
import { bookDual, expectOk } from '../support/flights.ts'
import { bulk } from '../support/operations.ts'

interface Line {
  id: number
  start: string
  resource: { id: number }
}

interface Board {
  out: Line[]
  late: Line[]
  due: Line[]
  next: Line[]
  grounded: { id: number }[]
  atRisk: Line[]
}

const hour = (h: number) => `2026-11-23T${String(h).padStart(2, '0')}:00:00.000Z`

const test = schoolTest().extend('book', ({ api, school }) => {
  /** Books an hour with a student and an instructor of its own. */
  return async (plane: School['plane'], start: number): Promise<number> => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    return bookDual(api, { ...school, plane, student, instructor }, { start: hour(start), end: hour(start + 1) })
  }
})

describe('the day at the desk', () => {
  test('with fog until ten and a flat strut takes one move, one reassignment and a board', async ({
    api,
    school,
    book,
  }) => {
    const foggy = await Promise.all(Array.from({ length: 4 }, () => buildPlane(api, school)))
    const [spare, second] = [await buildPlane(api, school), await buildPlane(api, school)]
    const early = []
    for (const plane of foggy) early.push(await book(plane, 8), await book(plane, 9))
    const afternoon = []
    for (const start of [12, 13, 14, 15, 16, 17]) afternoon.push(await book(school.plane, start))
    await book(spare, 14)
    api.clock.now = new Date(hour(7))

    let requests = 0
    const counted: TestApp = {
      ...api,
      call(...request) {
        requests += 1
        return api.call(...request)
      },
      as(who) {
        requests += 1
        return api.as(who)
      },
    }
    const strut = {
      resource: { id: school.plane.id },
      title: 'Nose strut is flat',
      description: '',
      severity: 'grounding',
    }
    await expectOk(counted, school.technician, 'POST', '/maintenance/squawks', strut)
    const moved = await bulk(counted, school.dispatcher, {
      filter: { startDate: hour(7), endDate: hour(10) },
      action: { move: { minutes: 120 } },
    })
    const reassigned = await bulk(counted, school.dispatcher, {
      filter: { startDate: hour(10), endDate: hour(23), resourceId: school.plane.id },
      action: { reassign: { resources: [{ id: spare.id }, { id: second.id }] } },
    })
    const board = await expectOk<Board>(counted, school.dispatcher, 'GET', '/board')
    expect(requests).toBeLessThan(10)

    const all = (ids: number[]) => ids.map((reservationId) => ({ reservationId, outcome: 'done' }))
    expect(moved.rows).toHaveLength(8)
    expect(moved.rows).toEqual(expect.arrayContaining(all(early).map((row) => expect.objectContaining(row))))
    expect(reassigned.rows).toMatchObject(all(afternoon))
    const planes = await Promise.all(
      afternoon.map(
        async (id) => (await expectOk<Line>(api, school.dispatcher, 'GET', `/reservations/${id}`)).resource.id,
      ),
    )
    // At 14:00 the first is taken.
    expect(planes).toEqual([spare.id, spare.id, second.id, spare.id, spare.id, spare.id])
    expect(board).toMatchObject({ out: [], late: [], due: [], grounded: [{ id: school.plane.id }], atRisk: [] })
    // Four flights at ten and four at eleven leave within four hours.
    expect(board.next.map(({ start }) => start)).toEqual([...Array(4).fill(hour(10)), ...Array(4).fill(hour(11))])
  })
})
