import { describe, expect } from 'vitest'
import { cents } from '../../../../src/shared/platform/kernel/units.ts'
import { buildLocation, buildMember, buildPlane, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../../support/flights.ts'
import { clearOutbox, owedNotifications } from '../../../support/outbox.ts'
import { buildInvoice } from '../../../support/records.ts'

interface Answer {
  id: number
  start: string
  resource: { id: number } | null
  location: { id: number } | null
  personnel: Record<'instructors' | 'students', { orgUserId: number }[]>
  payers: object[]
}

const test = schoolTest()
  .extend(
    'patch',
    ({ api }) =>
      (who: Pick<Member, 'token'>, id: number, body: unknown) =>
        api.as(who).patch(`/reservations/${id}`, body),
  )
  .extend('other', ({ api, school }) => buildMember(api, school.organizationId, ['instructor']))
  .extend('plane', async ({ api, school }) => {
    const north = await buildLocation(api, school.organizationId, { name: 'North Field' })
    return { ...(await buildPlane(api, { organizationId: school.organizationId, location: north })), location: north }
  })

const seat = ({ orgUserId }: Pick<Member, 'orgUserId'>) => ({ orgUserId })

describe('a booking that is given another resource or other people (§Reservations, PATCH)', () => {
  test('keeps its id and gets the location of the resource, and both old and new are in its history', async ({
    api,
    school,
    patch,
    plane,
    other,
  }) => {
    const id = await bookDual(api, school)
    const body = { resource: { id: plane.id }, personnel: { instructors: [seat(other)] } }
    const response = await patch(school.dispatcher, id, body)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({
      id,
      resource: { id: plane.id },
      location: { id: plane.location.id },
      status: 'booked',
      cancelledAt: null,
      personnel: { instructors: [seat(other)], students: [seat(school.student)] },
    })
    expect(await expectOk<object[]>(api, school.dispatcher, 'GET', `/reservations/${id}/history`)).toMatchObject([
      {
        action: 'reassigned',
        before: {
          resourceId: school.plane.id,
          locationId: school.location.id,
          personnel: { instructors: [school.instructor.orgUserId], students: [school.student.orgUserId] },
        },
        after: {
          resourceId: plane.id,
          locationId: plane.location.id,
          personnel: { instructors: [other.orgUserId], students: [school.student.orgUserId] },
        },
      },
    ])
  })

  test('tells who stays of the change, who comes of a booking and who goes of its end', async ({
    api,
    school,
    patch,
    other,
  }) => {
    const id = await bookDual(api, school)
    await clearOutbox(api)
    await patch(school.dispatcher, id, { personnel: { instructors: [seat(other)] } })
    const owed = await owedNotifications(api)
    expect(owed.map(({ kind }) => kind)).toEqual([
      'reservation_changed',
      'reservation_created',
      'reservation_cancelled',
    ])
  })

  test('is judged like a new one: a taken aircraft and a busy instructor refuse it', async ({
    api,
    school,
    patch,
    plane,
    other,
  }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const taken = { ...school, plane, instructor: other, student }
    const there = await bookDual(api, taken)
    const id = await bookDual(api, school)
    const body = { resource: { id: plane.id }, personnel: { instructors: [seat(other)] } }
    const response = await patch(school.dispatcher, id, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().details.problems).toMatchObject([
      { code: 'RESOURCE_CLASH', reservationId: there },
      { code: 'PERSON_CLASH', orgUserId: other.orgUserId, reservationId: there },
    ])
  })

  test('moves to a time at which its new instructor is free, though they are not at the old one', async ({
    api,
    school,
    patch,
    plane,
    other,
  }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    await bookDual(api, { ...school, plane, instructor: other, student })
    const id = await bookDual(api, school)
    const later = { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' }
    const response = await patch(school.dispatcher, id, { ...later, personnel: { instructors: [seat(other)] } })
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().data).toMatchObject({ start: '2026-11-23T14:00:00.000Z' })
  })

  test('loses a resource with null, and a dual its instructor never', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    expect((await patch(school.instructor, id, { resource: null })).json().data).toMatchObject({
      resource: null,
      location: { id: school.location.id },
    })
    expect((await patch(school.instructor, id, { personnel: { instructors: [] } })).json()).toMatchObject({
      code: 'SIDE_LIMIT',
    })
  })

  test('takes the shares of who leaves, and says so while the rest is not the whole', async ({
    api,
    school,
    patch,
  }) => {
    const second = await buildMember(api, school.organizationId, ['student'])
    const personnel = { instructors: [seat(school.instructor)], students: [seat(school.student), seat(second)] }
    const id = await bookDual(api, school, { extra: { personnel } })
    const payers = [school.student, second].map((who) => ({ ...seat(who), percentage: 50 }))
    await expectOk(api, school.dispatcher, 'PUT', `/reservations/${id}/payers`, { payers })
    const response = await patch(school.dispatcher, id, { personnel: { students: [seat(school.student)] } })
    expect(response.json()).toMatchObject({
      data: { payers: [{ orgUserId: school.student.orgUserId }] },
      warnings: [{ rule: 'payers_changed', code: 'PAYERS_CHANGED', overridable: false }],
    })
  })
})

describe('a reassignment is refused (§Reservations, PATCH)', () => {
  test('with 403 for others on it and other instructors, who still move it', async ({
    api,
    school,
    patch,
    plane,
    other,
  }) => {
    const id = await bookDual(api, school)
    for (const who of [school.student, other]) {
      const response = await patch(who, id, { resource: { id: plane.id } })
      expect(response.statusCode).toBe(403)
      expect(response.json().message).toContain('its creator while on it')
      expect((await patch(who, id, { resource: { id: school.plane.id }, title: 'Same' })).statusCode).toBe(200)
    }
  })

  test('with 403 when a student leaves the booking that they made', async ({ api, school, patch, plane }) => {
    const body = {
      title: 'Solo',
      type: 'solo',
      start: '2026-11-23T10:00:00Z',
      end: '2026-11-23T12:00:00Z',
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel: { students: [seat(school.student)] },
    }
    const { id } = await expectOk<Answer>(api, school.student, 'POST', '/reservations', body)
    expect((await patch(school.student, id, { resource: { id: plane.id } })).statusCode).toBe(200)
    const second = await buildMember(api, school.organizationId, ['student'])
    expect((await patch(school.student, id, { personnel: { students: [seat(second)] } })).statusCode).toBe(403)
  })

  test('with 409 after the ramp-out', async ({ api, school, patch, plane }) => {
    const id = await bookDual(api, school)
    await fly(api, school, id)
    const response = await patch(school.dispatcher, id, { resource: { id: plane.id } })
    expect(response.json()).toMatchObject({ code: 'RESERVATION_RAMPED_OUT' })
  })

  test('with 409 while a package is charged to who would go, until its invoice is void', async ({
    api,
    school,
    patch,
    plane,
  }) => {
    const second = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school)
    const { db } = api.core.database
    await db
      .updateTable('reservation')
      .set({ collection_style: 'prepaid_fixed', prepaid_amount_cents: cents(5_000) })
      .where('id', '=', id)
      .execute()
    const invoiceId = await buildInvoice(api, school, { payer: school.student })
    await db.updateTable('invoice').set({ reservation_id: id }).where('id', '=', invoiceId).execute()
    const other = { personnel: { students: [seat(second)] } }
    expect((await patch(school.dispatcher, id, other)).json()).toMatchObject({ code: 'PREPAID_STANDS' })
    expect((await patch(school.dispatcher, id, { resource: { id: plane.id } })).statusCode).toBe(200)
    await db
      .updateTable('invoice')
      .set({ status: 'void', voided_at: api.clock.now })
      .where('id', '=', invoiceId)
      .execute()
    expect((await patch(school.dispatcher, id, other)).statusCode).toBe(200)
  })

  test('with 400 for a resource, location or member of another organization', async ({ api, school, patch }) => {
    const id = await bookDual(api, school)
    for (const body of [{ resource: { id: 2_000_000 } }, { location: { id: 2_000_000 } }]) {
      expect((await patch(school.dispatcher, id, body)).statusCode).toBe(400)
    }
    const stranger = { personnel: { students: [{ orgUserId: 2_000_000 }] } }
    expect((await patch(school.dispatcher, id, stranger)).json().message).toContain('personnel.students.0.orgUserId')
  })
})
