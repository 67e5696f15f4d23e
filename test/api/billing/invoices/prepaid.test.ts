import { describe, expect } from 'vitest'
import { hundredths } from '../../../../src/shared/platform/kernel/units.ts'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'

interface Booking {
  id: number
  invoices: { id: number; totalCents: number; paid: boolean; payUrl: string | null }[]
}

const prepaid = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }

const test = billingTest()
  .extend('school', ({ env }) => buildSchool(env.api))

  .extend('book', ({ school, env }) => (who: Member = school.dispatcher): Promise<Booking> => {
    const body = dualBody(school, { start: '2031-11-23T10:00:00Z', end: '2031-11-23T12:00:00Z', extra: prepaid })
    return expectOk<Booking>(env.api, who, 'POST', '/reservations', body)
  })

  /** A booking whose package the processor refused. */
  .extend('bookRefused', ({ env, book }) => async (): Promise<Booking> => {
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    const booking = await book()
    expect(booking.invoices).toEqual([])
    return booking
  })

  .extend(
    'ensure',
    ({ school, env }) =>
      (id: number, who: Member = school.dispatcher) =>
        env.api.as(who).post(`/reservations/${id}/prepaid/ensure`),
  )

  .extend(
    'record',
    ({ school, env }) =>
      (id: number, body: object = { method: 'cash' }, who: Member = school.dispatcher) =>
        env.api.as(who).post(`/reservations/${id}/prepaid/record-offline`, body),
  )

  .extend('atGateway', ({ env }) => async (payUrl: string | null | undefined) => {
    const { invoices } = await env.simulator.everything()
    return invoices.find((invoice) => invoice.hosted_invoice_url === payUrl)
  })

test.afterEach(({ env }) => env.simulator.clearFaults())

describe('ensuring a prepaid package (§Reservations, POST prepaid/ensure)', () => {
  test('raises the package that the processor refused before', async ({ bookRefused, ensure }) => {
    const { id } = await bookRefused()
    const answer = await ensure(id)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.invoices).toMatchObject([{ totalCents: 25_000, paid: false, payUrl: expect.any(String) }])
    expect(answer.json().warnings).toBeUndefined()
  })

  test('raises it once when twenty ask at once', async ({ bookRefused, ensure, env, school }) => {
    const { id } = await bookRefused()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ensure(id)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const { invoices } = await expectOk<Booking>(env.api, school.admin, 'GET', `/reservations/${id}`)
    expect(invoices).toHaveLength(1)
    await env.workers.settled()
    const at = await env.simulator.everything()
    expect(at.invoices.filter(({ metadata }) => metadata?.invoiceId === String(invoices[0]?.id))).toHaveLength(1)
  })

  test('does nothing to a package that stands', async ({ book, ensure }) => {
    const { id, invoices } = await book()
    expect((await ensure(id)).json().data.invoices).toEqual(invoices)
  })

  test('debits a ledger-mode member again whose charge was reversed', async ({ school, env, book, ensure }) => {
    const { orgUserId } = school.student
    await expectOk(env.api, school.admin, 'PATCH', `/orgUsers/${orgUserId}`, { billingMode: 'ledger' })
    const { id } = await book()
    const ledger = () =>
      expectOk<{ id: number; kind: string; amountCents: number }[]>(
        env.api,
        school.admin,
        'GET',
        `/orgUsers/${orgUserId}/ledger`,
      )
    const [charge] = await ledger()
    expect(charge).toMatchObject({ kind: 'prepaid_charge', amountCents: -25_000 })
    await expectOk(env.api, school.admin, 'POST', `/ledger/${charge?.id}/reverse`, { reason: 'Wrong member' })
    await ensure(id)
    expect((await ledger()).map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['prepaid_charge', -25_000],
      ['reversal', 25_000],
      ['prepaid_charge', -25_000],
    ])
  })

  test('an instructor does not debit the account of a student', async ({ school, env, book, ensure }) => {
    const { orgUserId } = school.student
    await expectOk(env.api, school.admin, 'PATCH', `/orgUsers/${orgUserId}`, { billingMode: 'ledger' })
    const body = dualBody(school, { start: '2031-11-24T10:00:00Z', end: '2031-11-24T12:00:00Z', extra: prepaid })
    const solo = { ...body, type: 'solo', personnel: { students: [{ orgUserId }] } }
    for (const asked of [body, solo]) {
      const answer = await env.api.as(school.instructor).post('/reservations', asked)
      expect([answer.statusCode, answer.json().message]).toEqual([403, expect.stringContaining('only desk staff')])
    }
    const path = `/orgUsers/${orgUserId}/ledger`
    expect(await expectOk(env.api, school.admin, 'GET', path)).toEqual([])
    const { id } = await book()
    const [charge] = await expectOk<{ id: number }[]>(env.api, school.admin, 'GET', path)
    await expectOk(env.api, school.admin, 'POST', `/ledger/${charge?.id}/reverse`, { reason: 'Wrong member' })
    expect((await ensure(id, school.instructor)).statusCode).toBe(403)
    expect((await ensure(id)).statusCode).toBe(200)
  })

  test('nobody takes a seat for themself on a booking that they charged to somebody else', async ({ school, env }) => {
    const [renter, clerk] = [
      await buildMember(env.api, school.organizationId, ['renter']),
      await buildMember(env.api, school.organizationId, ['dispatcher', 'renter']),
    ]
    const body = dualBody(school, { start: '2031-11-25T10:00:00Z', end: '2031-11-25T12:00:00Z', extra: prepaid })
    const seats = (...who: Member[]) => ({ renters: who.map(({ orgUserId }) => ({ orgUserId })) })
    const rental = { ...body, type: 'rental', personnel: seats(renter) }
    const { id } = await expectOk<Booking>(env.api, clerk, 'POST', '/reservations', rental)
    const joined = { personnel: seats(renter, clerk) }
    expect((await env.api.as(clerk).patch(`/reservations/${id}`, joined)).statusCode).toBe(403)
    expect((await env.api.as(school.dispatcher).patch(`/reservations/${id}`, joined)).statusCode).toBe(200)
  })

  test('answers 400 when the processor refuses again, and the booking stays', async ({
    bookRefused,
    env,
    ensure,
    school,
  }) => {
    const { id } = await bookRefused()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    const refused = await ensure(id)
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('could not be billed')])
    expect(await expectOk(env.api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'booked' })
  })

  test('answers with a warning while the processor takes longer', async ({ bookRefused, env, school, impatient }) => {
    const { id } = await bookRefused()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const answer = await impatient.as(school.dispatcher).post(`/reservations/${id}/prepaid/ensure`)
    expect([answer.statusCode, answer.json().warnings?.length]).toEqual([200, 1])
    await env.simulator.met()
    await env.simulator.clearFaults()
    await env.workers.settled()
  })

  test('is allowed to desk staff, the instructor and who booked it', async ({ env, school, book, ensure }) => {
    const principal = await buildMember(env.api, school.organizationId, ['instructor'])
    const { id } = await book(principal)
    for (const who of [principal, school.instructor, school.dispatcher, school.admin, school.owner]) {
      expect((await ensure(id, who)).statusCode).toBe(200)
    }
    const other = await buildMember(env.api, school.organizationId, ['instructor'])
    expect((await ensure(id, other)).statusCode).toBe(403)
  })

  test('is refused for a demo organization, for a cancelled booking, and for one that is billed after the flight', async ({
    bookRefused,
    env,
    school,
    ensure,
  }) => {
    const { id } = await bookRefused()
    const set = (demo: boolean) =>
      env.api.core.database.db
        .updateTable('organization')
        .set({ demo })
        .where('id', '=', school.organizationId)
        .execute()
    await set(true)
    expect((await ensure(id)).statusCode).toBe(403)
    await set(false)
    const usual = await bookDual(env.api, school, { start: '2031-12-01T10:00:00Z', end: '2031-12-01T12:00:00Z' })
    expect((await ensure(usual)).json().message).toBe('The booking is billed after the flight.')
    await env.api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: new Date() })
      .where('id', '=', id)
      .execute()
    expect((await ensure(id)).json().message).toBe('The booking is cancelled.')
  })
})

describe('recording an offline payment (§Reservations, POST prepaid/record-offline)', () => {
  test.for(['cash', 'check'])(
    'by %s pays the package in the service and at the processor',
    async (method, { book, record, env, school, atGateway }) => {
      const { id, invoices } = await book()
      const answer = await record(id, { method })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json().data.invoices).toMatchObject([{ id: invoices[0]?.id, paid: true }])
      expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${invoices[0]?.id}`)).toMatchObject({
        paymentMethod: method,
        settlement: 'offline',
        amountPaidCents: 25_000,
      })
      await env.workers.settled()
      expect(await atGateway(invoices[0]?.payUrl)).toMatchObject({ status: 'paid' })
    },
  )

  test('writes the invoice when none stands, without the processor', async ({ bookRefused, env, record }) => {
    const { id } = await bookRefused()
    const before = (await env.simulator.everything()).invoices.length
    const [invoice] = (await record(id)).json().data.invoices
    expect(invoice).toMatchObject({ totalCents: 25_000, paid: true, payUrl: null })
    await env.workers.settled()
    expect((await env.simulator.everything()).invoices).toHaveLength(before)
  })

  test('for a ledger-mode member whose debit was reversed does not debit again', async ({
    school,
    env,
    book,
    record,
  }) => {
    const { orgUserId } = school.student
    await expectOk(env.api, school.admin, 'PATCH', `/orgUsers/${orgUserId}`, { billingMode: 'ledger' })
    const { id } = await book()
    const ledger = () =>
      expectOk<{ id: number; balanceCents: number }[]>(env.api, school.admin, 'GET', `/orgUsers/${orgUserId}/ledger`)
    const [charge] = await ledger()
    expect((await record(id)).json().message).toBe('The prepaid price is paid already.')
    await expectOk(env.api, school.admin, 'POST', `/ledger/${charge?.id}/reverse`, { reason: 'Paid at the desk' })
    expect((await record(id)).statusCode).toBe(200)
    expect((await ledger())[0]?.balanceCents).toBe(0)
  })

  test('of one’s own booking is marked and mailed to owners', async ({ school, env, book, bookRefused, record }) => {
    const { student, owner, admin } = school
    await env.api.core.database.pool.query('update membership set dispatcher = true where id = $1', [student.orgUserId])
    const standing = await book()
    expect((await record(standing.id, { method: 'cash' }, student)).statusCode).toBe(200)
    const fog = { reason: 'Fog', category: 'weather' }
    expect((await env.api.as(admin).delete(`/reservations/${standing.id}`, fog)).statusCode).toBe(204)
    const refused = await bookRefused()
    expect((await record(refused.id, { method: 'check' }, student)).statusCode).toBe(200)
    const marked = await expectOk<{ after: object }[]>(env.api, admin, 'GET', '/audit?action=invoice.payment_recorded')
    expect(marked.map(({ after }) => after)).toEqual([
      { amountCents: 25_000, method: 'check', own: true },
      { amountCents: 25_000, method: 'cash', own: true },
    ])
    await env.workers.settled()
    const told = env.workers
      .mails(owner.email)
      .filter(({ subject }) => subject.endsWith('money in somebody’s own favour'))
    expect(told.map(({ text }) => /\$\d+\.\d\d/.exec(text)?.[0])).toEqual(['$250.00', '$250.00'])
  })

  test('is refused the second time with another method, and for a booking that is billed after the flight', async ({
    book,
    record,
    env,
    school,
  }) => {
    const { id } = await book()
    expect((await record(id, { method: 'card' })).statusCode).toBe(400)
    expect((await record(id, {})).statusCode).toBe(400)
    await record(id)
    const again = await record(id)
    expect([again.statusCode, again.json().message]).toEqual([400, 'The prepaid price is paid already.'])
    const usual = await bookDual(env.api, school, { start: '2031-12-01T10:00:00Z', end: '2031-12-01T12:00:00Z' })
    expect((await record(usual)).json().message).toBe('The booking is billed after the flight.')
  })
})

test('a prepaid flight is not billed again after it', async ({ book, env, school }) => {
  const { id } = await book()
  await env.api.core.database.db
    .updateTable('reservation')
    .set({
      ramped_out_at: new Date(),
      ramped_in_at: new Date(),
      signed_off_at: new Date(),
      hobbs_out: hundredths(1),
      hobbs_in: hundredths(200),
    })
    .where('id', '=', id)
    .execute()
  const refused = await env.api.as(school.admin).post(`/reservations/${id}/invoices`)
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'ALREADY_INVOICED'])
})

describe('a prepaid booking that is cancelled (§Reservation lifecycle, DELETE)', () => {
  test('gives the ledger back what it paid, and owes by hand only what came by hand', async ({ env, school, book }) => {
    const { api, workers } = env
    const payer = school.student
    const path = `/orgUsers/${payer.orgUserId}/ledger`
    await expectOk(api, school.owner, 'POST', path, { kind: 'deposit', amountCents: 30_000 })
    const { id, invoices } = await book()
    await workers.settled()
    const invoice = `/invoices/${invoices[0]!.id}`
    await expectOk(api, payer, 'POST', `${invoice}/payments`, { amountCents: 20_000, method: 'ledger' })
    await expectOk(api, school.owner, 'POST', `${invoice}/payments`, { amountCents: 5_000, method: 'cash' })
    const cancelled = await api.as(school.admin).delete(`/reservations/${id}`, { reason: 'Fog', category: 'weather' })
    expect(cancelled.statusCode).toBe(204)
    const [entry] = await expectOk<object[]>(api, payer, 'GET', path)
    expect(entry).toMatchObject({ kind: 'reversal', amountCents: 20_000, balanceCents: 30_000 })
    expect(await expectOk(api, payer, 'GET', invoice)).toMatchObject({
      status: 'paid',
      amountPaidCents: 5_000,
      creditedCents: 20_000,
      amountDueCents: 0,
    })
  })
})
