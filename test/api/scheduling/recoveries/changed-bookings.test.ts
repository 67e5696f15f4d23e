import { describe, expect } from 'vitest'
import { cents as toCents } from '../../../../src/shared/platform/kernel/units.ts'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { applied, buildTwin, ground, type PlanAnswer, planned } from '../../../support/recoveries.ts'
import { cancel, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const hour = (h: number) => `2026-11-23T${String(h).padStart(2, '0')}:00:00.000Z`
const at = (h: number) => ({ start: hour(h), end: hour(h + 2) })

/** Gives a booking to another student, and ends no offer, as the desk does where no offer is at its time. */
async function give(api: TestApp, id: number, { orgUserId }: Member): Promise<void> {
  await api.core.database.db
    .updateTable('seat')
    .set({ membership_id: orgUserId })
    .where('reservation_id', '=', id)
    .where('side', '=', 'students')
    .execute()
}

const setRate = (api: TestApp, { id }: School['plane'], cents: number) =>
  api.core.database.db
    .updateTable('resource')
    .set({ wet_rate_cents: toCents(cents) })
    .where('id', '=', id)
    .execute()

describe('a booking that the desk gives to somebody else after the plan (§Recovery)', () => {
  test('is not moved to its planned place', async ({ api, school }) => {
    await buildTwin(api, school)
    const [given, stays] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    const other = await buildMember(api, school.organizationId, ['student'])
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await give(api, given, other)
    const done = await applied(api, school.dispatcher, plan.id)
    expect(done.plan.rows).toMatchObject([
      { reservationId: given, outcome: 'refused', applied: false, problems: [{ code: 'CHANGED_MEANWHILE' }] },
      { reservationId: stays, applied: true },
    ])
  })

  test.for(['before it is offered', 'while it is offered'] as const)(
    '%s: nobody moves it by accepting for who sat on it',
    async (when, { api, school }) => {
      await buildTwin(api, school)
      const given = await bookDual(api, school, at(8))
      const other = await buildMember(api, school.organizationId, ['student'])
      const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
      const ask = () => api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, {})
      if (when === 'before it is offered') {
        await give(api, given, other)
        await ask()
        expect(await offersOf(api, school.student)).toEqual([])
        return
      }
      expect((await ask()).statusCode).toBe(202)
      const [offer] = await offersOf(api, school.student)
      await give(api, given, other)
      const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`, {})
      expect(accepted.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
      expect(await expectOk(api, other, 'GET', `/reservations/${given}`)).toMatchObject({
        ...at(8),
        resource: { id: school.plane.id },
      })
    },
  )

  test('has its offer withdrawn by the next run', async ({ api, school }) => {
    await buildTwin(api, school)
    const given = await bookDual(api, school, at(8))
    const other = await buildMember(api, school.organizationId, ['student'])
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    await give(api, given, other)
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'impossible' }])
  })
})

describe('an offer of a recovery (§Recovery)', () => {
  test('is withdrawn when it costs more by now, and its booking stays', async ({ api, school, twin }) => {
    const booked = await bookDual(api, school, at(8))
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    const [offer] = await offersOf(api, school.student)
    await setRate(api, twin, 18_001)
    const accepted = await api.as(school.student).post(`/offers/${offer!.id}/accept`, {})
    expect(accepted.json()).toMatchObject({ code: 'OFFER_ENDED', details: { status: 'withdrawn' } })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${booked}`)).toMatchObject({
      ...at(8),
      resource: { id: school.plane.id },
    })
  })

  test('is not accepted by another booking of its person', async ({ api, school, twin }) => {
    const displaced = await bookDual(api, school, at(8))
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, plane: twin, student, instructor }, at(8))
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan.rows).toMatchObject([{ to: at(6) }])
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    await bookDual(api, { ...school, plane: twin }, at(6))
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', reservation: null }])
    const after = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(after.rows).toMatchObject([{ reservationId: displaced, outcome: 'left', applied: false }])
  })
})

describe('a row whose booking is cancelled (§Recovery)', () => {
  test('is left and cannot be applied, and one that was applied before stays so', async ({ api, school }) => {
    await buildTwin(api, school)
    const [early, late] = [await bookDual(api, school, at(8)), await bookDual(api, school, at(12))]
    await ground(api, school)
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await cancel(api, school, early)
    const again = await api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, { reservationIds: [early] })
    expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
    await applied(api, school.dispatcher, plan.id)
    await cancel(api, school, late)
    const after = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(after).toMatchObject({ displaced: 2, kept: 1, left: 1 })
    expect(after.rows).toMatchObject([
      { reservationId: early, outcome: 'left', unoffered: 'booking_changed', applied: false },
      { reservationId: late, outcome: 'aircraft', unoffered: null, applied: true },
    ])
  })
})
