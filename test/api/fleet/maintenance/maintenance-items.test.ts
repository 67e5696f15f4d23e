import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import {
  buildLocation,
  buildPlane,
  buildRoom,
  buildSimulator,
  type Member,
  type School,
} from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Reminder {
  id: number
  status: string
  dueAt: string | null
  dueReading: number | null
}

interface Given {
  api: TestApp
  school: School
}

const test = sharedSchoolTest()
  /** Hobbs 1000.00, tach 900.00. */
  .extend('plane', ({ api, school }) => buildPlane(api, school))
  .extend('add', ({ api, school, plane }) => (body: object): Promise<Reminder> => {
    return expectOk<Reminder>(api, school.technician, 'POST', url, {
      resource: { id: plane.id },
      name: '100-hour',
      ...body,
    })
  })
  .extend('isGrounded', ({ api, school, plane }) => async (): Promise<boolean> => {
    return (await expectOk<{ grounded: boolean }>(api, school.student, 'GET', `/resources/${plane.id}`)).grounded
  })

const url = '/maintenance/reminders'

describe('the due point of a reminder', () => {
  test('is counted from when the work was last done', async ({ plane, add }) => {
    expect(
      await add({ basis: 'tach', intervalHours: 100, lastDoneAt: '2026-10-02T15:00:00Z', lastDoneReading: 850.25 }),
    ).toMatchObject({
      resource: { id: plane.id, name: plane.name },
      name: '100-hour',
      basis: 'tach',
      intervalHours: 100,
      intervalMonths: null,
      lastDoneAt: '2026-10-02T15:00:00.000Z',
      lastDoneReading: 850.25,
      dueAt: null,
      dueReading: 950.25,
      warnDays: 30,
      warnHours: 10,
      grounding: false,
      status: 'ok',
    })
  })

  test('by the calendar is the end of the month where the aircraft stands', async ({ api, school, add }) => {
    const location = await buildLocation(api, school.organizationId, { timeZoneName: 'America/New_York' })
    const { id } = await buildPlane(api, { organizationId: school.organizationId, location })
    const annual = { resource: { id }, name: 'Annual', basis: 'calendar', intervalMonths: 12 }
    const added = await add({ ...annual, lastDoneAt: '2025-12-01T03:00:00Z' })
    expect(added).toMatchObject({ dueAt: '2026-12-01T04:59:59.999Z', status: 'due_soon' })
  })

  test('is counted from now and the present reading by default', async ({ add }) => {
    expect(await add({ basis: 'hobbs', intervalHours: 50 })).toMatchObject({ dueReading: 1050, lastDoneReading: null })
    expect(await add({ basis: 'calendar', intervalMonths: 1 })).toMatchObject({ dueAt: '2026-12-31T23:59:59.999Z' })
  })

  test('may be given outright', async ({ add }) => {
    expect(await add({ basis: 'tach', intervalHours: 100, dueReading: 905 })).toMatchObject({
      dueReading: 905,
      status: 'due_soon',
    })
    expect(await add({ basis: 'calendar', dueAt: '2026-11-21T11:59:59Z' })).toMatchObject({ status: 'overdue' })
  })

  test.for<[string, (given: Given) => Promise<object>, string]>([
    ['neither an interval nor a date', async () => ({ basis: 'calendar' }), 'intervalMonths'],
    ['neither an interval nor a reading', async () => ({ basis: 'tach' }), 'intervalHours'],
    ['months for a meter', async () => ({ basis: 'tach', intervalMonths: 3 }), 'intervalMonths'],
    ['a date for a meter', async () => ({ basis: 'tach', dueAt: '2026-12-01T00:00:00Z' }), 'dueAt'],
    ['hours for the calendar', async () => ({ basis: 'calendar', intervalHours: 3 }), 'intervalHours'],
    ['no hours at all', async () => ({ basis: 'tach', intervalHours: 0 }), 'intervalHours'],
    ['a strange basis', async () => ({ basis: 'cycles', intervalHours: 3 }), 'basis'],
    [
      'the tach of a simulator',
      async ({ api, school }) => ({ resource: await buildSimulator(api, school), basis: 'tach', dueReading: 1 }),
      'basis',
    ],
    [
      'the Hobbs of a room',
      async ({ api, school }) => ({ resource: await buildRoom(api, school), basis: 'hobbs', dueReading: 1 }),
      'basis',
    ],
    [
      'a room that should be grounded',
      async ({ api, school }) => ({
        resource: await buildRoom(api, school),
        basis: 'calendar',
        intervalMonths: 1,
        grounding: true,
      }),
      'grounding',
    ],
  ])('is refused with %s', async ([_, fields, field], { api, school, plane }) => {
    const body = { resource: { id: plane.id }, name: 'x', ...(await fields({ api, school })) }
    const refused = await api.as(school.admin).post(url, body)
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, field])
  })
})

describe('the hold of an overdue reminder (§Other)', () => {
  test('grounds the aircraft until the work is done', async ({ api, school, plane, add, isGrounded }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100, dueReading: 900, grounding: true })
    const held = await expectOk<{ groundedReason: string }>(api, school.student, 'GET', `/resources/${plane.id}`)
    expect(held).toMatchObject({
      grounded: true,
      groundedBy: 'system',
      groundedReason: '100-hour is due at tach 900.00',
    })
    const done = { doneAt: '2026-11-20T16:00:00Z', reading: 899.5, notes: 'No findings' }
    expect(await expectOk(api, school.technician, 'POST', `${url}/${id}/complete`, done)).toMatchObject({
      lastDoneAt: '2026-11-20T16:00:00.000Z',
      lastDoneReading: 899.5,
      dueReading: 999.5,
      status: 'ok',
    })
    expect(await isGrounded()).toBe(false)
  })

  test('does not ground the aircraft when the reminder does not ground', async ({ add, isGrounded }) => {
    await add({ basis: 'tach', dueReading: 900 })
    expect(await isGrounded()).toBe(false)
  })

  test.for<[string, (given: Given, id: number) => Promise<unknown>]>([
    [
      'moving what is due',
      ({ api, school }, id) => expectOk(api, school.admin, 'PATCH', `${url}/${id}`, { dueReading: 950 }),
    ],
    [
      'no longer grounding',
      ({ api, school }, id) => expectOk(api, school.admin, 'PATCH', `${url}/${id}`, { grounding: false }),
    ],
    ['deleting it', ({ api, school }, id) => api.as(school.admin).delete(`${url}/${id}`)],
  ])('ends with %s', async ([_, act], { api, school, add, isGrounded }) => {
    const { id } = await add({ basis: 'tach', dueReading: 900, grounding: true })
    expect(await isGrounded()).toBe(true)
    await act({ api, school }, id)
    expect(await isGrounded()).toBe(false)
  })

  test('stays while a grounding squawk is open', async ({ api, school, plane, add, isGrounded }) => {
    const { id } = await add({ basis: 'tach', dueReading: 900, grounding: true })
    const squawk = { resource: { id: plane.id }, title: 'Flat tyre', severity: 'grounding' }
    await expectOk(api, school.student, 'POST', '/maintenance/squawks', squawk)
    await expectOk(api, school.admin, 'POST', `${url}/${id}/complete`)
    expect(await isGrounded()).toBe(true)
  })
})

test('the list of reminders is narrowed by resource and by status', async ({ api, school, plane, add }) => {
  const overdue = await add({ name: 'A', basis: 'tach', dueReading: 900 })
  const soon = await add({ name: 'B', basis: 'hobbs', dueReading: 1010 })
  const soonByDate = await add({ name: 'C', basis: 'calendar', dueAt: '2026-12-21T12:00:00Z' })
  const fine = await add({ name: 'D', basis: 'calendar', dueAt: '2026-12-21T12:00:01Z' })
  const list = async (query: string) => {
    const rows = await expectOk<Reminder[]>(api, school.student, 'GET', `${url}?resourceId=${plane.id}${query}`)
    return rows.map(({ id, status }) => [id, status])
  }
  expect(await list('')).toEqual([
    [overdue.id, 'overdue'],
    [soon.id, 'due_soon'],
    [soonByDate.id, 'due_soon'],
    [fine.id, 'ok'],
  ])
  expect(await list('&status=overdue')).toEqual([[overdue.id, 'overdue']])
  expect(await list('&status=ok,due_soon&sort=name&order=desc')).toEqual([
    [fine.id, 'ok'],
    [soonByDate.id, 'due_soon'],
    [soon.id, 'due_soon'],
  ])
})

test('an aircraft shows its open squawks and due reminders to those who look after it', async ({
  api,
  school,
  plane,
  add,
}) => {
  const due = await add({ name: 'A', basis: 'tach', dueReading: 901 })
  await add({ name: 'B', basis: 'tach', dueReading: 2000 })
  const report = (title: string) =>
    expectOk<{ id: number }>(api, school.student, 'POST', '/maintenance/squawks', { resource: { id: plane.id }, title })
  const [open, gone] = [await report('Left brake drags'), await report('Radio is silent')]
  await expectOk(api, school.technician, 'POST', `/maintenance/squawks/${gone.id}/resolve`, { resolution: 'New radio' })
  const read = (who: Member) =>
    expectOk<{ squawks?: { id: number }[]; reminders?: { id: number }[] }>(api, who, 'GET', `/resources/${plane.id}`)
  for (const who of [school.owner, school.dispatcher, school.instructor, school.technician]) {
    const { squawks, reminders } = await read(who)
    expect(squawks?.map(({ id }) => id)).toEqual([open.id])
    expect(reminders?.map(({ id }) => id)).toEqual([due.id])
  }
  const { squawks, reminders } = await read(school.student)
  expect([squawks, reminders]).toEqual([undefined, undefined])
})

test('a meter that an admin sets may ground the aircraft and release it again', async ({
  api,
  school,
  plane,
  add,
  isGrounded,
}) => {
  await add({ basis: 'tach', dueReading: 950, grounding: true })
  const set = (tachTime: number) =>
    expectOk(api, school.admin, 'PATCH', `/resources/${plane.id}`, { type: { plane: { tachTime } } })
  await set(950)
  expect(await isGrounded()).toBe(true)
  await set(949)
  expect(await isGrounded()).toBe(false)
})
