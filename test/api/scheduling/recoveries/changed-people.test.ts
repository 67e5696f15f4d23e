import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { applied, buildTwin, ground, planned } from '../../../support/recoveries.ts'
import { offerSoFar, offersOf } from '../../../support/waitlist.ts'

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

describe('a booking that the desk gives to somebody else after the plan (§Recovery)', () => {
  test('is not moved to its planned place', async ({ api, school, twin }) => {
    expect(twin.id).toBeGreaterThan(0)
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
    async (when, { api, school, twin }) => {
      expect(twin.id).toBeGreaterThan(0)
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

  test('has its offer withdrawn by the next run', async ({ api, school, twin }) => {
    expect(twin.id).toBeGreaterThan(0)
    const given = await bookDual(api, school, at(8))
    const other = await buildMember(api, school.organizationId, ['student'])
    const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] })
    await expectOk(api, school.dispatcher, 'POST', `/recoveries/${plan.id}/apply`, {})
    await give(api, given, other)
    await offerSoFar(api, school)
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'impossible' }])
  })
})
