import { describe, expect } from 'vitest'
import { chargeFeesDue } from '../../../../src/shared/billing/fees/charge-due-fees.ts'
import { chargeWhenDue } from '../../../../src/shared/billing/fees/charge-fee.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { findDesk } from '../../../../src/shared/scheduling/at-risk/at-risk.queries.ts'
import { judgeAhead } from '../../../../src/shared/scheduling/at-risk/judge-ahead.ts'
import { emptyObjections } from '../../../../src/shared/workflows/erase-references.access.ts'
import { buildMember, type Member, writeSettings } from '../../../support/builders.ts'
import { bookOnTerms, FEES, type OnTerms, readOnTerms } from '../../../support/fees.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, setRates } from '../../../support/flights.ts'
import { buildManaged } from '../../../support/managed.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-11-23T10:00:00Z')

const test = schoolTest({ school: { settings: FEES as never } })
  /** Goes to so many hours before the start. */
  .extend('goTo', ({ api }) => (hours: number): void => {
    api.clock.now = new Date(START.getTime() - hours * HOUR_MS)
  })
  .extend('cancel', ({ api }) => async (who: Member, id: number, body: object = {}) => {
    const response = await api
      .as(who)
      .delete(`/reservations/${id}`, { reason: 'Cannot come', category: 'student', ...body })
    expect(response.statusCode, response.body).toBe(204)
  })
  .extend('fee', ({ api, school }) => async (id: number, who: Member = school.student): Promise<OnTerms['fee']> => {
    return (await readOnTerms(api, who, id)).fee
  })
  .extend(
    'decide',
    ({ api }) =>
      (who: Member, id: number, action: string, reason = 'Talked to them') =>
        api.as(who).post(`/reservations/${id}/fee`, { action, reason }),
  )
  /** A dual that the student cancelled an hour before its start. */
  .extend('late', ({ api, school, goTo, cancel }) => async (): Promise<number> => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(1)
    await cancel(school.student, id)
    return id
  })
  /** Runs the job of the fee of a booking. */
  .extend('chargeDue', ({ api, school }) => async (reservationId: number): Promise<void> => {
    const { db } = api.core.database
    const { id: feeId } = await db
      .selectFrom('cancellation_fee')
      .select('id')
      .where('reservation_id', '=', reservationId)
      .executeTakeFirstOrThrow()
    const { organizationId } = school
    const { database, clock } = api.core
    await inTransaction(database, clock, (tx) => chargeWhenDue(tx, { organizationId, reservationId, feeId }))
  })
  .extend(
    'invoices',
    ({ api, school }) =>
      () =>
        expectOk<{ id: number; totalCents: number; items: { kind: string; description: string }[] }[]>(
          api,
          school.admin,
          'GET',
          '/invoices',
        ),
  )

describe('the terms of a booking (§29.1)', () => {
  test('are read before it is booked, and on it by those concerned', async ({ api, school, goTo }) => {
    goTo(40)
    await setRates(api, school, 15_000)
    const terms = { freeUntil: '2026-11-22T10:00:00.000Z', afterwardsCents: 5_000 }
    const check = await expectOk<OnTerms>(api, school.student, 'POST', '/reservations/check', dualBody(school))
    expect(check.cancellationTerms).toEqual(terms)
    const id = await bookOnTerms(api, school)
    for (const who of [school.student, school.instructor, school.dispatcher]) {
      expect((await readOnTerms(api, who, id)).cancellationTerms).toEqual(terms)
    }
    expect((await readOnTerms(api, school.renter, id)).cancellationTerms).toBeNull()
  })

  test('cost nothing to who was booked by others inside them, for as long as that may be taken back', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    await setRates(api, school, 15_000)
    const { dispatcher, student } = school
    const make = async (hours: number) => {
      goTo(hours)
      return (await expectOk<{ id: number }>(api, dispatcher, 'POST', '/reservations', dualBody(school))).id
    }
    const owedAt = async (id: number, hours: number) => {
      goTo(hours)
      await cancel(student, id)
      return (await fee(id))?.cents ?? null
    }
    const late = await make(5)
    const terms = { freeUntil: '2026-11-23T08:00:00.000Z', afterwardsCents: 5_000 }
    expect((await readOnTerms(api, student, late)).cancellationTerms).toEqual(terms)
    expect(await owedAt(late, 2)).toBeNull()
    expect(await owedAt(await make(5), 1)).toBe(5_000)
    // There was free time.
    expect(await owedAt(await make(24), 20)).toBe(5_000)
    expect(await owedAt(await make(23), 20)).toBeNull()
    // The student gave it another time.
    const moved = await make(8)
    await expectOk(api, student, 'PATCH', `/reservations/${moved}`, {
      start: '2026-11-23T11:00:00Z',
      end: '2026-11-23T13:00:00Z',
    })
    expect(await owedAt(moved, 5)).toBe(5_000)
    // The desk moved into the window what the student had booked.
    goTo(40)
    const brought = await bookOnTerms(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
    goTo(8)
    await expectOk(api, dispatcher, 'PATCH', `/reservations/${brought}`, {
      start: START.toISOString(),
      end: '2026-11-23T12:00:00Z',
    })
    expect(await owedAt(brought, 5)).toBeNull()
  })

  test('cost nothing to who was seated by the desk inside them, and still to who had booked', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    const friend = await buildMember(api, school.organizationId, ['student'])
    const seat = (id: number, students: { orgUserId: number }[]) =>
      expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, { personnel: { students } })
    goTo(40)
    const handedOver = await bookOnTerms(api, school)
    goTo(6)
    await seat(handedOver, [friend])
    goTo(5)
    await cancel(friend, handedOver)
    expect(await fee(handedOver, school.admin)).toBeNull()
    goTo(40)
    const early = await bookOnTerms(api, school)
    await seat(early, [friend])
    goTo(5)
    await cancel(friend, early)
    expect(await fee(early, school.admin)).toMatchObject({ cents: 5_000 })
    goTo(40)
    const joined = await bookOnTerms(api, school)
    goTo(6)
    await seat(joined, [school.student, friend])
    goTo(5)
    await cancel(school.student, joined)
    expect(await fee(joined, school.admin)).toMatchObject({ cents: 5_000 })
  })

  test('are not left to somebody else: a payer cannot leave the seat', async ({ api, school, goTo }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    const { orgUserId } = await buildMember(api, school.organizationId, ['student'])
    goTo(3)
    const left = await api.as(school.student).patch(`/reservations/${id}`, { personnel: { students: [{ orgUserId }] } })
    expect(left.statusCode, left.body).toBe(403)
  })

  test('stay those of when it was booked; later settings only lower them', async ({ api, school, goTo }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    const cost = async () => (await readOnTerms(api, school.student, id)).cancellationTerms?.afterwardsCents ?? 0
    const set = (cents: number) =>
      writeSettings(api, school.organizationId, { cancellationFees: [{ underHours: 48, kind: 'flat', cents }] })
    await set(9_000)
    expect(await cost()).toBe(5_000)
    await set(1_000)
    expect(await cost()).toBe(1_000)
    await writeSettings(api, school.organizationId, { cancellationFees: [] })
    expect(await cost()).toBe(0)
  })

  test('stay when the payer changes the flight rules, which is no move', async ({ api, school, goTo }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    const raised = { cancellationFees: [{ underHours: 24, kind: 'flat', cents: 9_000 }] }
    await writeSettings(api, school.organizationId, raised as never)
    await expectOk(api, school.student, 'PATCH', `/reservations/${id}`, { ifr: true })
    expect((await readOnTerms(api, school.student, id)).cancellationTerms?.afterwardsCents).toBe(5_000)
  })

  test('are none of a ground lesson that was given', async ({ api, school, goTo }) => {
    goTo(40)
    const id = await bookOnTerms(api, school, { type: 'ground', resource: null })
    expect((await readOnTerms(api, school.student, id)).cancellationTerms).not.toBeNull()
    goTo(-3)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`, { briefing: 2 })
    const lesson = await readOnTerms(api, school.student, id)
    expect(lesson).toMatchObject({ status: 'ramped_in', cancellationTerms: null })
  })

  test('are none of a booking from before there were fees', async ({ api, school, goTo, cancel, fee }) => {
    await writeSettings(api, school.organizationId, { cancellationFees: [] })
    goTo(40)
    const id = await bookOnTerms(api, school)
    await writeSettings(api, school.organizationId, FEES)
    expect((await readOnTerms(api, school.student, id)).cancellationTerms).toBeNull()
    goTo(1)
    await cancel(school.student, id)
    expect(await fee(id)).toBeNull()
  })

  test('stay when the payer moves it late, and its notice counts from the start that it had', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(3)
    const later = { start: '2026-12-14T10:00:00Z', end: '2026-12-14T12:00:00Z' }
    await expectOk(api, school.student, 'PATCH', `/reservations/${id}`, later)
    await cancel(school.student, id)
    expect(await fee(id)).toMatchObject({ cents: 5_000, status: 'proposed' })
  })

  test('stay when the payer shortens it late, and follow when the desk does', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    for (const [who, cents] of [
      [school.student, 5_000],
      [school.dispatcher, 3_300],
    ] as const) {
      goTo(40)
      const id = await bookOnTerms(api, school)
      goTo(3)
      for (const end of ['2026-11-23T11:00:00Z', '2026-11-23T10:06:00Z']) {
        await expectOk(api, who, 'PATCH', `/reservations/${id}`, { end })
      }
      expect((await readOnTerms(api, school.student, id)).cancellationTerms?.afterwardsCents).toBe(cents)
      await cancel(school.student, id)
      expect(await fee(id)).toMatchObject({ cents, status: 'proposed' })
    }
  })

  test('follow the new start when the desk moves it', async ({ api, school, goTo, cancel, fee }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(3)
    const later = { start: '2026-12-14T10:00:00Z', end: '2026-12-14T12:00:00Z' }
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, later)
    await cancel(school.student, id)
    expect(await fee(id)).toBeNull()
  })

  test.for([
    [{ underHours: 0, kind: 'flat', cents: 5_000 }, 'settings.cancellationFees.0.underHours: must be at least 1'],
    [{ underHours: 24, kind: 'flat', cents: 49 }, 'settings.cancellationFees.0.cents: must be at least 50'],
    [{ underHours: 24, kind: 'share', bps: 10_001 }, 'settings.cancellationFees.0.bps: must be at most 10000'],
    [
      { underHours: 24, kind: 'flat', cents: 500, categories: ['weather'] },
      'settings.cancellationFees.0.categories: names a category that never costs',
    ],
  ] as const)('refuse %j', async ([rule, message], { api, school }) => {
    const settings = { cancellationFees: [rule] }
    const response = await api.as(school.owner).patch('/organizations', { settings })
    expect(response.json()).toMatchObject({ message })
  })
})

describe('the fee of a late cancellation (§29.2)', () => {
  test('is proposed to the payer with when it is charged; instructors do not see it', async ({ school, late, fee }) => {
    const id = await late()
    const proposed = { cents: 5_000, status: 'proposed', chargeAt: '2026-11-24T09:00:00.000Z', invoiceId: null }
    expect(await fee(id)).toMatchObject(proposed)
    expect(await fee(id, school.dispatcher)).toMatchObject(proposed)
    expect(await fee(id, school.instructor)).toBeNull()
  })

  test('is none a day before, and none when the instructor or the desk cancels', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    goTo(40)
    const early = await bookOnTerms(api, school)
    goTo(24)
    await cancel(school.student, early)
    expect(await fee(early)).toBeNull()
    for (const who of [school.instructor, school.dispatcher]) {
      goTo(40)
      const id = await bookOnTerms(api, school)
      goTo(1)
      await cancel(who, id)
      expect(await fee(id)).toBeNull()
    }
  })

  test('is the desk’s choice in the payer’s name, in a category that costs', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(1)
    const asked = { reason: 'Called', category: 'weather', forPayer: true }
    expect((await api.as(school.dispatcher).delete(`/reservations/${id}`, asked)).json()).toMatchObject({
      message: 'category: costs nothing; leave out forPayer',
    })
    const theirs = await api.as(school.instructor).delete(`/reservations/${id}`, { ...asked, category: 'student' })
    expect(theirs.statusCode).toBe(403)
    await cancel(school.dispatcher, id, { forPayer: true })
    expect(await fee(id)).toMatchObject({ cents: 5_000, status: 'proposed' })
  })

  test('is 0 in a free category, for the desk to see, and the third in 90 days is marked', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
    chargeDue,
    invoices,
  }) => {
    const marks: (boolean | undefined)[] = []
    for (const _ of [1, 2, 3]) {
      goTo(40)
      const id = await bookOnTerms(api, school)
      goTo(1)
      await cancel(school.student, id, { category: 'weather' })
      expect(await fee(id)).toBeNull()
      const seen = await fee(id, school.dispatcher)
      expect(seen).toMatchObject({ cents: 0, status: 'proposed' })
      marks.push(seen?.often)
      goTo(-30)
      await chargeDue(id)
      expect(await fee(id, school.dispatcher)).toMatchObject({ cents: 0, status: 'waived' })
    }
    expect(marks).toEqual([false, false, true])
    expect(await invoices()).toEqual([])
  })

  test('is none of a booking that a rule blocks', async ({ api, school, goTo, cancel, fee }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    await api.core.database.pool.query(
      `insert into reservation_at_risk (organization_id, reservation_id, since, rules, causes, for_desk, for_others, digest)
       values ($1, $2, now(), '["resource_grounded"]', '[]', '[]', '[]', 'x')`,
      [school.organizationId, id],
    )
    goTo(1)
    await cancel(school.student, id)
    expect(await fee(id)).toBeNull()
  })

  test('is none of a place of a series that somebody agreed to in the payer’s name', async ({
    api,
    school,
    goTo,
    fee,
  }) => {
    goTo(40)
    const body = dualBody(school, { extra: { recurrence: { frequency: 'daily', count: 2 } } })
    const booked = await expectOk<{ id: number; series: { id: number } }[]>(
      api,
      school.student,
      'POST',
      '/reservations',
      body,
    )
    const { id, series } = booked[0]!
    goTo(3)
    await api.core.database.pool.query(
      `insert into event (organization_id, id, at, kind, actor_kind, membership_id, subject_kind, subject_id, after)
       values ($1, gen_random_uuid(), $2, 'reservation.consent_given', 'person', $3, 'reservation', $4, $5)`,
      [
        school.organizationId,
        api.clock.now,
        school.dispatcher.orgUserId,
        id,
        { onBehalfOf: school.student.orgUserId, how: 'phone' },
      ],
    )
    const why = { reason: 'Cannot come', category: 'student' }
    const answer = await api.as(school.student).delete(`/reservations/series/${series.id}`, why)
    expect(answer.statusCode, answer.body).toBe(204)
    expect(await fee(id)).toBeNull()
  })

  test('is owed by a payer who takes time off over the booking', async ({ api, school, goTo, cancel, fee }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(1)
    const timeOff = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }
    await expectOk(api, school.student, 'POST', '/availability/timeOff', timeOff)
    const desk = await findDesk(api.core.database.db, school.organizationId)
    const [found] = await judgeAhead(api.core.database.db, desk!, api.clock.now, [id])
    await api.core.database.pool.query(
      `insert into reservation_at_risk (organization_id, reservation_id, since, rules, causes, for_desk, for_others, digest)
       values ($1, $2, now(), $3, '[]', $4, '[]', 'x')`,
      [school.organizationId, id, JSON.stringify(found!.flag.rules), JSON.stringify(found!.flag.forDesk)],
    )
    expect(found!.flag.rules).toEqual(['availability'])
    await cancel(school.student, id)
    expect(await fee(id)).toMatchObject({ cents: 5_000, status: 'proposed' })
  })

  test('is charged once by its job after the time for review, on an invoice of its own', async ({
    api,
    school,
    late,
    goTo,
    fee,
    chargeDue,
    invoices,
  }) => {
    const id = await late()
    goTo(-22)
    await chargeDue(id)
    expect(await fee(id)).toMatchObject({ status: 'proposed' })
    goTo(-24)
    await Promise.all([1, 2, 3, 4].map(() => chargeDue(id)))
    const [invoice, ...others] = await invoices()
    expect(others).toEqual([])
    expect(invoice).toMatchObject({ totalCents: 5_000, items: [{ kind: 'cancellation_fee' }] })
    expect(await fee(id)).toMatchObject({ status: 'charged', invoiceId: invoice?.id, chargeAt: null })
    const note = { amountCents: 5_000, reason: 'Goodwill', refund: 'none' }
    await api.core.database.pool.query(`update invoice set status = 'open', number = 1 where id = $1`, [invoice?.id])
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice?.id}/creditNotes`, note)
    expect(await fee(id)).toMatchObject({ status: 'credited' })
  })

  test('is swept when its job was lost', async ({ api, late, goTo }) => {
    const id = await late()
    goTo(-24)
    await api.core.database.db.deleteFrom('outbox').execute()
    const { database, clock } = api.core
    await inTransaction(database, clock, chargeFeesDue)
    expect((await inTransaction(database, clock, chargeFeesDue)).result).toBe(0)
    const { rows } = await database.pool.query(
      `select job from outbox where job = 'fees.charge-fee' and (payload ->> 'reservationId')::int = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })

  test('is charged on the ledger of a payer with one', async ({ api, school, late, decide }) => {
    const { pool } = api.core.database
    await pool.query(`update membership set billing_mode = 'ledger' where id = $1`, [school.student.orgUserId])
    const id = await late()
    expect((await decide(school.dispatcher, id, 'charge')).json().data).toMatchObject({ status: 'charged' })
    const { rows } = await pool.query('select kind, amount_cents from ledger_entry where membership_id = $1', [
      school.student.orgUserId,
    ])
    expect(rows).toEqual([{ kind: 'invoice_charge', amount_cents: -5_000 }])
  })

  test('is decided once, and not by those whose money it is', async ({ api, school, late, decide, fee, invoices }) => {
    const id = await late()
    expect((await decide(school.instructor, id, 'waive')).statusCode).toBe(403)
    expect((await decide(school.student, id, 'waive')).statusCode).toBe(403)
    expect((await decide(school.dispatcher, id, 'object')).statusCode).toBe(403)
    await api.core.database.pool.query('update membership set dispatcher = true where id = $1', [
      school.student.orgUserId,
    ])
    expect((await decide(school.student, id, 'waive')).json()).toMatchObject({ code: 'OWN_MONEY' })
    const answers = await Promise.all(
      [school.owner, school.admin, school.dispatcher].flatMap((who) => [
        decide(who, id, 'waive'),
        decide(who, id, 'charge'),
      ]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409])
    const refused = answers.find(({ statusCode }) => statusCode === 409)!
    const { status } = (await fee(id))!
    expect(refused.json()).toMatchObject({ code: 'FEE_DECIDED', details: { status } })
    expect(await invoices()).toHaveLength(status === 'charged' ? 1 : 0)
  })

  test('waits for the desk when the payer objects, once', async ({
    school,
    late,
    decide,
    fee,
    goTo,
    chargeDue,
    invoices,
    api,
  }) => {
    const id = await late()
    const objection = 'The ramp was closed'
    expect((await decide(school.student, id, 'object', objection)).json().data).toMatchObject({
      status: 'objected',
      objection,
    })
    expect((await decide(school.student, id, 'object')).json()).toMatchObject({ code: 'FEE_DECIDED' })
    const toDo = () => expectOk<{ kind: string; subject: { id: number } }[]>(api, school.dispatcher, 'GET', '/todo/me')
    const ofFee = { kind: 'decide_fee', subject: { id } }
    expect(await toDo()).toMatchObject([ofFee])
    goTo(-30)
    await chargeDue(id)
    expect(await invoices()).toEqual([])
    await decide(school.dispatcher, id, 'waive', 'It was')
    expect(await fee(id)).toMatchObject({ status: 'waived', reason: 'It was', objection })
    const { organizationId, student, admin } = school
    const { database, clock } = api.core
    await inTransaction(database, clock, (tx) => emptyObjections(tx, { organizationId, orgUserId: student.orgUserId }))
    expect(await fee(id, admin)).toMatchObject({ status: 'waived', reason: 'It was', objection: '' })
  })

  test('is the bill-to payer’s, who reads it without the category, may object, and gets the invoice', async ({
    api,
    school,
    late,
    decide,
    fee,
    invoices,
  }) => {
    await api.core.database.pool.query(
      'update membership set bill_to_id = $2, bill_to_accepted_at = now() where id = $1',
      [school.student.orgUserId, school.renter.orgUserId],
    )
    const id = await late()
    expect(await readOnTerms(api, school.renter, id)).toMatchObject({ cancellation: null, fee: { cents: 5_000 } })
    expect((await decide(school.renter, id, 'object')).json().data).toMatchObject({ status: 'objected' })
    await decide(school.dispatcher, id, 'charge')
    expect(await invoices()).toMatchObject([{ customer: { orgUserId: school.renter.orgUserId } }])
    expect(await fee(id)).toMatchObject({ status: 'charged' })
  })

  test('is left to the desk when nobody can be sent the invoice', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
    chargeDue,
  }) => {
    const managed = await buildManaged(api, school, { student: true })
    goTo(40)
    await setRates(api, school, 15_000)
    const id = await bookDual(api, school, { students: [managed as Member] })
    goTo(1)
    await cancel(school.dispatcher, id, { forPayer: true })
    goTo(-24)
    await chargeDue(id)
    expect(await fee(id, school.dispatcher)).toMatchObject({
      status: 'proposed',
      chargeAt: null,
      reason: expect.stringContaining('no email address'),
    })
  })

  test('goes with the cancellation when it is restored; a charged one stays, with a warning', async ({
    api,
    school,
    late,
    decide,
    goTo,
    cancel,
    chargeDue,
    invoices,
  }) => {
    const id = await late()
    const restore = () => api.as(school.dispatcher).post(`/reservations/${id}/restore`)
    expect((await restore()).json()).toMatchObject({ data: { status: 'booked', fee: null } })
    goTo(-30)
    await chargeDue(id)
    expect(await invoices()).toEqual([])
    goTo(1)
    await cancel(school.student, id)
    await decide(school.dispatcher, id, 'charge')
    expect((await restore()).json()).toMatchObject({
      data: { status: 'booked', fee: null },
      warnings: [{ rule: 'cancellation_fee', code: 'CANCELLATION_FEE' }],
    })
    expect(await invoices()).toHaveLength(1)
  })

  test('is answered to a booking without one, and to one that is not there, by 404', async ({
    api,
    school,
    decide,
  }) => {
    const id = await bookDual(api, school)
    expect((await decide(school.dispatcher, id, 'waive')).statusCode).toBe(404)
    expect((await decide(school.dispatcher, 2_000_000_000, 'waive')).statusCode).toBe(404)
  })

  test('of 0 cannot be charged', async ({ api, school, goTo, cancel, decide }) => {
    goTo(40)
    const id = await bookOnTerms(api, school)
    goTo(1)
    await cancel(school.student, id, { category: 'weather' })
    expect((await decide(school.dispatcher, id, 'charge')).statusCode).toBe(400)
  })

  test('stands in the report of cancellations and in the audit log', async ({ api, school, late, decide }) => {
    const id = await late()
    await decide(school.dispatcher, id, 'charge')
    const url = '/reports/cancellations?startDate=2026-11-01&endDate=2026-11-30'
    expect(await expectOk(api, school.dispatcher, 'GET', url)).toMatchObject([
      { category: 'student', feesProposed: 0, feesWaived: 0, feesCharged: 1, chargedCents: 5_000 },
    ])
    expect(await expectOk(api, school.instructor, 'GET', url)).toMatchObject([{ feesCharged: 1, chargedCents: null }])
    const log = await expectOk<{ action: string }[]>(api, school.admin, 'GET', `/audit?subject=reservation:${id}`)
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['fee.proposed', 'fee.charged']))
  })

  test('is none where an outage of the service kept the payer from cancelling in time', async ({
    api,
    school,
    goTo,
    cancel,
    fee,
  }) => {
    // The service stood still from 09:00 to 09:59 on Sunday; the free time ended at 10:00 and so lasts until 11:29.
    await api.core.database.pool.query(
      `insert into service_uptime (started_at, seen_at) values
        ('2026-11-19T00:00Z', '2026-11-22T09:00Z'), ('2026-11-22T09:59Z', '2026-11-22T11:31Z')`,
    )
    try {
      for (const [hours, expected] of [
        [22.55, null],
        [22.48, { cents: 5_000 }],
      ] as const) {
        goTo(40)
        const id = await bookOnTerms(api, school)
        goTo(hours)
        const { cancellationTerms } = await readOnTerms(api, school.student, id)
        expect(cancellationTerms?.freeUntil).toBe('2026-11-22T11:29:00.000Z')
        await cancel(school.student, id)
        if (expected === null) expect(await fee(id)).toBeNull()
        else expect(await fee(id)).toMatchObject(expected)
      }
    } finally {
      await api.core.database.pool.query('delete from service_uptime')
    }
  })
})
