import { describe, expect } from 'vitest'
import { findOwner } from '../../../../src/shared/platform/authz/actor.queries.ts'
import { findShopSlots } from '../../../../src/shared/scheduling/recoveries/find-shop-slots.ts'
import type { TestApp } from '../../../support/app.ts'
import {
  buildMember,
  buildMembers,
  buildPlane,
  buildSchool,
  type Member,
  type School,
  writeSettings,
} from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { buildTwin } from '../../../support/recoveries.ts'

const test = schoolTest().extend('twin', ({ api, school }) => buildTwin(api, school))

interface SlotAnswer {
  start: string
  end: string
  displaced: { reservationId: number; start: string }[]
  placeable: number
  lost: number
  hoursLeft: number | null
  crosses: { reminderId: number; reservation: { reservationId: number } | null } | null
  points: number
}

const at = (h: number, day = 23) => ({ start: hour(h, day), end: hour(h + 2, day) })
const hour = (h: number, day = 23) => `2026-11-${day}T${String(h).padStart(2, '0')}:00:00.000Z`
const monday = 'startDate=2026-11-23&endDate=2026-11-23'
const query = (school: School, hours: number | string, more = monday) =>
  `/maintenance/slots?resourceId=${school.plane.id}&hours=${hours}&${more}`
const slotsOf = (api: TestApp, who: Member, school: School, hours: number, more?: string) =>
  expectOk<SlotAnswer[]>(api, who, 'GET', query(school, hours, more))

/** Books the other aircraft of the model for a whole day, with another student and instructor. */
async function fillTwin(api: TestApp, school: School, twin: School['plane'], day = 23): Promise<void> {
  const student = await buildMember(api, school.organizationId, ['student'])
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  const times = { start: hour(0, day), end: hour(0, day + 1) }
  await bookDual(api, { ...school, plane: twin, student, instructor }, times)
}

/** Adds a reminder of the school's aircraft. */
const addReminder = (api: TestApp, school: School, body: object) =>
  expectOk<{ id: number }>(api, school.technician, 'POST', '/maintenance/reminders', {
    resource: { id: school.plane.id },
    ...body,
  })

describe('slots for maintenance (§Shop slots)', () => {
  test('start on the hour in shop hours; what displaces nothing is cheapest, then what moves', async ({
    api,
    school,
  }) => {
    await buildTwin(api, school)
    const booked = await bookDual(api, school, at(10))
    const slots = await slotsOf(api, school.technician, school, 4)
    expect(slots[0]).toEqual({
      start: hour(12),
      end: hour(16),
      displaced: [],
      placeable: 0,
      lost: 0,
      hoursLeft: null,
      crosses: null,
      points: 0,
    })
    const over = slots.find(({ start }) => start === hour(8))
    expect(over).toMatchObject({
      end: hour(12),
      displaced: [{ reservationId: booked, start: hour(10) }],
      placeable: 1,
      lost: 0,
      points: 10,
    })
    expect(slots.map(({ points }) => points)).toEqual(slots.map(({ points }) => points).toSorted((a, b) => a - b))
    expect(await slotsOf(api, school.dispatcher, school, 4)).toEqual(slots)
    expect(await slotsOf(api, school.instructor, school, 4)).toEqual(slots)
    expect((await api.as(school.student).get(query(school, 4))).statusCode).toBe(403)
  })

  test('a booking that no other aircraft can take within three days costs a hundred', async ({ api, school, twin }) => {
    const booked = await bookDual(api, school, at(10))
    const { orgUserId } = school.student
    const extra = { type: 'solo', personnel: { students: [{ orgUserId }] } }
    const body = dualBody(school, { start: hour(13), end: hour(15), extra })
    const solo = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    for (const day of [21, 22, 23, 24, 25, 26]) await fillTwin(api, school, twin, day)
    const slots = await slotsOf(api, school.technician, school, 2, `${monday}`)
    const over = (at: number) => slots.find(({ start }) => start === hour(at))
    expect(over(10)).toMatchObject({ displaced: [{ reservationId: booked }], placeable: 0, lost: 1, points: 100 })
    // A solo flight is worth a place on the fourth day, when the other aircraft is free.
    expect(over(13)).toMatchObject({ displaced: [{ reservationId: solo.id }], placeable: 0, lost: 1, points: 100 })
  })

  test('the free hours of the aircraft itself before and after the window hide no place on another', async ({
    api,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(10))
    for (const day of [22, 23, 24]) await fillTwin(api, school, twin, day)
    const over = (await slotsOf(api, school.technician, school, 2)).find(({ start }) => start === hour(10))
    expect(over).toMatchObject({ displaced: [{ reservationId: booked }], placeable: 1, lost: 0, points: 10 })
  })

  test('bookings without any place leave the later ones theirs', async ({ api, school }) => {
    await buildTwin(api, school)
    const { organizationId, plane, location, dispatcher, instructor } = school
    const grounded = await buildMember(api, organizationId, ['student'])
    for (const h of [6, 8, 10, 12, 14, 16]) await bookDual(api, school, at(h, 27))
    await api.core.database.pool.query(
      `with made as (
         insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id,
           created_by, reminded_for)
         select $1, 'Lesson', 'dual', t, t + interval '1 hour', 'UTC', $2, $3, $4, t
         from generate_series('2026-11-23T00:00Z'::timestamptz, '2026-11-26T18:00Z', interval '90 minutes') t
         returning id, starts_at, ends_at)
       insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
       select $1, id, 'instructors', 0, $5::int, starts_at, ends_at from made
       union all
       select $1, id, 'students', 1, $6::int, starts_at, ends_at from made`,
      [organizationId, plane.id, location.id, dispatcher.orgUserId, instructor.orgUserId, grounded.orgUserId],
    )
    await api.core.database.pool.query('update membership set grounded = true where id = $1', [grounded.orgUserId])
    const [first] = await slotsOf(api, school.technician, school, 2, 'startDate=2026-11-23&endDate=2026-11-27')
    expect(first).toMatchObject({ start: hour(8, 27), placeable: 1, lost: 0, points: 10 })
  })

  test('a place counts where a booking stands that the slot displaces too, and not where another one does', async ({
    api,
    school,
    twin,
  }) => {
    const { organizationId, instructor } = school
    const student = await buildMember(api, organizationId, ['student'])
    const first = await bookDual(api, school, { start: hour(10), end: hour(11) })
    const second = await bookDual(api, { ...school, student }, { start: hour(11), end: hour(12) })
    const others = { student: await buildMember(api, organizationId, ['student']) }
    const busy = {
      ...school,
      ...others,
      plane: twin,
      instructor: await buildMember(api, organizationId, ['instructor']),
    }
    await bookDual(api, busy, { start: hour(0), end: hour(11) })
    await bookDual(api, busy, { start: hour(13), end: hour(23) })
    // The first student has until noon, the second until one, and their instructor from ten.
    const away = `insert into time_off (organization_id, membership_id, starts_at, ends_at) values ($1, $2, $3, $4)`
    for (const [who, from, until] of [
      [school.student, hour(12), hour(0, 30)],
      [student, hour(13), hour(0, 30)],
      [instructor, hour(0, 20), hour(10)],
    ] as const) {
      await api.core.database.pool.query(away, [organizationId, who.orgUserId, from, until])
    }
    const slotAt = async (hours: number) =>
      (await slotsOf(api, school.technician, school, hours)).find(({ start }) => start === hour(10))
    expect(await slotAt(1)).toMatchObject({ displaced: [{ reservationId: first }], placeable: 0, lost: 1, points: 100 })
    expect(await slotAt(2)).toMatchObject({
      displaced: [{ reservationId: first }, { reservationId: second }],
      placeable: 2,
      lost: 0,
      points: 20,
    })
  })

  test('a displaced booking goes to an aircraft of its make and model alone, with its own instructor', async ({
    api,
    school,
    twin,
  }) => {
    const { pool } = api.core.database
    await bookDual(api, school, at(10))
    const piper = await buildPlane(api, school)
    await pool.query("update resource set make = 'Piper', model = 'PA-28' where id = $1", [piper.id])
    // The twin is taken then by others, and the instructor is away at all other times.
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, plane: twin, student, instructor }, at(10))
    await pool.query(
      `insert into time_off (organization_id, membership_id, starts_at, ends_at)
       values ($1, $2, '2026-11-20T00:00Z', $3), ($1, $2, $4, '2026-12-20T00:00Z')`,
      [school.organizationId, school.instructor.orgUserId, hour(10), hour(12)],
    )
    const over = (slots: SlotAnswer[]) => slots.find(({ start }) => start === hour(10))
    expect(over(await slotsOf(api, school.technician, school, 2))).toMatchObject({ placeable: 0, lost: 1, points: 100 })
    await pool.query("update resource set make = 'Cessna', model = '172S' where id = $1", [piper.id])
    expect(over(await slotsOf(api, school.technician, school, 2))).toMatchObject({ placeable: 1, lost: 0, points: 10 })
  })

  test('other maintenance stays, and so does a slot that it would take', async ({ api, school }) => {
    const body = {
      title: 'Annual',
      type: 'maintenance',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      ...at(8),
    }
    await expectOk(api, school.technician, 'POST', '/reservations', body)
    const starts = (await slotsOf(api, school.technician, school, 1)).map(({ start }) => start)
    expect(starts).toEqual([10, 11, 12, 13, 14, 15, 16].map((h) => hour(h)))
  })

  test('shop hours and the patterns of technicians bound the starts', async ({ api, school }) => {
    await writeSettings(api, school.organizationId, {
      shopHours: { startMinute: 540, endMinute: 720, days: [1] },
    })
    const starts = async () => (await slotsOf(api, school.technician, school, 1)).map(({ start }) => start)
    expect(await starts()).toEqual([9, 10, 11].map((h) => hour(h)))
    const availability = [{ dayOfWeek: 1, startMinute: 600, endMinute: 720 }]
    await expectOk(api, school.technician, 'PATCH', '/users/availability', { availability })
    expect(await starts()).toEqual([10, 11].map((h) => hour(h)))
  })

  test('the reminder that comes due next is looked at: what is left of it, and whether it is passed before', async ({
    api,
    school,
  }) => {
    const add = (body: object) => addReminder(api, school, body)
    // The tach is at 900.
    const hundred = await add({ name: '100-hour', basis: 'tach', intervalHours: 100, dueReading: 903 })
    const later = await add({ name: 'Oil', basis: 'tach', intervalHours: 50, dueReading: 945 })
    const booked = await bookDual(api, school, at(8))
    const second = await bookDual(api, school, at(10))
    const read = async (more = monday) => {
      const slots = await slotsOf(api, school.technician, school, 2, more)
      return Object.fromEntries(slots.map((slot) => [slot.start, slot]))
    }
    const slots = await read()
    expect(slots[hour(8)]).toMatchObject({ displaced: [{ reservationId: booked }], hoursLeft: 3, crosses: null })
    expect(slots[hour(10)]).toMatchObject({ displaced: [{ reservationId: second }], hoursLeft: 1, crosses: null })
    const crosses = { reminderId: hundred.id, reservation: { reservationId: second, start: hour(10) } }
    expect(slots[hour(13)]).toMatchObject({ displaced: [], hoursLeft: -1, crosses, points: 1_000 })
    const oil = await read(`${monday}&reminderIds=${later.id}`)
    // 41 of 50 hours are left: eight whole tenths.
    expect(oil[hour(13)]).toMatchObject({ hoursLeft: 41, crosses: null, points: 8 })
  })

  test('of two reminders the one that comes due next counts alone; of those that are named, each that is passed', async ({
    api,
    school,
  }) => {
    const add = (body: object) => addReminder(api, school, body)
    // The tach is at 900: the only flight of Monday reaches the 902 hours and does not pass them, so nothing does on Tuesday, when the annual is late.
    const hours = await add({ name: '50-hour', basis: 'tach', intervalHours: 50, dueReading: 902 })
    const annual = await add({ name: 'Annual', basis: 'calendar', intervalMonths: 12, dueAt: hour(0, 24) })
    await bookDual(api, school, at(8))
    const tuesday = 'startDate=2026-11-24&endDate=2026-11-24'
    const first = async (more: string) => (await slotsOf(api, school.technician, school, 2, more))[0]
    expect(await first(tuesday)).toMatchObject({ hoursLeft: 0, crosses: null, points: 0 })
    for (const ids of [`${hours.id},${annual.id}`, `${annual.id},${hours.id}`]) {
      const crosses = { reminderId: annual.id, reservation: null }
      expect(await first(`${tuesday}&reminderIds=${ids}`)).toMatchObject({ hoursLeft: 0, crosses, points: 1_000 })
    }
  })

  test('bad questions are refused: other resources and reminders, hours, windows', async ({ api, school }) => {
    const other = await buildSchool(api)
    const { id: foreign } = await expectOk<{ id: number }>(api, other.technician, 'POST', '/maintenance/reminders', {
      resource: { id: other.plane.id },
      name: 'Annual',
      basis: 'calendar',
      intervalMonths: 12,
    })
    const ask = (url: string) => api.as(school.technician).get(url)
    for (const url of [
      query(other, 4),
      query(school, 4, `${monday}&reminderIds=${foreign}`),
      query(school, 4, `${monday}&reminderIds=999999`),
      query(school, 0),
      query(school, 72.5),
      query(school, 1.25),
      query(school, 'x'),
      ...['0x10', '1e1', '%204', '4.', '+4'].map((hours) => query(school, hours)),
      query(school, 4, 'startDate=2026-12-21&endDate=2026-12-22'),
      query(school, 4, 'startDate=2026-11-23&endDate=2026-12-24'),
      query(school, 4, 'startDate=2026-11-02&endDate=2026-12-03'),
      query(school, 4, 'startDate=2026-11-23'),
      `/maintenance/slots?resourceId=${school.plane.id},${school.plane.id + 1}&hours=4&${monday}`,
    ]) {
      expect([url, (await ask(url)).statusCode]).toEqual([url, 400])
    }
    expect((await ask(query(school, 0.5))).statusCode).toBe(200)
    expect((await ask(query(school, 72))).statusCode).toBe(200)
    expect((await ask(query(school, '4.0', 'startDate=2026-12-21&endDate=2026-12-21'))).statusCode).toBe(200)
    expect((await ask(query(school, 4, 'startDate=2026-11-02&endDate=2026-11-03'))).json().data).toEqual([])
  })

  test('an aircraft with 200 bookings in the window is refused in words', async ({ api, school }) => {
    await api.core.database.pool.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id, created_by, reminded_for)
       select $1, 'Lesson', 'ground', t, t + interval '1 hour', 'UTC', $2, $3, $4, t
       from generate_series('2026-11-23T00:00Z'::timestamptz, '2026-12-02T12:00Z', interval '1 hour') t`,
      [school.organizationId, school.plane.id, school.location.id, school.dispatcher.orgUserId],
    )
    const answer = await api.as(school.technician).get(query(school, 4, 'startDate=2026-11-23&endDate=2026-12-02'))
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'endDate: the aircraft has more than 199 bookings then; please choose a shorter window',
    ])
  })

  test('two searches run at the same time in a process; a third is asked to wait', async ({ api, school }) => {
    const { db } = api.core.database
    const actor = (await findOwner(db, school.organizationId))!
    const start = new Date('2026-11-23T00:00:00Z')
    const question = { resourceId: school.plane.id, minutes: 240, start, end: new Date('2026-11-25T00:00:00Z') }
    const search = () => findShopSlots(db, actor, api.clock.now, question)
    const asked = await Promise.allSettled([search(), search(), search()])
    expect(asked).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 429, retryAfterSeconds: expect.any(Number) } },
    ])
    expect((await api.as(school.dispatcher).get(query(school, 4))).statusCode).toBe(200)
  })

  test('a month with six lessons a day among twelve aircraft is answered in time', async ({ api, school }) => {
    const others = await Promise.all(Array.from({ length: 11 }, () => buildPlane(api, school)))
    const people = await buildMembers(api, school.organizationId, [
      ...Array.from({ length: 12 }, () => ['instructor' as const]),
      ...Array.from({ length: 36 }, () => ['student' as const]),
    ])
    const ids = people.map(({ orgUserId }) => orgUserId)
    const planes = [school.plane, ...others].map(({ id }) => id)
    await api.core.database.pool.query(
      "update resource set make = 'Cessna', model = '172S' where organization_id = $1",
      [school.organizationId],
    )
    await api.core.database.pool.query(
      `with slot as (
         select p as plane, d, h, '2026-11-23T00:00Z'::timestamptz + make_interval(days => d, hours => 6 + 2 * h) as starts_at
         from generate_series(1, 12) p, generate_series(0, 30) d, generate_series(0, 5) h
         where p = 1 or (p + d + h) % 4 <> 0),
       made as (
         insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, location_id,
           created_by, reminded_for)
         select $1, 'Lesson ' || h, 'dual', starts_at, starts_at + interval '2 hours', 'UTC', ($2::int[])[plane], $3, $4, starts_at
         from slot returning id, starts_at, ends_at, array_position($2::int[], resource_id) as plane,
           right(title, 1)::int as h)
       insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
       select $1, id, 'instructors', 0, ($5::int[])[plane], starts_at, ends_at from made
       union all
       select $1, id, 'students', 1, ($5::int[])[12 + (plane - 1) * 3 + 1 + h % 3], starts_at, ends_at from made`,
      [school.organizationId, planes, school.location.id, school.dispatcher.orgUserId, ids],
    )
    const from = process.cpuUsage()
    const slots = await slotsOf(api, school.technician, school, 4, 'startDate=2026-11-21&endDate=2026-12-21')
    const { user, system } = process.cpuUsage(from)
    expect(slots).toHaveLength(10)
    expect(slots[0]?.displaced.length).toBeGreaterThan(0)
    // Its own time on one core, since the machine of the tests may be busy.
    expect((user + system) / 1_000_000).toBeLessThan(5)
  }, 60_000)

  test('the search leaves everything as it is, and names nobody', async ({ api, school }) => {
    await bookDual(api, school, at(10))
    const rows = () => api.core.database.pool.query('select max(transaction_id::text) from reservation')
    const before = (await rows()).rows
    const text = JSON.stringify(await slotsOf(api, school.technician, school, 4))
    expect((await rows()).rows).toEqual(before)
    for (const { name } of [school.student, school.instructor]) expect(text).not.toContain(name)
  })
})
