import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'

interface Corrected {
  hobbsTimeOut: number
  hobbsTimeIn: number
  correctedAfterSigning: { objections: { orgUserId: number; note: string; closedAt: string | null }[] } | null
}

const DAY_MS = 86_400_000

/** A dual flight of 1.4 h that is billed, and corrected to 1.1 h by an admin. */
const test = schoolTest()
  .extend('read', ({ api, school }) => (id: number, who: Member = school.admin) => {
    return expectOk<Corrected>(api, who, 'GET', `/reservations/${id}`)
  })
  .extend('correct', ({ api, school, read }) => async (id: number, hours: number, who = school.admin) => {
    const { hobbsTimeOut } = await read(id)
    const readings = { hobbsTimeOut, hobbsTimeIn: Math.round((hobbsTimeOut + hours) * 100) / 100 }
    const body = { readings, reason: 'Read wrong', refund: 'none' }
    // No job issues invoices here.
    await api.core.database.pool.query(
      `update invoice set status = 'open', number = id where reservation_id = $1 and status = 'pending'`,
      [id],
    )
    await expectOk(api, who, 'POST', `/reservations/${id}/correct`, body)
  })
  .extend('flight', async ({ api, school, correct }) => {
    await setRates(api, school)
    const id = await closedOutFlight(api, school)
    await expectOk(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    await correct(id, 1.1)
    return id
  })
  .extend('object', ({ api, flight }) => async (who: Member, body: object = {}) => {
    const answer = await api.as(who).post(`/reservations/${flight}/objections`, { note: 'It was 1.4 h', ...body })
    return { status: answer.statusCode, ...answer.json() }
  })
  .extend('close', ({ api, flight }) => async (who: Member) => {
    const reason = { reason: 'The photo of the meter shows 1.1 h' }
    const answer = await api.as(who).post(`/reservations/${flight}/objections/close`, reason)
    return { status: answer.statusCode, ...answer.json() }
  })
  .extend('todo', ({ api }) => async (who: Member) => {
    const rows = await expectOk<{ kind: string; subject: { id: number }; action: object }[]>(
      api,
      who,
      'GET',
      '/todo/me',
    )
    return rows.filter(({ kind }) => kind === 'answer_objection')
  })

describe('an objection to a correction (S79)', () => {
  test('of either side stands beside the correction, and is a task of admins until one closes it', async ({
    api,
    school,
    flight,
    object,
    close,
    read,
    todo,
  }) => {
    const { student, instructor, admin, owner, dispatcher } = school
    const before = await read(flight)
    expect((await object(student)).data.objections).toEqual([
      {
        orgUserId: student.orgUserId,
        name: student.name,
        note: 'It was 1.4 h',
        at: expect.any(String),
        closedAt: null,
        closingReason: null,
      },
    ])
    expect(await object(instructor, { note: 'I agree' })).toMatchObject({ status: 200 })
    expect(await object(student)).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' })
    expect(await read(flight)).toMatchObject({ hobbsTimeIn: before.hobbsTimeIn, status: 'invoiced' })
    const action = { method: 'POST', path: `/reservations/${flight}/objections/close` }
    for (const who of [admin, owner]) expect(await todo(who)).toMatchObject([{ subject: { id: flight }, action }])
    expect(await todo(dispatcher)).toEqual([])
    // Nor does the admin who made the correction.
    for (const one of [dispatcher, admin]) expect((await close(one)).status).toBe(403)
    expect((await close(owner)).data.objections).toMatchObject([
      { orgUserId: student.orgUserId, closingReason: 'The photo of the meter shows 1.1 h' },
      { orgUserId: instructor.orgUserId, closingReason: 'The photo of the meter shows 1.1 h' },
    ])
    expect(await todo(admin)).toEqual([])
    expect(await close(owner)).toMatchObject({ status: 409, code: 'NOT_PENDING' })
    const history = await expectOk<object[]>(api, admin, 'GET', `/reservations/${flight}/history`)
    expect(history.slice(-3)).toMatchObject([
      { action: 'objected', by: { orgUserId: student.orgUserId }, reason: 'It was 1.4 h' },
      { action: 'objected', by: { orgUserId: instructor.orgUserId }, reason: 'I agree' },
      {
        action: 'objections_closed',
        by: { orgUserId: owner.orgUserId },
        after: { orgUserIds: [student.orgUserId, instructor.orgUserId] },
      },
    ])
  })

  test('is of those on the flight and its payers alone, within 7 days of the correction', async ({
    api,
    school,
    flight,
    object,
    read,
  }) => {
    const { student, dispatcher, admin, renter, technician, owner } = school
    for (const who of [dispatcher, admin, renter, technician, owner])
      expect(await object(who)).toMatchObject({ status: 403 })
    await api.core.database.pool.query('update invoice set membership_id = $2 where reservation_id = $1', [
      flight,
      renter.orgUserId,
    ])
    const { correctedAfterSigning: whole } = await read(flight)
    expect(whole).toMatchObject({ reason: 'Read wrong', objections: [] })
    expect((await object(student)).data).toMatchObject({ reason: 'Read wrong' })
    // Who pays without being aboard reads the figures, and of reasons and objections their own alone.
    expect((await read(flight, renter)).correctedAfterSigning).toEqual({ ...whole, reason: '' })
    expect((await object(renter, { note: 'Nor do I think so' })).data.objections).toHaveLength(1)
    expect((await read(flight, renter)).correctedAfterSigning?.objections).toMatchObject([
      { note: 'Nor do I think so' },
    ])
    expect((await read(flight)).correctedAfterSigning?.objections).toHaveLength(2)
    api.clock.now = new Date(api.clock.now.getTime() + 7 * DAY_MS)
    expect((await object(school.instructor)).status).toBe(200)
    api.clock.now = new Date(api.clock.now.getTime() + 1)
    expect(await object(student)).toMatchObject({ status: 409, code: 'NOT_PENDING' })
  })

  test('is refused where nothing was corrected', async ({ api, school }) => {
    const id = await closedOutFlight(api, school)
    const answer = await api.as(school.student).post(`/reservations/${id}/objections`, { note: 'It was 1.4 h' })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'NOT_PENDING'])
    const closed = await api.as(school.admin).post(`/reservations/${id}/objections/close`, { reason: 'None' })
    expect([closed.statusCode, closed.json().code]).toEqual([409, 'NOT_PENDING'])
  })

  test('is withdrawn by who made it; an admin who is on the flight closes no other one', async ({
    api,
    school,
    object,
    close,
    todo,
  }) => {
    const { student, instructor, organizationId, owner } = school
    await object(student)
    await object(instructor)
    expect((await close(student)).data.objections).toMatchObject([
      { orgUserId: student.orgUserId, closedAt: expect.any(String) },
      { orgUserId: instructor.orgUserId, closedAt: null },
    ])
    const { pool } = api.core.database
    await pool.query('update membership set admin = true where id = $1', [student.orgUserId])
    expect(await close(student)).toMatchObject({ status: 409 })
    expect(await todo(owner)).toHaveLength(1)
    const stranger = await buildMember(api, organizationId, ['instructor'])
    expect((await close(stranger)).status).toBe(403)
  })

  test('to the first correction stays open after the second, to which each side may object again', async ({
    school,
    flight,
    object,
    correct,
    read,
    close,
  }) => {
    const { student, owner } = school
    await object(student)
    await correct(flight, 1)
    await object(student, { note: 'Nor is this right' })
    const notes = async () => (await read(flight)).correctedAfterSigning?.objections.map(({ note }) => note)
    expect(await notes()).toEqual(['It was 1.4 h', 'Nor is this right'])
    expect((await close(owner)).status).toBe(200)
    expect(await notes()).toEqual(['Nor is this right'])
  })

  test('is closed by nobody who made one of the corrections, while another admin can', async ({
    api,
    school,
    flight,
    object,
    correct,
    close,
  }) => {
    const { student, admin, owner, organizationId } = school
    await object(student)
    await correct(flight, 1, owner)
    const third = await buildMember(api, organizationId, ['admin'])
    for (const who of [admin, owner]) expect((await close(who)).status).toBe(403)
    await api.core.database.pool.query('update membership set admin = false where id = $1', [third.orgUserId])
    expect((await close(admin)).status).toBe(200)
  })

  test('ends with the reopening of the flight', async ({ api, school, flight, object, todo, read }) => {
    const { student, admin, owner } = school
    await object(student)
    const { pool } = api.core.database
    const { rows: invoices } = await pool.query(
      `update invoice set status = 'open' where reservation_id = $1 returning id`,
      [flight],
    )
    for (const { id } of invoices) await expectOk(api, owner, 'POST', `/invoices/${id}/void`, { reason: 'Wrong' })
    await expectOk(api, owner, 'POST', `/reservations/${flight}/reopen`, { reason: 'Let them sign' })
    expect((await read(flight)).correctedAfterSigning).toBeNull()
    expect(await todo(admin)).toEqual([])
    const { rows } = await pool.query('select closed_by from correction_objection where reservation_id = $1', [flight])
    expect(rows).toEqual([{ closed_by: owner.orgUserId }])
  })

  test('of a member without an account is written by desk staff whom the correction does not concern', async ({
    api,
    school,
    flight,
    object,
  }) => {
    const { student, dispatcher, instructor, renter, admin } = school
    const mia = await buildManaged(api, school, { student: true })
    const onBehalfOf = mia.orgUserId
    expect(await object(dispatcher, { onBehalfOf })).toMatchObject({ status: 400 })
    expect(await object(dispatcher, { onBehalfOf: student.orgUserId })).toMatchObject({ status: 400 })
    await api.core.database.pool.query('update invoice set membership_id = $2 where reservation_id = $1', [
      flight,
      onBehalfOf,
    ])
    for (const who of [instructor, renter]) expect((await object(who, { onBehalfOf })).status).toBe(403)
    expect((await object(dispatcher, { onBehalfOf })).data.objections).toMatchObject([{ orgUserId: onBehalfOf }])
    const history = await expectOk<object[]>(api, admin, 'GET', `/reservations/${flight}/history`)
    expect(history.at(-1)).toMatchObject({
      action: 'objected',
      by: { orgUserId: dispatcher.orgUserId },
      after: { onBehalfOf },
    })
  })

  test('of a member who has left is written by desk staff, and loses its words when they are erased', async ({
    api,
    school,
    flight,
    object,
    read,
  }) => {
    const { student, dispatcher, owner } = school
    const { orgUserId, name } = student
    expect((await api.as(owner).delete(`/orgUsers/${orgUserId}?cancelBookings=true`)).statusCode).toBe(204)
    const note = `${name} wrote from ${student.email}: it was 1.4 h`
    expect((await object(dispatcher, { onBehalfOf: orgUserId, note })).data.objections).toMatchObject([{ note }])
    // Erasure waits for open invoices.
    const { pool } = api.core.database
    await pool.query(`update invoice set status = 'void', voided_at = now() where reservation_id = $1`, [flight])
    await expectOk(api, owner, 'POST', `/orgUsers/${orgUserId}/erase`, { reason: 'Asked for it' })
    expect((await read(flight)).correctedAfterSigning?.objections).toMatchObject([
      { orgUserId, name: `Former member ${orgUserId}`, note: '' },
    ])
    // What is written of them later would not be erased again.
    await pool.query('update correction_objection set correction = 2 where reservation_id = $1', [flight])
    expect(await object(dispatcher, { onBehalfOf: orgUserId, note })).toMatchObject({
      status: 400,
      message: 'onBehalfOf: the facts of this member are erased',
    })
  })

  test('is one when a side sends it many times at once', async ({ school, object }) => {
    const all = await Promise.all(Array.from({ length: 8 }, () => object(school.student)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })
})
