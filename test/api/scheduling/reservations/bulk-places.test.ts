import { describe, expect } from 'vitest'
import { bookingsChanged } from '../../../../src/shared/communication/notifications/templates/bulk.rules.ts'
import { findDigest } from '../../../../src/shared/workflows/bulk-digest.queries.ts'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { bulk, type OperationRowAnswer } from '../../../support/operations.ts'
import { ground } from '../../../support/recoveries.ts'

interface Place {
  start: string
  end: string
  resource: { id: number; name: string } | null
  personnel: { instructors: { orgUserId: number; name: string }[]; guests: { guestId: number; name: string }[] }
}
type Row = OperationRowAnswer & { from: Place; to: Place | null }

const test = schoolTest()
  .extend('plane', ({ api, school }) => buildPlane(api, school))
  .extend('second', ({ api, school }) => buildMember(api, school.organizationId, ['instructor']))

const rowsOf = async (api: TestApp, school: School, body: object) =>
  (await bulk(api, school.dispatcher, body)).rows as Row[]

/** Returns the lines of the mail to a member about a bulk. */
async function linesTo(api: TestApp, school: School, operationId: number, { orgUserId }: Member): Promise<string[]> {
  const of = { organizationId: school.organizationId, operationId }
  const bookings = await findDigest(api.core.database.db, of, { orgUserId, guestId: null })
  return bookingsChanged({ operationId, bookings }).mail.paragraphs.slice(1)
}

describe('the rows of a bulk change (§Reservations, POST /reservations/bulk)', () => {
  test('say where each booking was and where it goes, in a dry run as in earnest', async ({
    api,
    school,
    plane,
    second,
  }) => {
    const id = await bookDual(api, school)
    const instructors = [{ orgUserId: second.orgUserId }]
    const changes = [
      {
        id,
        start: '2026-11-23T13:00:00Z',
        end: '2026-11-23T15:00:00Z',
        resource: { id: plane.id },
        personnel: { instructors },
      },
    ]
    const [shown] = await rowsOf(api, school, { action: { changes }, dryRun: true })
    expect(shown).toMatchObject({
      outcome: 'done',
      from: {
        start: '2026-11-23T10:00:00.000Z',
        end: '2026-11-23T12:00:00.000Z',
        resource: { id: school.plane.id, name: school.plane.name },
        personnel: {
          instructors: [{ orgUserId: school.instructor.orgUserId }],
          students: [{ orgUserId: school.student.orgUserId }],
        },
      },
      to: {
        start: '2026-11-23T13:00:00.000Z',
        end: '2026-11-23T15:00:00.000Z',
        resource: { id: plane.id, name: plane.name },
        personnel: {
          instructors: [{ orgUserId: second.orgUserId, name: expect.any(String) }],
          students: [{ orgUserId: school.student.orgUserId }],
        },
      },
    })
    expect(await expectOk(api, school.student, 'GET', `/reservations/${id}`)).toMatchObject({
      resource: { id: school.plane.id },
    })
    const [done] = await rowsOf(api, school, { action: { changes } })
    expect([done!.from, done!.to]).toEqual([shown!.from, shown!.to])
    const [again] = await rowsOf(api, school, { action: { changes } })
    expect(again).toMatchObject({ outcome: 'unchanged', from: shown!.to, to: null })
  })

  test('have no new place when the booking is cancelled, refused or left as it is by an atomic bulk', async ({
    api,
    school,
    plane,
  }) => {
    const [flown, kept] = [
      await bookDual(api, school),
      await bookDual(api, { ...school, plane }, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }),
    ]
    api.clock.now = new Date('2026-11-23T09:50:00Z')
    await fly(api, school, flown)
    const ids = [flown, kept]
    const rows = await rowsOf(api, school, { ids, action: { move: { minutes: 60 } }, atomic: true })
    expect(rows).toMatchObject([
      { outcome: 'refused', from: { resource: { id: school.plane.id } }, to: null },
      { outcome: 'unchanged', from: { start: '2026-11-24T10:00:00.000Z' }, to: null },
    ])
    const [cancelled] = await rowsOf(api, school, {
      ids: [kept],
      action: { cancel: { reason: 'Fog', category: 'weather' } },
    })
    expect(cancelled).toMatchObject({ outcome: 'done', from: { resource: { id: plane.id } }, to: null })
  })

  test('name guests, and in a dry run leave out those who are not known yet', async ({ api, school }) => {
    const intro = {
      ...dualBody(school),
      type: 'guest',
      personnel: { instructors: [{ orgUserId: school.instructor.orgUserId }], guests: [{ name: 'Gus Guest' }] },
    }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', intro)
    const changes = [{ id, personnel: { guests: [{ name: 'Gina Guest' }] } }]
    const [shown] = await rowsOf(api, school, { action: { changes }, dryRun: true })
    expect(shown).toMatchObject({ outcome: 'done', from: { personnel: { guests: [{ name: 'Gus Guest' }] } } })
    expect(shown!.to!.personnel.guests).toEqual([])
    const [done] = await rowsOf(api, school, { action: { changes } })
    expect(done!.to!.personnel.guests).toEqual([{ guestId: expect.any(Number), name: 'Gina Guest' }])
  })
})

describe('the digest of a bulk change', () => {
  test('names the new time, aircraft and people, to each person what it means for them', async ({
    api,
    school,
    plane,
    second,
  }) => {
    const id = await bookDual(api, school)
    const changes = [
      {
        id,
        start: '2026-11-23T13:00:00Z',
        end: '2026-11-23T15:00:00Z',
        resource: { id: plane.id },
        personnel: { instructors: [{ orgUserId: second.orgUserId }] },
      },
    ]
    const { operation, rows } = await bulk(api, school.dispatcher, { action: { changes } })
    const { from, to } = rows[0] as Row
    const [before, after] = [from.personnel.instructors[0]!.name, to!.personnel.instructors[0]!.name]
    const was = 'Lesson 4: stalls, Mon, Nov 23, 2026, 10:00–12:00 UTC'
    const now = `now Mon, Nov 23, 2026, 13:00–15:00 UTC, on ${plane.name}`
    expect(await linesTo(api, school, operation.id, school.student)).toEqual([
      `${was}: ${now}, with ${after}, without ${before}`,
    ])
    expect(await linesTo(api, school, operation.id, school.instructor)).toEqual([`${was}: you are no longer on it`])
    expect(await linesTo(api, school, operation.id, second)).toEqual([
      `${was}: you are on it now, ${now}, without ${before}`,
    ])
    const moved = await bulk(api, school.dispatcher, { ids: [id], action: { move: { minutes: 60 } } })
    expect(await linesTo(api, school, moved.operation.id, school.student)).toEqual([
      'Lesson 4: stalls, Mon, Nov 23, 2026, 13:00–15:00 UTC: now Mon, Nov 23, 2026, 14:00–16:00 UTC',
    ])
  })

  test('of a row that version 0.1.0 wrote tells the new time', async ({ api, school }) => {
    const id = await bookDual(api, school)
    const { operation } = await bulk(api, school.dispatcher, { ids: [id], action: { move: { minutes: 60 } } })
    await api.core.database.pool.query(
      `update operation_row set detail = detail - 'resourceId' - 'personnel' where operation_id = $1`,
      [operation.id],
    )
    expect(await linesTo(api, school, operation.id, school.student)).toEqual([
      'Lesson 4: stalls, Mon, Nov 23, 2026, 10:00–12:00 UTC: now Mon, Nov 23, 2026, 11:00–13:00 UTC',
    ])
    const [row] = await expectOk<Row[]>(api, school.dispatcher, 'GET', `/operations/${operation.id}/rows`)
    expect(row).toMatchObject({ outcome: 'done' })
    expect(row).not.toHaveProperty('from')
  })
})

describe('a reassignment to several instructors', () => {
  test('gives each booking the first who is accepted, on the first aircraft that is', async ({
    api,
    school,
    plane,
    second,
  }) => {
    const first = await bookDual(api, school)
    const student = await buildMember(api, school.organizationId, ['student'])
    const busy = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, student, instructor: busy, plane })
    const instructorOrgUserIds = [busy.orgUserId, second.orgUserId]
    const resources = [{ id: plane.id }, { id: school.plane.id }]
    const [row] = await rowsOf(api, school, { ids: [first], action: { reassign: { instructorOrgUserIds, resources } } })
    expect(row).toMatchObject({
      outcome: 'done',
      to: { resource: { id: school.plane.id }, personnel: { instructors: [{ orgUserId: second.orgUserId }] } },
    })
  })

  test.for([
    ['one and several', { instructorOrgUserId: 1, instructorOrgUserIds: [1] }, 'instructorOrgUserIds'],
    [
      'more than 50 combinations',
      { instructorOrgUserIds: [1, 2, 3, 4, 5, 6], resources: Array.from({ length: 9 }, () => ({ id: 1 })) },
      '50',
    ],
  ] as const)('is refused with %s', async ([_, reassign, said], { api, school }) => {
    const refused = await api.as(school.dispatcher).post('/reservations/bulk', { ids: [1], action: { reassign } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain(said)
  })

  test('names the one who does not instruct, and the aircraft that is unknown', async ({ api, school }) => {
    const ids = [await bookDual(api, school)]
    const message = async (reassign: object) => {
      const refused = await api.as(school.dispatcher).post('/reservations/bulk', { ids, action: { reassign } })
      expect(refused.statusCode).toBe(400)
      return refused.json().message as string
    }
    const { instructor, student } = school
    expect(await message({ instructorOrgUserIds: [instructor.orgUserId, student.orgUserId] })).toContain(
      'action.reassign.instructorOrgUserIds.1: ',
    )
    expect(await message({ instructorOrgUserId: student.orgUserId })).toContain('action.reassign.instructorOrgUserId: ')
    expect(await message({ resources: [{ id: 999_999_999 }] })).toContain('action.reassign.resources.0.id: ')
    expect(await message({ resource: { id: 999_999_999 } })).toContain('action.reassign.resource.id: ')
  })
})

describe('a reassignment to a pool', () => {
  test('gives each booking the resource with the least booked hours that is accepted', async ({
    api,
    school,
    plane,
  }) => {
    const third = await buildPlane(api, school)
    const ids = [plane.id, third.id]
    await api.core.database.pool.query(`update resource set pool = '172' where id = any($1)`, [ids])
    const student = await buildMember(api, school.organizationId, ['student'])
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(
      api,
      { ...school, student, instructor, plane },
      { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' },
    )
    const id = await bookDual(api, school)
    const [row] = await rowsOf(api, school, { ids: [id], action: { reassign: { pool: '172' } } })
    expect(row).toMatchObject({ outcome: 'done', to: { resource: { id: third.id } } })
    const unknown = await api
      .as(school.dispatcher)
      .post('/reservations/bulk', { ids: [id], action: { reassign: { pool: 'none' } } })
    expect(unknown.statusCode).toBe(400)
    expect(unknown.json().message).toContain('action.reassign.pool')
  })

  test.for<[string, string, object]>([
    ['costs no more', 'wet_rate_cents = 18000', { outcome: 'done' }],
    ['costs more', 'wet_rate_cents = 18001', { outcome: 'refused', problems: [{ code: 'CONSENT_NEEDED' }] }],
  ])('moves a booking within its pool to an aircraft that %s: %s', async ([, change, row], { api, school, plane }) => {
    const { pool } = api.core.database
    await pool.query(`update resource set pool = '172', wet_rate_cents = 18000 where id = any($1)`, [
      [school.plane.id, plane.id],
    ])
    await pool.query(`update resource set ${change} where id = $1`, [plane.id])
    const id = await bookDual(api, school)
    const body = { ids: [id], action: { reassign: { pool: '172' } } }
    await bookDual(
      api,
      { ...school, plane: school.plane },
      { start: '2026-11-23T14:00:00Z', end: '2026-11-23T16:00:00Z' },
    )
    // Where the present aircraft can stay, it does, or the other one of the pool is free of consent.
    expect((await rowsOf(api, school, { ...body, dryRun: true }))[0]).toMatchObject({ outcome: 'done' })
    await ground(api, school)
    expect((await rowsOf(api, school, body))[0]).toMatchObject(row)
    if (!('problems' in row)) return
    // The desk may still name the aircraft.
    const named = { ids: [id], action: { reassign: { resource: { id: plane.id } } } }
    expect((await rowsOf(api, school, named))[0]).toMatchObject({ outcome: 'done' })
  })
})
