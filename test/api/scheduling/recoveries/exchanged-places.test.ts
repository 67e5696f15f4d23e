import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { applied, buildTwin, ground, type PlanAnswer, planned } from '../../../support/recoveries.ts'

const test = schoolTest()

const at = (from: number, to: number) => ({
  start: `2026-11-23T${from}:00:00.000Z`,
  end: `2026-11-23T${to}:00:00.000Z`,
})
const onMonday = (from: number, to: number) => [{ dayOfWeek: 1, startMinute: from * 60, endMinute: to * 60 }]

/**
 * Two lessons of one instructor, at ten and at eleven, lose their aircraft. The twin is free from eleven to one, and the first student has no
 * time after twelve: both keep a lesson only when the first takes the hour of the second.
 */
async function twoLessons(api: TestApp, school: School) {
  const twin = await buildTwin(api, school)
  const other = await buildMember(api, school.organizationId, ['student'])
  const setHours = (who: Member, from: number, to: number) =>
    expectOk(api, who, 'PATCH', '/users/availability', { availability: onMonday(from, to) })
  await setHours(school.student, 10, 12)
  await setHours(other, 10, 13)
  const first = await bookDual(api, school, at(10, 11))
  const second = await bookDual(api, school, { ...at(11, 12), students: [other] })
  for (const [start, end] of [
    ['2026-11-22T12:00:00Z', at(11, 12).start],
    [at(13, 14).start, '2026-11-24T12:00:00Z'],
  ]) {
    const work = { title: 'Work', type: 'maintenance', timeZoneName: 'UTC', resource: { id: twin.id } }
    await expectOk(api, school.dispatcher, 'POST', '/reservations', { ...work, start, end })
  }
  await ground(api, school)
  const plan = await planned(api, school.dispatcher, { resourceIds: [school.plane.id] }, { reach: { days: 0 } })
  return { twin, other, first, second, plan }
}

const acceptOffer = async (api: TestApp, who: Member) => {
  const [offer] = await expectOk<{ id: number }[]>(api, who, 'GET', '/offers?status=open')
  await expectOk(api, who, 'POST', `/offers/${offer!.id}/accept`, {})
}

describe('a place that another displaced booking leaves (§Recovery)', () => {
  test('counts as free, and both bookings move in one step when their people agreed', async ({ api, school }) => {
    const { twin, first, second, plan } = await twoLessons(api, school)
    expect(plan).toMatchObject({ displaced: 2, kept: 2, left: 0, basis: 'exact', gapPercent: 0 })
    const resourceId = twin.id
    expect(plan.rows).toMatchObject([
      { reservationId: first, to: { ...at(11, 12), resourceId } },
      { reservationId: second, to: { ...at(12, 13), resourceId } },
    ])
    const given = { consent: 'given', how: 'phone', reservationIds: [first, second] }
    const done = await applied(api, school.dispatcher, plan.id, given)
    expect(done.operation).toMatchObject({ status: 'done', succeeded: 2, failed: 0 })
  })

  test('waits for its booking when that is asked: it is offered once the place is left', async ({ api, school }) => {
    const { other, first, second, plan } = await twoLessons(api, school)
    const apply = (body: object = {}) => api.as(school.dispatcher).post(`/recoveries/${plan.id}/apply`, body)
    expect((await apply()).statusCode).toBe(202)
    const asked = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${plan.id}`)
    expect(asked.rows).toMatchObject([
      { reservationId: first, outcome: 'left', offer: null, unoffered: 'waits' },
      { reservationId: second, outcome: 'time', offer: { status: 'open' }, unoffered: null },
    ])
    const alone = await apply({ consent: 'given', how: 'phone', reservationIds: [first] })
    expect([alone.statusCode, alone.json().code]).toEqual([409, 'CONSENT_NEEDED'])
    await acceptOffer(api, other)
    expect((await apply()).statusCode).toBe(202)
    await acceptOffer(api, school.student)
    expect(await expectOk(api, school.student, 'GET', `/reservations/${first}`)).toMatchObject(at(11, 12))
  })
})
