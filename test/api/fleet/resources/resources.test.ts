import { describe, expect } from 'vitest'
import { buildLocation, buildPlane, buildRoom, buildSchool, buildSimulator } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { runFanOut } from '../../../support/outbox.ts'
import { enter } from '../../../support/waitlist.ts'

const test = sharedSchoolTest()
  .extend('at', ({ school }) => () => ({ id: school.location.id }))
  .extend(
    'post',
    ({ api, school }) =>
      (body: unknown) =>
        api.as(school.admin).post('/resources', body),
  )
  .extend(
    'patch',
    ({ api, school }) =>
      (id: number, body: unknown) =>
        api.as(school.admin).patch(`/resources/${id}`, body),
  )
  .extend(
    'read',
    ({ api, school }) =>
      async (id: number) =>
        (await api.as(school.student).get(`/resources/${id}`)).json().data,
  )
  .extend('listed', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend('names', ({ api, listed }) => async (url: string): Promise<string[]> => {
    const response = await api.as(listed.renter).get(url)
    expect(response.statusCode).toBe(200)
    return response.json().data.map(({ name }: { name: string }) => name.replace(/ [0-9A-F]{8}$/, ''))
  })
  .extend(
    'fuel',
    ({ api, school }) =>
      (id: number, body: object) =>
        api.as(school.student).post(`/resources/${id}/fuel`, body),
  )
  .extend(
    'ground',
    ({ api, school }) =>
      (id: number, body: object, token = school.technician.token) =>
        api.call('PATCH', `/resources/${id}/grounding`, { token, body }),
  )

describe('adding a resource (§Resources, POST /resources)', () => {
  test('of kind plane takes every field', async ({ school, at, post, read }) => {
    const response = await post({
      name: 'N172FL',
      location: at(),
      tailNumber: 'N172FL',
      year: 1998,
      cost: { wetRate: 18_000, overnightMinimumTenths: 0 },
      type: {
        plane: {
          engines: 2,
          category: 'airplane',
          class: 'multi_engine_land',
          fuelUnits: 'liters',
          tailwheel: true,
          typeRating: 'CE-525',
          complex: true,
          tachTime: 1100,
        },
      },
      make: 'Piper',
      model: 'Seminole',
      serialNumber: '44-8095001',
      hobbsTime: 1234.56,
      fuelEngine1: 80,
      flyingDayStartMinute: 420,
      flyingDayEndMinute: 1260,
    })
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toEqual({
      id: expect.any(Number),
      name: 'N172FL',
      kind: 'plane',
      location: { id: school.location.id, name: 'Hayward Executive', timeZoneName: 'UTC' },
      type: {
        plane: {
          engines: 2,
          category: 'airplane',
          class: 'multi_engine_land',
          fuelUnits: 'liters',
          tailwheel: true,
          typeRating: 'CE-525',
          complex: true,
          highPerformance: false,
          taa: false,
          landings: 0,
        },
      },
      serialNumber: '44-8095001',
      year: 1998,
      tailNumber: 'N172FL',
      make: 'Piper',
      model: 'Seminole',
      endorsedAs: ['Piper Seminole', 'Seminole'],
      pool: null,
      flyingDayStartMinute: 420,
      flyingDayEndMinute: 1260,
      cost: { dryRate: null, wetRate: 18_000, overnightMinimumTenths: 0, billByHobbsTime: true },
      grounded: false,
      groundedReason: null,
      groundedBy: null,
      holds: [],
      fuelEngine1: 80,
      fuelEngine2: null,
      fuelUpdatedAt: '2026-11-21T12:00:00.000Z',
      hobbsTime: 1234.56,
      tachTime: 1100,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await read(data.id)).toEqual(data)
  })

  test('of kind simulator or room takes the fields of that kind', async ({ at, post }) => {
    const simulator = await post({
      name: 'Redbird',
      location: at(),
      type: { simulator: { deviceKind: 'aatd', hobbsTime: 10 } },
    })
    expect(simulator.json().data).toMatchObject({
      kind: 'simulator',
      type: { simulator: { deviceKind: 'aatd' } },
      hobbsTime: 10,
      tachTime: null,
    })
    const room = await post({ name: 'Briefing', location: at(), type: { room: { seats: 6 } } })
    expect(room.json().data).toMatchObject({ kind: 'room', type: { room: { seats: 6 } }, hobbsTime: null })
  })

  test('ignores a field of the resource inside its type, and names it', async ({ at, post }) => {
    const response = await post({ name: 'N2', location: at(), make: 'Cessna', type: { plane: { make: 'Piper' } } })
    expect(response.json().data).toMatchObject({ make: 'Cessna' })
    expect(response.headers['x-ignored-fields']).toBe('type.plane.make')
  })

  test('ignores the fields that the service maintains itself', async ({ at, post }) => {
    const { data } = (
      await post({
        name: 'N1',
        location: at(),
        type: { plane: { groundedBy: 'system', systemHoldReason: 'x' } },
        id: 1,
        kind: 'room',
        groundedBy: 'system',
        createdAt: '1970-01-01T00:00:00Z',
      })
    ).json()
    expect(data).toMatchObject({ kind: 'plane', grounded: false, groundedBy: null })
    expect(data.id).not.toBe(1)
    expect(data.createdAt).not.toMatch(/^1970/)
  })

  const plane = { name: 'N1', location: { id: 1 }, type: { plane: {} } }
  test.for<[string, object, string]>([
    ['no name', { ...plane, name: undefined }, 'name'],
    ['a blank name', { ...plane, name: ' ' }, 'name'],
    ['an endless name', { ...plane, name: 'x'.repeat(101) }, 'name'],
    ['no location', { ...plane, location: undefined }, 'location'],
    ['a location without an id', { ...plane, location: {} }, 'location.id'],
    ['a location that nobody has', { ...plane, location: { id: 2_000_000_000 } }, 'location.id'],
    ['an id that no database holds', { ...plane, location: { id: 3_000_000_000 } }, 'location.id'],
    ['no type', { ...plane, type: undefined }, 'type'],
    ['no kind', { ...plane, type: {} }, 'type'],
    ['two kinds', { ...plane, type: { plane: {}, room: {} } }, 'type'],
    ['an unknown kind', { ...plane, type: { boat: {} } }, 'type'],
    ['three engines', { ...plane, type: { plane: { engines: 3 } } }, 'type.plane.engines'],
    ['unknown units', { ...plane, type: { plane: { fuelUnits: 'barrels' } } }, 'type.plane.fuelUnits'],
    ['a reading with three decimals', { ...plane, type: { plane: { hobbsTime: 1.234 } } }, 'type.plane.hobbsTime'],
    ['a negative reading', { ...plane, hobbsTime: -1 }, 'hobbsTime'],
    ['a rate that is not whole cents', { ...plane, cost: { wetRate: 180.5 } }, 'cost.wetRate'],
    ['a negative rate', { ...plane, cost: { dryRate: -1 } }, 'cost.dryRate'],
    ['an endless rate', { ...plane, cost: { dryRate: 1e21 } }, 'cost.dryRate'],
    ['null for billByHobbsTime', { ...plane, cost: { billByHobbsTime: null } }, 'cost.billByHobbsTime'],
    ['half a flying day', { ...plane, flyingDayStartMinute: 480 }, 'flyingDayEndMinute'],
    ['a minute after the day', { ...plane, flyingDayStartMinute: 0, flyingDayEndMinute: 1441 }, 'flyingDayEndMinute'],
    ['a year before flight', { ...plane, year: 1899 }, 'year'],
    ['a year as text', { ...plane, year: '1998' }, 'year'],
    ['fuel in a second engine', { ...plane, fuelEngine2: 10 }, 'fuelEngine2'],
    ['a null character', { ...plane, make: 'a\u0000' }, 'make'],
    ['two different readings', { ...plane, tachTime: 1, type: { plane: { tachTime: 2 } } }, 'type.plane.tachTime'],
    ['a grounded room', { ...plane, type: { room: {} }, grounded: true }, 'grounded'],
  ])('is 400 naming the field for %s', async ([_what, body, field], { at, post }) => {
    const given = body as { location?: { id?: number } }
    const response = await post(given.location?.id === 1 ? { ...body, location: at() } : body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}: `))
  })
})

describe('changing a resource (§Resources, PATCH /resources/{id})', () => {
  test('changes what is given and leaves the rest', async ({ api, school, patch, read }) => {
    const { id } = await buildPlane(api, school)
    const before = await read(id)
    const other = await buildLocation(api, school.organizationId, { name: 'Livermore' })
    const body = { name: 'N9', location: { id: other.id }, type: { plane: { class: 'single_engine_sea' } } }
    const response = await patch(id, body)
    expect(response.statusCode).toBe(200)
    const { data } = response.json()
    expect(data).toEqual({
      ...before,
      name: 'N9',
      location: { id: other.id, name: 'Livermore', timeZoneName: 'UTC' },
      type: { plane: { ...before.type.plane, class: 'single_engine_sea' } },
      updatedAt: data.updatedAt,
    })
  })

  test('with the answer of a read changes nothing', async ({ api, school, patch, read }) => {
    const { id } = await buildPlane(api, school)
    const before = await read(id)
    const response = await patch(id, before)
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toEqual({ ...before, updatedAt: expect.any(String) })
  })

  test('clears the year when it is empty', async ({ api, school, patch, read }) => {
    const { id } = await buildPlane(api, school)
    await patch(id, { type: { plane: {} }, year: 1998, serialNumber: '1' })
    expect(await read(id)).toMatchObject({ year: 1998, serialNumber: '1' })
    const cleared = await patch(id, { type: { plane: {} }, year: '', serialNumber: '' })
    expect(cleared.json().data).toMatchObject({ year: null, serialNumber: null })
  })

  test('writes grounding and its reason together', async ({ api, school, patch }) => {
    const { id } = await buildPlane(api, school)
    const type = { plane: {} }
    const grounded = await patch(id, { type, grounded: true, groundedReason: 'Flat tire' })
    expect(grounded.json().data).toMatchObject({ grounded: true, groundedBy: 'person', groundedReason: 'Flat tire' })
    const renamed = await patch(id, { type, name: 'N10' })
    expect(renamed.json().data).toMatchObject({ grounded: true, groundedBy: 'person', groundedReason: null })
  })

  test.for<[string, object, string]>([
    ['no type', { name: 'N1' }, 'type'],
    ['another kind', { type: { simulator: {} } }, 'type'],
    ['an empty type', { type: {} }, 'type'],
    ['half a flying day', { type: { plane: {} }, flyingDayEndMinute: 600 }, 'flyingDayStartMinute'],
    ['null for billByHobbsTime', { type: { plane: {} }, cost: { billByHobbsTime: null } }, 'cost.billByHobbsTime'],
    ['a location that nobody has', { type: { plane: {} }, location: { id: 2_000_000_000 } }, 'location.id'],
  ])('is 400 naming the field and writes nothing for %s', async ([_what, body, field], { school, patch, read }) => {
    const before = await read(school.plane.id)
    const response = await patch(school.plane.id, { name: 'Changed', ...body })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^(${field.replaceAll('.', '\\.')}): `))
    expect(await read(school.plane.id)).toEqual(before)
  })
})

describe('the lists of resources (§Resources)', () => {
  let livermore: number
  test.beforeAll(async ({ api, listed }) => {
    livermore = (await buildLocation(api, listed.organizationId, { name: 'Livermore' })).id
    const away = { organizationId: listed.organizationId, location: { id: livermore, name: '', timeZoneName: 'UTC' } }
    await api.core.database.db
      .updateTable('resource')
      .set({ name: 'B 100%', make: 'Cessna' })
      .where('id', '=', listed.plane.id)
      .execute()
    await buildPlane(api, away, { name: 'A grounded one' })
    await api.core.database.db
      .updateTable('resource')
      .set({ grounded_by_person: true, tail_number: 'N42' })
      .where('name', '=', 'A grounded one')
      .execute()
    await buildSimulator(api, listed)
    await buildRoom(api, away)
  })

  test.for<[string, string[]]>([
    ['/resources', ['A grounded one', 'B 100%', 'Room', 'Simulator']],
    ['/resources/aircraft', ['A grounded one', 'B 100%']],
    ['/resources/simulators', ['Simulator']],
    ['/resources/rooms', ['Room']],
    ['/resources/aircraft?grounded=true', ['A grounded one']],
    ['/resources/aircraft?grounded=false', ['B 100%']],
    ['/resources/aircraft?q=cess', ['B 100%']],
    ['/resources/aircraft?q=n42', ['A grounded one']],
    ['/resources/aircraft?q=%25', ['B 100%']],
    ['/resources/aircraft?q=_', []],
    ['/resources/simulators?q=nothing', []],
    ['/resources?sort=name&order=desc&limit=1', ['Simulator']],
    ['/resources?sort=location.name&limit=2', ['B 100%', 'Simulator']],
    ['/resources?offset=3', ['Simulator']],
  ])('are narrowed and sorted by %s', async ([url, expected], { names }) => {
    expect(await names(url)).toEqual(expected)
  })

  test('are narrowed to the resources of some locations', async ({ school, listed, names }) => {
    expect(await names(`/resources/aircraft?locationId=${livermore}`)).toEqual(['A grounded one'])
    expect(await names(`/resources/aircraft?locationId=${livermore},${listed.location.id}`)).toHaveLength(2)
    expect(await names(`/resources/rooms?locationId=${listed.location.id}`)).toEqual([])
    expect(await names(`/resources/rooms?locationId=${school.location.id}`)).toEqual([])
  })

  test.for([
    '/resources?limit=0',
    '/resources?offset=-1',
    '/resources?order=up',
    '/resources/aircraft?grounded=perhaps',
    '/resources/aircraft?locationId=here',
    '/resources/rooms?locationId=1;2',
  ])('are 400 for %s', async (url, { api, listed }) => {
    const { token } = listed.renter
    expect((await api.call('GET', url, { token })).statusCode).toBe(400)
  })
})

describe('deleting a resource (§Resources, DELETE /resources/{id})', () => {
  test('removes one that was never booked', async ({ api, school }) => {
    const { id } = await buildPlane(api, school)
    const { token } = school.owner
    expect((await api.call('DELETE', `/resources/${id}`, { token })).statusCode).toBe(204)
    expect((await api.call('GET', `/resources/${id}`, { token })).statusCode).toBe(404)
  })

  test('is refused while a booking refers to it, a cancelled one too', async ({ api, school }) => {
    const { id, name } = await buildPlane(api, school)
    await api.core.database.db
      .insertInto('reservation')
      .values({
        organization_id: school.organizationId,
        title: 'Cancelled',
        type: 'maintenance',
        starts_at: new Date('2026-11-22T12:00:00Z'),
        ends_at: new Date('2026-11-22T13:00:00Z'),
        time_zone_name: 'UTC',
        resource_id: id,
        created_by: school.admin.orgUserId,
        live: false,
        cancelled_at: api.clock.now,
      })
      .execute()
    const response = await api.as(school.admin).delete(`/resources/${id}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(`${name} has bookings, so it cannot be deleted.`)
  })

  test('is refused while somebody waits for it, and not for another', async ({ api, school }) => {
    const { id } = await buildPlane(api, school)
    const entry = await enter(api, school.student, { resourceIds: [id] })
    const remove = () => api.as(school.admin).delete(`/resources/${id}`)
    expect((await remove()).statusCode).toBe(400)
    expect((await api.as(school.student).delete(`/waitlist/${entry}`)).statusCode).toBe(204)
    expect((await remove()).statusCode).toBe(204)
  })
})

describe('the fuel of an aircraft', () => {
  test('is recorded by any member in whole units', async ({ api, school, fuel }) => {
    const { id } = await buildPlane(api, school)
    const response = await fuel(id, { fuelEngine1: 31 })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      id,
      fuelEngine1: 31,
      fuelEngine2: null,
      fuelUpdatedAt: '2026-11-21T12:00:00.000Z',
    })
  })

  test.for<[string, object]>([
    ['nothing', {}],
    ['null alone', { fuelEngine1: null }],
    ['a second engine that is not there', { fuelEngine1: 10, fuelEngine2: 10 }],
    ['a fraction', { fuelEngine1: 10.5 }],
    ['less than nothing', { fuelEngine1: -1 }],
    ['text', { fuelEngine1: '10' }],
  ])('is 400 for %s', async ([_what, body], { school, fuel }) => {
    expect((await fuel(school.plane.id, body)).statusCode).toBe(400)
  })

  test('is 400 for a simulator, which has none', async ({ api, school, fuel }) => {
    const { id } = await buildSimulator(api, school)
    expect((await fuel(id, { fuelEngine1: 10 })).statusCode).toBe(400)
  })
})

describe('the grounding of a resource (§Other)', () => {
  test('is set with a reason and ended by a technician', async ({ api, school, ground }) => {
    const { id } = await buildPlane(api, school)
    const grounded = await ground(id, { grounded: true, reason: ' Oil leak ' })
    expect(grounded.statusCode).toBe(200)
    expect(grounded.json().data).toMatchObject({ grounded: true, groundedBy: 'person', groundedReason: 'Oil leak' })
    const returned = await ground(id, { grounded: false, reason: 'ignored' })
    expect(returned.json().data).toMatchObject({ grounded: false, groundedBy: null, groundedReason: null })
  })

  test('by the system stays whatever a person sends', async ({ api, school, read, ground }) => {
    const { id } = await buildPlane(api, school)
    await api.core.database.db
      .updateTable('resource')
      .set({ system_hold_reason: 'Annual overdue' })
      .where('id', '=', id)
      .execute()
    expect(await read(id)).toMatchObject({ grounded: true, groundedBy: 'system', groundedReason: 'Annual overdue' })
    const grounded = await ground(id, { grounded: true, reason: 'Oil leak' })
    expect(grounded.json().data).toMatchObject({ groundedBy: 'person', groundedReason: 'Oil leak' })
    const returned = await ground(id, { grounded: false })
    expect(returned.json().data).toMatchObject({
      grounded: true,
      groundedBy: 'system',
      groundedReason: 'Annual overdue',
    })
  })

  test('notifies when the resource leaves service and when it returns, not when one of two holds ends', async ({
    api,
    school,
    patch,
    ground,
  }) => {
    const { id } = await buildPlane(api, school)
    const hold = (reason: string | null) =>
      api.core.database.db.updateTable('resource').set({ system_hold_reason: reason }).where('id', '=', id).execute()
    const owed = async () => {
      await runFanOut(api)
      const { rows } = await api.core.database.pool.query<{ kind: string; by: number }>(
        `select payload->>'kind' as kind, (payload->>'causedBy')::int as by from outbox
          where job = 'notifications.fan-out-notification' and (payload->>'subjectId')::int = $1 order by created_at`,
        [id],
      )
      return rows
    }
    const by = school.technician.orgUserId
    await ground(id, { grounded: true, reason: 'Oil leak' })
    expect(await owed()).toEqual([{ kind: 'resource_grounded', by }])
    await hold('Annual overdue')
    await ground(id, { grounded: false })
    await ground(id, { grounded: true, reason: 'Oil leak again' })
    await hold(null)
    await patch(id, { type: { plane: {} }, grounded: false })
    expect(await owed()).toEqual([
      { kind: 'resource_grounded', by },
      { kind: 'resource_returned', by: school.admin.orgUserId },
    ])
  })

  test.for<[string, object, string]>([
    ['nothing', {}, 'grounded'],
    ['no reason', { grounded: true }, 'reason'],
    ['a blank reason', { grounded: true, reason: ' ' }, 'reason'],
    ['text for the flag', { grounded: 'true', reason: 'x' }, 'grounded'],
  ])('is 400 naming the field for %s', async ([_what, body, field], { school, ground }) => {
    const response = await ground(school.plane.id, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: `))
  })

  test('is 400 for a room', async ({ api, school, ground }) => {
    const { id } = await buildRoom(api, school)
    expect((await ground(id, { grounded: true, reason: 'x' })).statusCode).toBe(400)
  })
})
