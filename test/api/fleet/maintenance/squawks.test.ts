import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, buildRoom, type Member, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'

interface Squawk {
  id: number
  status: string
  severity: string
  resource: { id: number; name: string }
}

interface Desk {
  api: TestApp
  school: School
}

interface Given extends Desk {
  plane: School['plane']
}

const test = sharedSchoolTest()
  .extend('plane', ({ api, school }) => buildPlane(api, school))
  .extend('report', ({ api, plane }) => (who: Member, severity = 'grounding', title = 'Left brake drags') => {
    const body = { resource: { id: plane.id }, title, severity }
    return expectOk<Squawk>(api, who, 'POST', '/maintenance/squawks', body)
  })
  .extend('grounding', ({ api, school, plane }) => async () => {
    const { grounded, groundedBy, groundedReason } = await expectOk<{
      grounded: boolean
      groundedBy: string | null
      groundedReason: string | null
    }>(api, school.student, 'GET', `/resources/${plane.id}`)
    return { grounded, groundedBy, groundedReason }
  })

const inService = { grounded: false, groundedBy: null, groundedReason: null }

describe('reporting a squawk', () => {
  test('is allowed to any member, and an observation grounds nothing', async ({
    api,
    school,
    plane,
    report,
    grounding,
  }) => {
    const squawk = await report(school.renter, 'observation')
    expect(squawk).toMatchObject({
      resource: { id: plane.id, name: plane.name },
      title: 'Left brake drags',
      description: null,
      severity: 'observation',
      status: 'open',
      reportedBy: { orgUserId: school.renter.orgUserId, name: school.renter.name },
      reservationId: null,
      resolution: null,
      resolvedBy: null,
      resolvedAt: null,
    })
    expect(await grounding()).toEqual(inService)
    expect(await expectOk(api, school.student, 'GET', `/maintenance/squawks/${squawk.id}`)).toEqual(squawk)
  })

  test('of the grounding kind holds the aircraft, so that only maintenance can book it', async ({
    api,
    school,
    plane,
    report,
    grounding,
  }) => {
    await report(school.student)
    expect(await grounding()).toEqual({
      grounded: true,
      groundedBy: 'system',
      groundedReason: 'Open squawk: Left brake drags',
    })
    const body = { ...dualBody(school), resource: { id: plane.id } }
    const refused = await api.as(school.dispatcher).post('/reservations', body)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().code).toBe('RESOURCE_GROUNDED')
    const maintenance = { ...body, type: 'maintenance', personnel: {} }
    await expectOk(api, school.technician, 'POST', '/reservations', maintenance)
  })

  test('may name the flight on which it was noticed, of this aircraft only', async ({ api, school, plane }) => {
    const reservationId = await bookDual(api, school)
    const url = '/maintenance/squawks'
    const body = { resource: { id: school.plane.id }, title: 'Radio is silent', reservationId }
    expect(await expectOk(api, school.student, 'POST', url, body)).toMatchObject({ reservationId })
    const other = await api.as(school.student).post(url, { ...body, resource: { id: plane.id } })
    expect(other.json().message).toBe('reservationId: the booking is of another resource')
  })

  test.for<[string, (given: Given) => Promise<object>, string]>([
    ['no title', async ({ plane }) => ({ resource: { id: plane.id } }), 'title'],
    ['a blank title', async ({ plane }) => ({ resource: { id: plane.id }, title: ' ' }), 'title'],
    [
      'a strange severity',
      async ({ plane }) => ({ resource: { id: plane.id }, title: 'x', severity: 'fatal' }),
      'severity',
    ],
    [
      'a room that should be grounded',
      async ({ api, school }) => ({ resource: await buildRoom(api, school), title: 'x', severity: 'grounding' }),
      'severity',
    ],
  ])('with %s is refused', async ([_, body, field], { api, school, plane }) => {
    const refused = await api.as(school.student).post('/maintenance/squawks', await body({ api, school, plane }))
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message.startsWith(`${field}:`)).toBe(true)
  })
})

describe('the hold of a grounding squawk (§Other)', () => {
  test.for<[string, (given: Desk, id: number) => Promise<unknown>]>([
    [
      'resolving',
      ({ api, school }, id) =>
        expectOk(api, school.technician, 'POST', `/maintenance/squawks/${id}/resolve`, { resolution: 'ok' }),
    ],
    [
      'deferring',
      ({ api, school }, id) =>
        expectOk(api, school.admin, 'PATCH', `/maintenance/squawks/${id}`, { status: 'deferred' }),
    ],
    [
      'a lesser severity',
      ({ api, school }, id) =>
        expectOk(api, school.owner, 'PATCH', `/maintenance/squawks/${id}`, { severity: 'observation' }),
    ],
  ])('is released by %s', async ([_, act], { api, school, report, grounding }) => {
    const { id } = await report(school.student)
    expect((await grounding()).grounded).toBe(true)
    await act({ api, school }, id)
    expect(await grounding()).toEqual(inService)
  })

  test('stays while one of two squawks is open', async ({ api, school, report, grounding }) => {
    const first = await report(school.student, 'grounding', 'Flat tyre')
    const second = await report(school.student, 'grounding', 'Cracked windshield')
    expect((await grounding()).groundedReason).toBe('Open squawk: Flat tyre; Open squawk: Cracked windshield')
    await expectOk(api, school.admin, 'POST', `/maintenance/squawks/${first.id}/resolve`, { resolution: 'New tyre' })
    expect((await grounding()).groundedReason).toBe('Open squawk: Cracked windshield')
    await expectOk(api, school.admin, 'POST', `/maintenance/squawks/${second.id}/resolve`, {
      resolution: 'New windshield',
    })
    expect(await grounding()).toEqual(inService)
  })

  test('cannot be ended by a person, and does not end a person’s grounding', async ({
    api,
    school,
    plane,
    report,
    grounding,
  }) => {
    const url = `/resources/${plane.id}/grounding`
    const { id } = await report(school.student)
    await expectOk(api, school.admin, 'PATCH', url, { grounded: true, reason: 'Paint' })
    const answer = await expectOk(api, school.admin, 'PATCH', url, { grounded: false })
    expect(answer).toMatchObject({ grounded: true, groundedBy: 'system' })
    await expectOk(api, school.admin, 'PATCH', url, { grounded: true, reason: 'Paint' })
    await expectOk(api, school.admin, 'POST', `/maintenance/squawks/${id}/resolve`, { resolution: 'Done' })
    expect(await grounding()).toEqual({ grounded: true, groundedBy: 'person', groundedReason: 'Paint' })
  })

  test('returns when a deferred squawk is opened again', async ({ api, school, report, grounding }) => {
    const { id } = await report(school.student)
    await expectOk(api, school.technician, 'PATCH', `/maintenance/squawks/${id}`, { status: 'deferred' })
    await expectOk(api, school.technician, 'PATCH', `/maintenance/squawks/${id}`, { status: 'open' })
    expect((await grounding()).groundedBy).toBe('system')
  })

  test('is gone after twenty people report and resolve at once', async ({ api, school, report, grounding }) => {
    const squawks = await Promise.all(
      Array.from({ length: 20 }, (_, n) => report(school.student, 'grounding', `No ${n}`)),
    )
    expect((await grounding()).groundedReason?.split('; ')).toHaveLength(20)
    await Promise.all(
      squawks.map(({ id }) =>
        expectOk(api, school.technician, 'POST', `/maintenance/squawks/${id}/resolve`, { resolution: 'Done' }),
      ),
    )
    expect(await grounding()).toEqual(inService)
  })
})

describe('changing a squawk', () => {
  test('is allowed to its reporter in its words while it is open', async ({ api, school, report }) => {
    const { id } = await report(school.student, 'observation')
    const body = { title: 'Right brake drags', description: 'After landing', severity: 'grounding' }
    expect(await expectOk(api, school.student, 'PATCH', `/maintenance/squawks/${id}`, body)).toMatchObject(body)
    await expectOk(api, school.technician, 'PATCH', `/maintenance/squawks/${id}`, { status: 'deferred' })
    const late = await api.as(school.student).patch(`/maintenance/squawks/${id}`, { title: 'Both brakes' })
    expect(late.statusCode).toBe(403)
  })

  test('is refused to its reporter for deferring', async ({ api, school, report }) => {
    const { id } = await report(school.student)
    const answer = await api.as(school.student).patch(`/maintenance/squawks/${id}`, { status: 'deferred' })
    expect(answer.statusCode).toBe(403)
  })

  test('is 409 once it is resolved', async ({ api, school, report }) => {
    const { id } = await report(school.student)
    const url = `/maintenance/squawks/${id}`
    const resolved = await expectOk<Squawk>(api, school.technician, 'POST', `${url}/resolve`, {
      resolution: 'New caliper',
    })
    expect(resolved).toMatchObject({
      status: 'resolved',
      resolution: 'New caliper',
      resolvedBy: { orgUserId: school.technician.orgUserId },
      resolvedAt: api.clock.now.toISOString(),
    })
    const again = await api.as(school.admin).post(`${url}/resolve`, { resolution: 'x' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'NOT_PENDING'])
    const change = await api.as(school.admin).patch(url, { status: 'open' })
    expect([change.statusCode, change.json().code]).toEqual([409, 'NOT_PENDING'])
  })

  test('needs words for resolving', async ({ api, school, report }) => {
    const { id } = await report(school.student)
    const answer = await api.as(school.technician).post(`/maintenance/squawks/${id}/resolve`, {})
    expect(answer.statusCode).toBe(400)
  })
})

test('the list of squawks is newest first and is narrowed by resource and state', async ({
  api,
  school,
  plane,
  report,
}) => {
  const reporter = await buildMember(api, school.organizationId, ['student'])
  const other = await buildPlane(api, school)
  const first = await report(reporter, 'observation', 'First')
  const second = await report(reporter, 'observation', 'Second')
  const third = await expectOk<Squawk>(api, reporter, 'POST', '/maintenance/squawks', {
    resource: other,
    title: 'Third',
  })
  await expectOk(api, school.admin, 'PATCH', `/maintenance/squawks/${second.id}`, { status: 'deferred' })
  const ids = async (query: string) =>
    (await expectOk<Squawk[]>(api, reporter, 'GET', `/maintenance/squawks?${query}`)).map(({ id }) => id)
  expect(await ids(`resourceId=${plane.id}`)).toEqual([second.id, first.id])
  expect(await ids(`resourceId=${plane.id},${other.id}`)).toEqual([third.id, second.id, first.id])
  expect(await ids(`resourceId=${plane.id}&status=deferred`)).toEqual([second.id])
  expect(await ids(`resourceId=${plane.id}&status=open,deferred`)).toEqual([second.id, first.id])
  expect(await ids(`resourceId=${plane.id}&sort=title&order=desc`)).toEqual([second.id, first.id])
  const wrong = await api.as(reporter).get('/maintenance/squawks?status=closed')
  expect(wrong.statusCode).toBe(400)
})
