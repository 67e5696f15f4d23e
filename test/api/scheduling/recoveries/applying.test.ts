import { describe, expect } from 'vitest'
import { buildMember, buildPlane } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import type { OperationAnswer } from '../../../support/operations.ts'
import { applied, buildTwin, ground, planned } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const at = (h: number, day = 23) => ({ start: hour(h, day), end: hour(h + 2, day) })

describe('applying a plan (§Recovery)', () => {
  test('somebody else of the desk applies a plan that only asks, and reads its operation', async ({
    api,
    school,
    twin,
  }) => {
    expect(twin.id).toBeGreaterThan(0)
    await bookDual(api, school, at(8))
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    const colleague = await buildMember(api, school.organizationId, ['dispatcher'])
    const asked = await expectOk<OperationAnswer>(api, colleague, 'POST', `/recoveries/${plan.id}/apply`, {})
    expect(asked).toMatchObject({ id: plan.id, kind: 'recovery', status: 'done' })
    expect(await expectOk(api, colleague, 'GET', `/operations/${plan.id}`)).toEqual(asked)
    expect((await api.as(school.student).get(`/operations/${plan.id}`)).statusCode).toBe(404)
  })

  test('a booking without a place that somebody moved meanwhile is not cancelled', async ({ api, school, twin }) => {
    expect(twin.id).toBeGreaterThan(0)
    const [rescued, stays] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    await ground(api, school)
    const reach = { days: 0, pools: 'same' }
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { reach })
    expect(plan).toMatchObject({ displaced: 2, left: 2 })
    const other = await buildPlane(api, school)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${rescued}`, { resource: { id: other.id } })
    const cancelLeft = { reason: 'The aircraft is down', category: 'maintenance' }
    const done = await applied(api, school.dispatcher, plan.id, { cancelLeft })
    expect(done.plan.rows).toMatchObject([
      { reservationId: rescued, outcome: 'refused', applied: false, problems: [{ code: 'CHANGED_MEANWHILE' }] },
      { reservationId: stays, applied: true },
    ])
    expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${rescued}`)).toMatchObject({
      status: 'booked',
      resource: { id: other.id },
    })
  })
})
