import { describe, expect } from 'vitest'
import { createHighsSolver } from '../../../../src/shared/platform/adapters/solver/highs-solver.ts'
import type { Solver } from '../../../../src/shared/platform/adapters/solver/solver.port.ts'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { type OperationAnswer, work } from '../../../support/operations.ts'
import { buildTwin, ground, type PlanAnswer, planned, recoveryWindow } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const at = (h: number) => ({
  start: `2026-11-23T${String(h).padStart(2, '0')}:00:00.000Z`,
  end: `2026-11-23T${String(h + 2).padStart(2, '0')}:00:00.000Z`,
})

const withSolver = (api: TestApp, solver: Solver): TestApp => ({ ...api, core: { ...api.core, solver } })

async function twoLessons(api: TestApp, school: School) {
  const ids = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
  await ground(api, school)
  return ids
}

/** Returns the aircraft of bookings, and how often each was changed. */
async function movesOf(api: TestApp, ids: readonly number[]) {
  const { rows } = await api.core.database.pool.query(
    `select r.id, r.resource_id, (select count(*)::int from event e where e.organization_id = r.organization_id
      and e.kind = 'reservation.changed' and e.subject_id = r.id) as changes
      from reservation r where r.id = any($1) order by r.starts_at`,
    [ids],
  )
  return rows
}

const clashes = `select count(*)::int as clashes from reservation a join reservation b
  on b.organization_id = a.organization_id and b.resource_id = a.resource_id and b.id > a.id and b.live
    and tstzrange(b.starts_at, b.ends_at) && tstzrange(a.starts_at, a.ends_at)
  where a.organization_id = $1 and a.live`

describe('a recovery when something fails (§Recovery)', () => {
  test('a solver that hangs is ended, and the search answers within 12 seconds', async ({ api, school, twin }) => {
    await twoLessons(api, school)
    const url = new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`)
    const hung = withSolver(api, createHighsSolver({ url, limitMs: 5_000 }))
    const from = performance.now()
    const plan = await planned(hung, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(performance.now() - from).toBeLessThan(12_000)
    expect(plan).toMatchObject({ status: 'ready', basis: 'search', gapPercent: 0, kept: 2 })
    expect(plan.rows.map(({ to }) => to?.resourceId)).toEqual([twin.id, twin.id])
  })

  test('a worker that is killed at any step loses nothing and does nothing twice', async ({ api, school, twin }) => {
    const ids = await twoLessons(api, school)
    const { organizationId, dispatcher } = school
    const cause = { resourceIds: [school.plane.id] }
    const plans: PlanAnswer[] = []
    for (const killedAfter of [1, 2, 3, 4]) {
      const body = { cause, ...recoveryWindow }
      const { id } = await expectOk<OperationAnswer>(api, dispatcher, 'POST', '/recoveries', body)
      await work(api, { organizationId, operationId: id }, killedAfter).catch(() => {})
      await work(api, { organizationId, operationId: id })
      plans.push(await expectOk<PlanAnswer>(api, dispatcher, 'GET', `/recoveries/${id}`))
    }
    for (const plan of plans) expect(plan).toMatchObject({ status: 'ready', displaced: 2, kept: 2 })
    const bulk = await expectOk<OperationAnswer>(api, dispatcher, 'POST', `/recoveries/${plans[0]!.id}/apply`, {})
    for (const killedAfter of [1, 3]) {
      await work(api, { organizationId, operationId: bulk.id }, killedAfter).catch(() => {})
    }
    await work(api, { organizationId, operationId: bulk.id })
    expect(await movesOf(api, ids)).toEqual(ids.map((one) => ({ id: one, resource_id: twin.id, changes: 1 })))
  })

  test('eight members of the desk who apply one plan: one does, and each booking moves once', async ({
    api,
    school,
    twin,
  }) => {
    const ids = await twoLessons(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, ...Array(7).fill(409)])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409)) {
      expect(answer.json().code).toBe('RECOVERY_RUNNING')
    }
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      `select id from operation where organization_id = $1 and kind <> 'recovery'`,
      [school.organizationId],
    )
    for (const { id } of rows) await work(api, { organizationId: school.organizationId, operationId: id })
    expect(await movesOf(api, ids)).toEqual(ids.map((id) => ({ id, resource_id: twin.id, changes: 1 })))
  })

  test('32 who book beside an application: no double booking, and each row is done or refused', async ({
    api,
    school,
    twin,
  }) => {
    const ids = await twoLessons(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => ({
        instructor: await buildMember(api, school.organizationId, ['instructor']),
        student: await buildMember(api, school.organizationId, ['student']),
      })),
    )
    const { id } = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    const book = (n: number) => {
      const one = { ...school, ...people[n % 4]!, plane: twin }
      return api.as(school.dispatcher).post('/reservations', dualBody(one, at(8 + (n % 2) * 4)))
    }
    const booked = Array.from({ length: 32 }, (_, n) => book(n))
    await Promise.all([work(api, { organizationId: school.organizationId, operationId: id }), ...booked])
    const { rows } = await api.core.database.pool.query(clashes, [school.organizationId])
    expect(rows).toEqual([{ clashes: 0 }])
    const after = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(after.rows.map(({ reservationId }) => reservationId)).toEqual(ids)
    for (const { applied, outcome } of after.rows) expect(applied).toBe(outcome !== 'refused')
  })

  test('four plans, eight who apply, the students who move their own and who book, at once: nothing moves twice', async ({
    api,
    school,
    twin,
  }) => {
    const ids = [
      await bookDual(api, school, at(8)),
      await bookDual(api, school, at(12)),
      await bookDual(api, school, at(16)),
    ]
    await ground(api, school)
    const plans: PlanAnswer[] = []
    for (let n = 0; n < 4; n++) plans.push(await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }))
    const own = { ...at(20), resource: { id: twin.id } }
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    const other = { ...school, student, instructor, plane: twin }
    const [applied, [moved]] = await Promise.all([
      Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          api.as(school.dispatcher).post(`/recoveries/${plans[n % 4]!.id}/apply`, {}),
        ),
      ),
      Promise.all([
        api.as(school.dispatcher).patch(`/reservations/${ids[0]}`, own),
        ...Array.from({ length: 8 }, () => api.as(school.dispatcher).post('/reservations', dualBody(other, at(12)))),
      ]),
    ])
    const started = applied.flatMap((one) => (one.statusCode === 202 ? [one.json().data.id as number] : []))
    expect(started.length).toBeGreaterThan(0)
    for (const operationId of started) {
      for (const killedAfter of [1, 2, Number.POSITIVE_INFINITY]) {
        await work(api, { organizationId: school.organizationId, operationId }, killedAfter).catch(() => {})
      }
    }
    expect(moved!.statusCode).toBe(200)
    const moves = await movesOf(api, ids)
    expect(moves.every(({ changes }) => changes <= 1)).toBe(true)
    expect(moves.find(({ id }) => id === ids[0])).toEqual({ id: ids[0], resource_id: twin.id, changes: 1 })
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${ids[0]}`)).toMatchObject(at(20))
    expect((await api.core.database.pool.query(clashes, [school.organizationId])).rows).toEqual([{ clashes: 0 }])
  })
})
