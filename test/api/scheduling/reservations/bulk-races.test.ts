import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, buildSchool, type School } from '../../../support/builders.ts'
import { bookDual } from '../../../support/flights.ts'
import { type OperationAnswer, readBulk, work } from '../../../support/operations.ts'
import { startTwoApps } from '../../../support/two-apps.ts'

let apis: [TestApp, TestApp]
let school: School
beforeAll(async () => {
  const two = await startTwoApps()
  apis = two.apis
  return two.close
})
beforeEach(async () => {
  school = await buildSchool(apis[0])
})

const CLIENTS = 32
const clients = Array.from({ length: CLIENTS }, (_, at) => at)
const apiOf = (at: number) => apis[at % 2]!

/** Two lessons at one time, each of an aircraft and people of their own. */
async function twoLessons() {
  const plane = await buildPlane(apis[0], school)
  const instructor = await buildMember(apis[0], school.organizationId, ['instructor'])
  const student = await buildMember(apis[0], school.organizationId, ['student'])
  const first = await bookDual(apis[0], school)
  const second = await bookDual(apis[0], { ...school, plane, instructor, student })
  return { first, second, planes: [school.plane.id, plane.id] as const }
}

describe('32 clients at once on two API processes (§Reservations)', () => {
  test('that exchange the aircraft of two bookings, each in a bulk: all are done in turn, and nothing clashes', async () => {
    const { first, second, planes } = await twoLessons()
    const started = await Promise.all(
      clients.map(async (at) => {
        const [one, other] = at % 2 === 0 ? [planes[1], planes[0]] : planes
        const changes = [
          { id: first, resource: { id: one } },
          { id: second, resource: { id: other } },
        ]
        const response = await apiOf(at).as(school.dispatcher).post('/reservations/bulk', { action: { changes } })
        expect(response.statusCode, response.body).toBe(202)
        return (response.json().data as OperationAnswer).id
      }),
    )
    const ids = started.toSorted((a, b) => a - b)
    for (let round = 0; round < CLIENTS; round += 4) {
      // Jobs that come too early leave their operation to the end of the one before.
      await Promise.all(
        ids.slice(round).map((operationId, at) => (at < 4 ? runInTurn(apiOf(at), operationId) : Promise.resolve())),
      )
    }
    for (const id of ids) await work(apis[0], { organizationId: school.organizationId, operationId: id })
    for (const id of ids) {
      const { operation, rows } = await readBulk(apis[0], school.dispatcher, id)
      expect(operation.status).toBe('done')
      expect(rows.map(({ outcome }) => outcome)).not.toContain('refused')
    }
    const { rows } = await apis[0].core.database.pool.query<{ id: number; resource_id: number }>(
      'select id, resource_id from reservation where id = any($1) and live order by id',
      [[first, second]],
    )
    expect(rows.map(({ resource_id }) => resource_id).sort()).toEqual([...planes].sort())
  })

  test('that exchange them by hand meanwhile: one aircraft has one booking at a time', async () => {
    const { first, second, planes } = await twoLessons()
    const answers = await Promise.all(
      clients.map((at) =>
        at % 4 === 0
          ? swap(apiOf(at), [first, second], at % 8 === 0 ? [planes[1], planes[0]] : planes)
          : apiOf(at)
              .as(school.dispatcher)
              .patch(`/reservations/${at % 2 ? first : second}`, { resource: { id: planes[at % 3 ? 0 : 1] } })
              .then(({ statusCode }) => statusCode),
      ),
    )
    expect(answers.every((status) => status === 200 || status === 202 || status === 400)).toBe(true)
    const { rows } = await apis[0].core.database.pool.query<{ planes: number }>(
      'select count(distinct resource_id)::int as planes from reservation where id = any($1) and live',
      [[first, second]],
    )
    expect(rows[0]?.planes).toBe(2)
  })
})

async function runInTurn(api: TestApp, operationId: number): Promise<void> {
  await work(api, { organizationId: school.organizationId, operationId })
}

async function swap(api: TestApp, ids: number[], planes: readonly number[]): Promise<number> {
  const changes = ids.map((id, at) => ({ id, resource: { id: planes[at]! } }))
  const response = await api.as(school.dispatcher).post('/reservations/bulk', { action: { changes } })
  await runInTurn(api, response.json().data.id)
  return response.statusCode
}
