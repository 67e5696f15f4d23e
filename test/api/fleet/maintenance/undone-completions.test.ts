import { describe, expect } from 'vitest'
import { buildPlane, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { buildSquawk } from '../../../support/maintenance.ts'
import { checkSeals } from '../../../support/seals.ts'

interface Reminder {
  id: number
  status: string
  lastDoneAt: string | null
  lastDoneReading: number | null
  dueReading: number | null
  updatedAt: string
}
interface Completion {
  id: number
  reading: number | null
  undone: { at: string; by: { orgUserId: number }; reason: string } | null
}

const url = '/maintenance/reminders'

const test = sharedSchoolTest()
  .extend('add', ({ api, school }) => async (body: object) => {
    const fields = { resource: { id: plane.id }, name: '100-hour', basis: 'tach', intervalHours: 100, ...body }
    return (await expectOk<Reminder>(api, school.technician, 'POST', url, fields)).id
  })
  .extend('complete', ({ api, school }) => (id: number, body: object = {}) => {
    return api.as(school.technician).post(`${url}/${id}/complete`, body)
  })
  .extend('history', ({ api, school }) => (id: number) => {
    return expectOk<Completion[]>(api, school.student, 'GET', `${url}/${id}/history`)
  })
  .extend('undo', ({ api, school }) => (id: number, who = school.admin, body: object = { reason: 'Typing error' }) => {
    return api.call('DELETE', `/maintenance/completions/${id}`, { token: who.token, body })
  })

/** Hobbs 1000.00, tach 900.00. */
let plane: School['plane']
test.beforeEach(async ({ api, school }) => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
  plane = await buildPlane(api, school)
})

describe('a reading of a completion that does not fit (§Maintenance)', () => {
  test('is refused until it is confirmed, and nothing is written', async ({ add, complete, history }) => {
    const id = await add({ lastDoneReading: 850 })
    const typo = await complete(id, { reading: 25_000 })
    expect([typo.statusCode, typo.json().code, typo.json().details]).toEqual([
      409,
      'METER_ANOMALY',
      { anomalies: [{ meter: 'tach', kind: 'above_aircraft', reading: 25_000, compared: 900 }] },
    ])
    expect(await history(id)).toEqual([])
    expect((await complete(id, { reading: 25_000, confirmMeterAnomaly: true })).statusCode).toBe(200)
    const below = await complete(id, { readings: { tach: 900 } })
    expect(below.json().details.anomalies).toEqual([
      { meter: 'tach', kind: 'below_last_completion', reading: 900, compared: 25_000 },
    ])
  })

  test('is compared with the last completion that counts, and not with a meter that was replaced since', async ({
    api,
    school,
    add,
    complete,
    history,
    undo,
  }) => {
    const id = await add({})
    await complete(id, { reading: 25_000, confirmMeterAnomaly: true })
    const [wrong] = await history(id)
    expect((await undo(wrong?.id ?? 0)).statusCode).toBe(200)
    expect((await complete(id, { reading: 900 })).statusCode).toBe(200)
    api.clock.now = new Date('2026-11-22T12:00:00Z')
    const replaced = { meter: 'tach', oldReading: 900, newReading: 0, reason: 'Broken' }
    await expectOk(api, school.technician, 'POST', `/resources/${plane.id}/meterChange`, replaced)
    expect((await complete(id, { reading: 0 })).statusCode).toBe(200)
  })

  test('is refused as the last one of a reminder too, until it is confirmed', async ({ api, school, add }) => {
    const { technician } = school
    const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const { statusCode, json } = await api.call(method, path, { token: technician.token, body })
      return [statusCode, json().code ?? json().data.lastDoneReading, json().details?.anomalies?.[0]?.kind]
    }
    const oil = { resource: { id: plane.id }, name: 'Oil' }
    const one = { basis: 'tach', intervalHours: 50 }
    const bad = [409, 'METER_ANOMALY', 'above_aircraft']
    expect(await send('POST', url, { ...oil, ...one, lastDoneReading: 25_000 })).toEqual(bad)
    expect(await send('POST', url, { ...oil, limits: [{ ...one, lastDoneReading: 25_000 }] })).toEqual(bad)
    const id = await add({ lastDoneReading: 850 })
    const at = `${url}/${id}`
    expect(await send('PATCH', at, { lastDoneReading: 900.2 })).toEqual(bad)
    expect(await send('PATCH', at, { limits: [{ ...one, lastDoneReading: 900.2 }] })).toEqual(bad)
    expect(await send('PATCH', at, { lastDoneReading: 849 })).toEqual([409, 'METER_ANOMALY', 'below_last_completion'])
    expect(await send('PATCH', at, { lastDoneReading: 850 })).toEqual([200, 850, undefined])
    expect(await send('PATCH', at, { lastDoneReading: 900.1 })).toEqual([200, 900.1, undefined])
    const confirmed = { lastDoneReading: 849, confirmMeterAnomaly: true }
    expect(await send('PATCH', at, confirmed)).toEqual([200, 849, undefined])
    expect((await send('POST', url, { ...oil, ...one, ...confirmed }))[0]).toBe(201)
  })

  test('is compared with the meter that reads most where the item counts by none', async ({ add, complete }) => {
    const id = await add({ name: 'Annual', basis: 'calendar', intervalHours: undefined, intervalMonths: 12 })
    expect((await complete(id, { reading: 1000.2 })).json().details.anomalies).toMatchObject([{ meter: 'hobbs' }])
    for (const reading of [1000, 900]) expect((await complete(id, { reading })).statusCode).toBe(200)
  })

  test('is compared with the last ramp-in while the aircraft is out', async ({ api, school, add, complete }) => {
    const id = await add({})
    const flight = await bookDual(api, school, { extra: { resource: { id: plane.id } } })
    const out = { hobbsTimeOut: 1003, tachTimeOut: 903 }
    await expectOk(api, school.instructor, 'POST', `/reservations/${flight}/rampOut`, out)
    expect((await complete(id, { reading: 903 })).json().code).toBe('METER_ANOMALY')
    expect((await complete(id, { reading: 900 })).statusCode).toBe(200)
    await expectOk(api, school.instructor, 'POST', `/reservations/${flight}/rampIn`, {
      hobbsTimeIn: 1003.5,
      tachTimeIn: 903.4,
    })
  })
})

describe('undoing a completion (§Maintenance)', () => {
  test('puts the item back, holds at once, and lists the flights that left since', async ({
    api,
    school,
    add,
    complete,
    history,
    undo,
  }) => {
    const id = await add({ dueReading: 899, lastDoneReading: 799, grounding: true })
    const read = () => expectOk<Reminder>(api, school.admin, 'GET', `${url}/${id}`)
    const before = await read()
    const isGrounded = async () =>
      (await expectOk<{ grounded: boolean }>(api, school.admin, 'GET', `/resources/${plane.id}`)).grounded
    expect([before.status, await isGrounded()]).toEqual(['overdue', true])
    await complete(id, { reading: 900 })
    const completed = await read()
    expect([completed.status, await isGrounded()]).toEqual(['ok', false])
    const start = '2026-11-24T10:00:00.000Z'
    const day = { start, end: '2026-11-24T12:00:00Z', extra: { resource: { id: plane.id } } }
    const flight = await bookDual(api, school, day)
    const readings = { hobbsTimeOut: 1000, tachTimeOut: 900 }
    await expectOk(api, school.instructor, 'POST', `/reservations/${flight}/rampOut`, readings)
    const [completion] = await history(id)
    api.clock.now = new Date('2026-11-21T13:00:00Z')
    const undone = await undo(completion?.id ?? 0)
    expect(undone.json()).toMatchObject({
      data: { id, status: 'overdue', dueReading: 899 },
      flights: [{ reservationId: flight, start }],
    })
    expect(undone.json()).not.toHaveProperty('warnings')
    const after = await read()
    expect([after, await isGrounded()]).toEqual([{ ...before, updatedAt: expect.any(String) }, true])
    expect(before.updatedAt < completed.updatedAt && completed.updatedAt < after.updatedAt).toBe(true)
    expect(await history(id)).toMatchObject([
      {
        id: completion?.id,
        reading: 900,
        undone: { at: '2026-11-21T13:00:00.000Z', by: { orgUserId: school.admin.orgUserId }, reason: 'Typing error' },
      },
    ])
    const [event] = await expectOk<object[]>(api, school.owner, 'GET', '/audit?action=maintenance.completion_undone')
    expect(event).toMatchObject({
      subject: { kind: 'resource', id: plane.id },
      before: { reminderId: id, completionIds: [completion?.id] },
      reason: 'Typing error',
    })
    expect((await checkSeals(api, school.organizationId)).at(-1)).toMatchObject({
      kind: 'maintenance.completion_undone',
      signerId: school.admin.orgUserId,
      intact: true,
      authentic: true,
    })
  })

  test('is shown on the status sheet', async ({ api, school, add, complete, history, undo }) => {
    for (let count = 0; count < 20; count++) await add({ name: `A rather long name of an inspection, ${count}` })
    const id = await add({ name: 'Annual' })
    for (let count = 0; count < 3; count++) {
      await complete(id)
      expect((await undo((await history(id))[0]?.id ?? 0)).statusCode).toBe(200)
    }
    const sheet = await api.as(school.student).get(`/resources/${plane.id}/status?format=pdf`)
    expect(sheet.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  })

  test('undoes what it satisfied, and only together', async ({ api, school, add, complete, history, undo }) => {
    const hundred = await add({ lastDoneReading: 850 })
    const annual = await add({ name: 'Annual', satisfies: [hundred], lastDoneReading: 820 })
    await complete(annual)
    const [[own], [other]] = [await history(annual), await history(hundred)]
    const alone = await undo(other?.id ?? 0)
    expect([alone.statusCode, alone.json().code]).toEqual([409, 'NOT_REVERSIBLE'])
    expect((await undo(own?.id ?? 0)).statusCode).toBe(200)
    const item = (id: number) => expectOk<Reminder>(api, school.admin, 'GET', `${url}/${id}`)
    expect([(await item(annual)).lastDoneReading, (await item(hundred)).lastDoneReading]).toEqual([820, 850])
    expect((await history(hundred))[0]?.undone?.reason).toBe('Typing error')
    // A later completion of what it satisfied stands on it.
    await complete(annual)
    await complete(hundred)
    const [latest] = await history(annual)
    expect((await undo(latest?.id ?? 0)).json().message).toBe(
      'A later completion of 100-hour is recorded. Undo that one first.',
    )
    expect((await undo((await history(hundred))[0]?.id ?? 0)).statusCode).toBe(200)
    expect((await undo(latest?.id ?? 0)).statusCode).toBe(200)
  })

  test('is for the latest that counts, once, by admins, with a reason', async ({
    api,
    school,
    add,
    complete,
    history,
    undo,
  }) => {
    const id = await add({})
    await complete(id, { doneAt: '2026-11-01T12:00:00Z', reading: 850 })
    await complete(id, { reading: 900 })
    const [second, first] = (await history(id)).map((one) => one.id)
    expect((await undo(first ?? 0)).json().code).toBe('NOT_REVERSIBLE')
    expect((await undo(second ?? 0, school.technician)).statusCode).toBe(403)
    for (const body of [{}, { reason: ' ' }]) expect((await undo(second ?? 0, school.admin, body)).statusCode).toBe(400)
    const both = await Promise.all([undo(second ?? 0), undo(second ?? 0)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect((await undo(second ?? 0)).json().code).toBe('ALREADY_REVERSED')
    expect((await undo(first ?? 0)).statusCode).toBe(200)
    expect((await undo(999_999)).statusCode).toBe(404)
    await complete(id)
    const [third] = await history(id)
    await api.core.database.pool.query('update maintenance_completion set before = null where id = $1', [third?.id])
    expect((await undo(third?.id ?? 0)).json().message).toMatch(/earlier version/)
  })

  test('does not reopen the deferrals that the completion ended, and lists them as warnings', async ({
    api,
    school,
    add,
    complete,
    history,
    undo,
  }) => {
    await buildSquawk(
      api,
      { ...school, plane },
      { title: 'Landing light', reportedBy: school.technician, status: 'deferred' },
    )
    const id = await add({ grounding: true })
    const completed = (await complete(id)).json()
    const undone = (await undo((await history(id))[0]?.id ?? 0)).json()
    const named = (answer: { warnings?: string[] }) =>
      (answer.warnings ?? []).filter((text) => text.includes('Landing light'))
    expect([named(completed).length, named(undone).length]).toEqual([1, 1])
  })
})
