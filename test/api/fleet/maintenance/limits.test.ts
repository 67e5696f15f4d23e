import { describe, expect } from 'vitest'
import { buildPlane, buildSimulator, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'

interface Limit {
  basis: string
  status: string
  remaining: number | null
  dueReading: number | null
}
interface Reminder {
  id: number
  name: string
  basis: string
  status: string
  dueAt: string | null
  dueReading: number | null
  limits: Limit[]
  satisfies: number[]
}

const test = sharedSchoolTest()
  .extend(
    'add',
    ({ api, school }) =>
      (body: object): Promise<Reminder> =>
        expectOk<Reminder>(api, school.technician, 'POST', url, {
          resource: { id: plane.id },
          name: '100-hour',
          ...body,
        }),
  )
  .extend(
    'complete',
    ({ api, school }) =>
      (id: number, body: object = {}) =>
        api.as(school.technician).post(`${url}/${id}/complete`, body),
  )

/** Hobbs 1000.00, tach 900.00. */
let plane: School['plane']
test.beforeEach(async ({ api, school }) => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
  plane = await buildPlane(api, school)
})

const url = '/maintenance/reminders'
/** A booking of the aircraft on a day of December. */
const onPlane = (day: number) => {
  const date = `2026-12-${String(day).padStart(2, '0')}`
  return { start: `${date}T10:00:00Z`, end: `${date}T12:00:00Z`, extra: { resource: { id: plane.id } } }
}
const oil = {
  name: 'Oil',
  limits: [
    { basis: 'tach', intervalHours: 50, lastDoneReading: 870 },
    { basis: 'calendar', intervalDays: 120, lastDoneAt: '2026-08-01T12:00:00Z' },
  ],
}

describe('a reminder by cumulative use (14 CFR 91.207(c)(1))', () => {
  test('is due once the hours that are noted reach its interval, and starts anew when the work is done', async ({
    api,
    school,
    add,
    complete,
  }) => {
    const battery = {
      name: 'ELT battery',
      grounding: true,
      limits: [
        { basis: 'use', intervalHours: 1, usedHours: 0.6 },
        { basis: 'calendar', intervalMonths: 24 },
      ],
    }
    const { id, ...made } = await add(battery)
    const used = (usedHours: number) =>
      expectOk<Reminder>(api, school.technician, 'PATCH', `${url}/${id}`, {
        limits: [{ basis: 'use', usedHours }, { basis: 'calendar' }],
      })
    const overdue = async () =>
      (await expectOk<Reminder[]>(api, school.student, 'GET', `${url}?resourceId=${plane.id}&status=overdue`)).map(
        (one) => one.id,
      )
    expect(made).toMatchObject({ status: 'ok', limits: [{ basis: 'calendar' }, { basis: 'use', remaining: 0.4 }] })
    expect(await overdue()).toEqual([])
    expect(await used(1.1)).toMatchObject({ basis: 'use', usedHours: 1.1, dueReading: 1, status: 'overdue' })
    expect(await overdue()).toEqual([id])
    const held = await expectOk<object>(api, school.student, 'GET', `/resources/${plane.id}`)
    expect(held).toMatchObject({ grounded: true, groundedReason: 'ELT battery is due at 1.00 hours of use' })
    expect((await complete(id)).json().data).toMatchObject({
      status: 'ok',
      limits: [{}, { usedHours: 0, remaining: 1 }],
    })
    const wrong = await api.as(school.technician).patch(`${url}/${id}`, { limits: [{ basis: 'use', dueReading: 5 }] })
    expect(wrong.json().message).toBe('limits.0.dueReading: does not go with the basis use')
  })
})

describe('a reminder with several limits', () => {
  test('is due by the first of them, which the fields beside speak of', async ({ add }) => {
    expect(await add(oil)).toMatchObject({
      basis: 'calendar',
      intervalDays: 120,
      dueAt: '2026-11-29T23:59:59.999Z',
      dueReading: null,
      status: 'due_soon',
      limits: [
        { basis: 'calendar', status: 'due_soon', remaining: 8, intervalMonths: null },
        { basis: 'tach', status: 'ok', remaining: 20, dueReading: 920, lastDoneReading: 870 },
      ],
    })
  })

  test('starts every interval again when it is done, from the readings that are sent', async ({
    api,
    school,
    add,
    complete,
  }) => {
    const { id } = await add(oil)
    expect((await complete(id, { reading: 899.5 })).json().data).toMatchObject({
      basis: 'calendar',
      dueAt: '2027-03-21T23:59:59.999Z',
      limits: [{ remaining: 120 }, { dueReading: 949.5 }],
    })
    const { id: gear } = await add({
      name: 'Gear',
      limits: [
        { basis: 'hobbs', intervalHours: 50 },
        { basis: 'tach', intervalHours: 40 },
      ],
    })
    expect((await complete(gear, { reading: 899.5 })).json().message).toMatch(/^reading: /)
    expect((await complete(gear, { readings: { hobbs: 999 } })).json().data.limits).toMatchObject([
      { dueReading: 1049 },
      { dueReading: 940 },
    ])
    const { id: tyres } = await add({ name: 'Tyres', limits: [{ basis: 'landings', intervalCount: 300 }] })
    expect((await complete(tyres, { reading: 12.5 })).json().message).toBe(
      'reading: must be a whole number of landings',
    )
    expect((await complete(tyres, { readings: { landings: 12.5 } })).json().message).toMatch(/^readings\.landings: /)
    expect((await complete(tyres, { readings: { landings: 12 } })).json().code).toBe('METER_ANOMALY')
    const confirmed = { readings: { landings: 12 }, confirmMeterAnomaly: true }
    expect((await complete(tyres, confirmed)).json().data).toMatchObject({ dueReading: 312 })
    const [done] = await expectOk<object[]>(api, school.student, 'GET', `${url}/${gear}/history`)
    expect(done).toMatchObject({ reading: 999, readings: { hobbs: 999, tach: 900, landings: 0 }, satisfiedBy: null })
  })

  test('is changed by its limits as a whole, and not by the fields of one', async ({ api, school, add }) => {
    const { id } = await add(oil)
    const refused = await api.as(school.technician).patch(`${url}/${id}`, { intervalHours: 25 })
    expect(refused.json().message).toBe('intervalHours: the reminder has several limits; send them as limits')
    const changed = await expectOk<Reminder>(api, school.technician, 'PATCH', `${url}/${id}`, {
      limits: [{ basis: 'tach', intervalHours: 25 }],
    })
    expect(changed).toMatchObject({ basis: 'tach', dueReading: 895, status: 'overdue' })
    expect(changed.limits).toHaveLength(1)
    const neither = await api.as(school.admin).post(url, { resource: { id: plane.id }, name: 'x' })
    expect(neither.json().message).toBe('basis: send limits, or the basis and interval of one limit')
  })
})

describe('landings', () => {
  test('are counted from the flight log, whoever writes it at the same time', async ({ api, school, add }) => {
    await expectOk(api, school.admin, 'PATCH', `/resources/${plane.id}`, { type: { plane: { landings: 990 } } })
    const { id } = await add({
      name: 'Gear',
      limits: [{ basis: 'landings', dueReading: 1000 }],
      warnHours: 5,
      grounding: true,
    })
    const flights = await Promise.all([1, 2].map((day) => bookDual(api, school, onPlane(day))))
    for (const flight of flights) await fly(api, school, flight)
    const log = (flight: number, dayLandings: number) =>
      expectOk(api, school.dispatcher, 'PUT', `/reservations/${flight}/log`, {
        rows: [{ orgUserId: school.student.orgUserId, dayLandings }],
      })
    await Promise.all([log(flights[0]!, 4), log(flights[1]!, 3)])
    const read = () => expectOk<Reminder>(api, school.student, 'GET', `${url}/${id}`)
    expect(await read()).toMatchObject({ status: 'due_soon', limits: [{ remaining: 3 }] })
    await log(flights[1]!, 6)
    expect(await read()).toMatchObject({ status: 'overdue', limits: [{ remaining: 0 }] })
    await log(flights[1]!, 1)
    expect(await read()).toMatchObject({ status: 'due_soon', limits: [{ remaining: 5 }] })
  })
})

describe('a 100-hour inspection', () => {
  test('carries what was flown past it, with a warning beyond 10 hours', async ({ add, complete }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100, dueReading: 885, carry: true })
    const late = (await complete(id)).json()
    expect(late.data).toMatchObject({ lastDoneReading: 900, dueReading: 985, carry: true })
    expect(late.warning).toMatch(/^100-hour was done 15.00 hours past its due reading./)
    expect(late.warnings).toEqual([late.warning])
    const { id: other } = await add({ basis: 'tach', intervalHours: 100, dueReading: 896, carry: true })
    const within = (await complete(other)).json()
    expect([within.data.dueReading, within.warning]).toEqual([996, undefined])
  })

  test('is satisfied by an annual, early from its completion, and not further', async ({
    api,
    school,
    add,
    complete,
  }) => {
    const oilChange = await add({ name: 'Oil', basis: 'tach', intervalHours: 50, dueReading: 901 })
    const hundred = await add({
      basis: 'tach',
      intervalHours: 100,
      dueReading: 930,
      carry: true,
      satisfies: [oilChange.id],
    })
    const annual = await add({ name: 'Annual', basis: 'calendar', intervalMonths: 12, satisfies: [hundred.id] })
    expect(annual.satisfies).toEqual([hundred.id])
    await complete(annual.id, {
      doneAt: '2026-11-03T12:00:00Z',
      signedBy: { name: 'Tom Becker', certificateNumber: '3141592' },
      workOrder: 'WO-118',
    })
    const read = (id: number) => expectOk<Reminder>(api, school.student, 'GET', `${url}/${id}`)
    expect(await read(annual.id)).toMatchObject({ dueAt: '2027-11-30T23:59:59.999Z' })
    expect(await read(hundred.id)).toMatchObject({ dueReading: 1000 })
    expect(await read(oilChange.id)).toMatchObject({ dueReading: 901 })
    const history = await expectOk<object[]>(api, school.student, 'GET', `${url}/${hundred.id}/history`)
    expect(history).toMatchObject([
      {
        satisfiedBy: { reminderId: annual.id, name: 'Annual' },
        signedBy: { name: 'Tom Becker', certificateNumber: '3141592' },
        workOrder: 'WO-118',
      },
    ])
  })

  test('satisfies reminders of its own aircraft only', async ({ api, school, add }) => {
    const other = await buildPlane(api, school)
    const { id } = await add({ resource: { id: other.id }, basis: 'tach', intervalHours: 100 })
    const refused = await api
      .as(school.admin)
      .post(url, { resource: { id: plane.id }, name: 'Annual', basis: 'calendar', intervalMonths: 12, satisfies: [id] })
    expect(refused.json().message).toBe('satisfies.0: is not another reminder of the same resource')
  })
})

describe('an overdue reminder of a scope', () => {
  test('holds the bookings of it, and not the aircraft', async ({ api, school, add, complete }) => {
    const { id } = await add({
      basis: 'tach',
      dueReading: 899,
      intervalHours: 100,
      carry: true,
      grounding: true,
      scope: 'for_hire_or_instruction',
    })
    const holds = async () => {
      const { grounded, holds: all } = await expectOk<{ grounded: boolean; holds: object[] }>(
        api,
        school.student,
        'GET',
        `/resources/${plane.id}`,
      )
      return { grounded, all }
    }
    expect(await holds()).toEqual({
      grounded: false,
      all: [{ reminderId: id, scope: 'for_hire_or_instruction', name: '100-hour' }],
    })
    const dual = await api.as(school.dispatcher).post('/reservations', dualBody(school, onPlane(10)))
    expect([dual.statusCode, dual.json().code]).toEqual([400, 'RESOURCE_GROUNDED'])
    await complete(id)
    expect(await holds()).toEqual({ grounded: false, all: [] })
    const now = await api.as(school.dispatcher).post('/reservations', dualBody(school, onPlane(10)))
    expect(now.statusCode).toBe(201)
  })

  test('concerns instrument flight by what the booking says of it', async ({ api, school, add }) => {
    await add({ name: 'Altimeter', basis: 'calendar', dueAt: '2026-11-01T00:00:00Z', grounding: true, scope: 'ifr' })
    const body = dualBody(school, onPlane(11))
    const refused = await api.as(school.dispatcher).post('/reservations', { ...body, ifr: true })
    expect(refused.json().details.problems).toMatchObject([{ rule: 'resource_grounded' }])
    const vfr = await api.as(school.dispatcher).post('/reservations', body)
    expect(vfr.json()).toMatchObject({ data: { ifr: false }, warnings: [{ rule: 'inspection_due' }] })
    const change = await api.as(school.dispatcher).patch(`/reservations/${vfr.json().data.id}`, { ifr: true })
    expect(change.json().code).toBe('RESOURCE_GROUNDED')
  })
})

describe('copying the reminders of an aircraft', () => {
  test('to others makes them due from nothing, with what satisfies what', async ({ api, school, add, complete }) => {
    const hundred = await add({ basis: 'tach', intervalHours: 100, dueReading: 930, carry: true, grounding: true })
    await add({ name: 'Annual', basis: 'calendar', intervalMonths: 12, satisfies: [hundred.id], grounding: true })
    const targets = [await buildPlane(api, school), await buildPlane(api, school)]
    const body = { fromResourceId: plane.id, toResourceIds: targets.map(({ id }) => id) }
    const copies = await expectOk<(Reminder & { resource: { id: number } })[]>(
      api,
      school.technician,
      'POST',
      `${url}/copy`,
      body,
    )
    expect(copies.map(({ resource, name, status, dueReading }) => [resource.id, name, status, dueReading])).toEqual(
      targets.flatMap(({ id }) => [
        [id, '100-hour', 'unknown', null],
        [id, 'Annual', 'unknown', null],
      ]),
    )
    expect(copies[1]!.satisfies).toEqual([copies[0]!.id])
    expect((await complete(copies[1]!.id)).json().data.status).toBe('ok')
    const listed = await expectOk<Reminder[]>(
      api,
      school.student,
      'GET',
      `${url}?resourceId=${targets[0]!.id}&status=unknown`,
    )
    expect(listed).toEqual([])
  })

  test('is refused onto itself, onto what has no such meter, and onto another school’s', async ({
    api,
    school,
    add,
  }) => {
    await add({ basis: 'tach', intervalHours: 100 })
    const copy = async (...toResourceIds: number[]) =>
      (await api.as(school.technician).post(`${url}/copy`, { fromResourceId: plane.id, toResourceIds })).json().message
    expect(await copy(plane.id)).toMatch(/^toResourceIds.0: /)
    expect(await copy((await buildSimulator(api, school)).id)).toMatch(/^basis: .* has no tach meter/)
    expect(await copy(2_000_000)).toMatch(/^toResourceIds.0: /)
  })
})
