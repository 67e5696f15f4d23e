import { describe, expect } from 'vitest'
import { buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'
import { buildBooking, buildGuest } from '../../../support/records.ts'

const test = schoolTest().extend(
  'patch',
  ({ api }) =>
    (who: Pick<Member, 'token'>, id: number, body: unknown) =>
      api.as(who).patch(`/reservations/${id}`, body),
)

interface Answer {
  title: string
  notes: string | null
  start: string
  end: string
  series: { id: number; index: number } | null
  updatedAt: string
}

const later = { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' }

describe('a booking that changes (§Reservations, PATCH)', () => {
  test('moves with everyone on it, and the old slot is free again', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    const response = await patch(school.instructor, id, later)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      id,
      start: '2026-11-23T14:00:00.000Z',
      end: '2026-11-23T16:00:00.000Z',
      personnel: { students: [{ orgUserId: school.student.orgUserId }] },
    })
    expect(await bookDual(api, school)).toBeGreaterThan(id)
    const clash = await api.as(school.admin).post('/reservations', dualBody(school, later))
    expect(clash.json()).toMatchObject({ code: 'RESOURCE_CLASH' })
    expect(clash.json().details.problems).toMatchObject([
      { code: 'RESOURCE_CLASH', reservationId: id },
      { code: 'PERSON_CLASH', orgUserId: school.instructor.orgUserId, reservationId: id },
      { code: 'PERSON_CLASH', orgUserId: school.student.orgUserId, reservationId: id },
    ])
  })

  test('may move within its own slot without a clash with itself', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    const response = await patch(school.student, id, { end: '2026-11-23T11:00:00Z' })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({ start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T11:00:00.000Z' })
  })

  test('does not move onto another one', async ({ api, school, patch }) => {
    const other = await bookDual(api, school, later)
    const id = await bookDual(api, school)
    const response = await patch(school.dispatcher, id, { end: '2026-11-23T14:01:00Z' })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'RESOURCE_CLASH' })
    expect(response.json().details.problems[0]).toMatchObject({ field: 'resource', reservationId: other })
    const { start, end } = await expectOk<Answer>(api, school.student, 'GET', `/reservations/${id}`)
    expect([start, end]).toEqual(['2026-11-23T10:00:00.000Z', '2026-11-23T12:00:00.000Z'])
  })

  test('gets title and notes from those on it, and null empties the notes', async ({ api, school, patch }) => {
    const id = await bookDual(api, school, { extra: { notes: 'Bring a headset' } })
    const renamed = await patch(school.student, id, { title: '  Lesson 5 ' })
    expect(renamed.json().data).toMatchObject({ title: 'Lesson 5', notes: 'Bring a headset' })
    expect((await patch(school.student, id, { notes: null })).json().data).toMatchObject({
      title: 'Lesson 5',
      notes: null,
    })
  })

  test('to its present content is not written, and nobody is notified', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    const before = await expectOk<Answer>(api, school.student, 'GET', `/reservations/${id}`)
    await clearOutbox(api)
    api.clock.now = new Date('2026-11-21T13:00:00Z')
    for (const body of [{}, { title: before.title }, { start: before.start, end: before.end }, { unknown: 1 }]) {
      expect((await patch(school.student, id, body)).statusCode).toBe(200)
    }
    expect(await expectOk<Answer>(api, school.student, 'GET', `/reservations/${id}`)).toEqual(before)
    expect(await owedNotifications(api)).toEqual([])
  })

  test('notifies those concerned when it moves, and has an audit row with author, before and after', async ({
    api,
    school,
  }) => {
    const id = await bookDual(api, school)
    await clearOutbox(api)
    await expectOk(api, school.instructor, 'PATCH', `/reservations/${id}`, later)
    expect(await owedNotifications(api)).toEqual([
      { kind: 'reservation_changed', subjectId: id, causedBy: school.instructor.orgUserId },
    ])
    const history = await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)
    expect(history).toMatchObject([
      {
        action: 'moved',
        by: { orgUserId: school.instructor.orgUserId, name: school.instructor.name },
        reason: null,
        before: { start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' },
        after: { start: '2026-11-23T14:00:00.000Z', end: '2026-11-23T16:00:00.000Z' },
      },
    ])
  })

  test('moves alone when it is one of a series', async ({ api, school }) => {
    const recurrence = { frequency: 'daily', count: 3 }
    const body = dualBody(school, { extra: { recurrence } })
    const series = await expectOk<(Answer & { id: number })[]>(api, school.dispatcher, 'POST', '/reservations', body)
    const second = series[1]!
    const moved = await expectOk<Answer>(api, school.dispatcher, 'PATCH', `/reservations/${second.id}`, {
      start: '2026-11-24T15:00:00Z',
      end: '2026-11-24T17:00:00Z',
    })
    expect(moved.series).toEqual(second.series)
    for (const other of [series[0]!, series[2]!]) {
      expect(await expectOk(api, school.dispatcher, 'GET', `/reservations/${other.id}`)).toMatchObject({
        start: other.start,
        series: other.series,
      })
    }
  })

  test('keeps a guest’s seat when it moves', async ({ api, school, patch }) => {
    const guestId = await buildGuest(api, school, 'gia@example.com')
    const id = await buildBooking(api, school, {
      seats: [
        { side: 'instructors', member: school.instructor },
        { side: 'guests', guestId },
      ],
    })
    await api.core.database.db.updateTable('reservation').set({ type: 'guest' }).where('id', '=', id).execute()
    const response = await patch(school.instructor, id, later)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data.personnel.guests).toMatchObject([{ guestId, name: 'Gia Visitor' }])
  })
})

describe('a change of a booking is refused (§Reservations, PATCH)', () => {
  test('with 409 for a move once the aircraft has left, while title and notes still change', async ({
    api,
    school,
    patch,
  }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const response = await patch(school.admin, id, later)
    expect(response.statusCode).toBe(409)
    expect(response.json().code).toBe('RESERVATION_RAMPED_OUT')
    expect((await patch(school.admin, id, { notes: 'Good landings' })).json().data.notes).toBe('Good landings')
  })

  test('with 400 once the booking is cancelled', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    const body = { reason: 'Fog', category: 'weather' }
    await api.as(school.admin).delete(`/reservations/${id}`, body)
    for (const change of [{ title: 'X' }, later]) {
      const response = await patch(school.admin, id, change)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('The booking is cancelled.')
    }
  })

  test('with 403 for a move by a student whose bookings need approval', async ({ api, patch }) => {
    const strict = await buildSchool(api, { settings: { approvalRequired: { student: true, renter: false } } })
    const id = await bookDual(api, strict)
    const response = await patch(strict.student, id, later)
    expect(response.statusCode).toBe(403)
    expect(response.json().message).toContain('booking request')
    expect((await patch(strict.instructor, id, later)).statusCode).toBe(200)
  })

  test('with 400 for a move into the past by a student', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    const past = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' }
    expect((await patch(school.student, id, past)).json().message).toBe('start: is in the past')
    expect((await patch(school.instructor, id, past)).statusCode).toBe(200)
  })

  test.for([
    ['an end before the start', { end: '2026-11-23T09:00:00Z' }, 'end: must be after start'],
    ['no length', { end: '2026-11-23T10:00:00Z' }, 'end: must be after start'],
    ['61 days', { end: '2027-01-23T10:00:00Z' }, 'end: a dual booking lasts at most 60 days'],
    ['a local time', { start: '2026-11-23T10:00:00' }, 'start: must carry a UTC offset or Z'],
    ['an empty title', { title: ' ' }, 'title: is required'],
    ['a null title', { title: null }, 'title: must be text'],
    ['201 characters of title', { title: 'x'.repeat(201) }, 'title: must have at most 200 characters'],
    ['5,001 of notes', { notes: 'x'.repeat(5001) }, 'notes: must have at most 5000 characters'],
  ] as const)('with 400 for %s', async ([_what, body, message], { api, school, patch }) => {
    const id = await bookDual(api, school)
    const response = await patch(school.dispatcher, id, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(message)
  })
})
