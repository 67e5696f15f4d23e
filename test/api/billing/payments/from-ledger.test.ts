import { describe, expect } from 'vitest'
import { buildMember, type Member, writeSettings } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'

interface Invoice {
  id: number
  status: string
  number: number | null
  settlement: string
  paymentMethod: string | null
  amountDueCents: number
  payments: { id: number; method: string; amountCents: number; receivedAt: string; recordedBy: unknown }[]
}

interface Entry {
  id: number
  kind: string
  amountCents: number
  balanceCents: number
  invoiceId: number | null
  createdAt: string
}

const items = [{ description: 'Headset', unitPrice: 20_000 }]
const DAY_MS = 86_400_000

const test = billingTest()
  .extend('member', ({ env: { api, school } }) => buildMember(api, school.organizationId, ['renter']))
  .extend(
    'deposit',
    ({ env: { api, school }, member }) =>
      (amountCents: number) =>
        expectOk<Entry>(api, school.owner, 'POST', `/orgUsers/${member.orgUserId}/ledger`, {
          kind: 'deposit',
          amountCents,
        }),
  )
  .extend(
    'raise',
    ({ env: { api, school }, member }) =>
      (by: Member = school.owner) =>
        expectOk<Invoice>(api, by, 'POST', '/invoices', { customer: { orgUserId: member.orgUserId }, items }),
  )
  .extend('pay', ({ env: { api } }) => async (who: Member, id: number, body: object) => {
    const response = await api.as(who).post(`/invoices/${id}/payments`, { method: 'ledger', ...body })
    return { status: response.statusCode, body: response.json() }
  })
  .extend(
    'entries',
    ({ env: { api, school }, member }) =>
      () =>
        expectOk<Entry[]>(api, school.owner, 'GET', `/orgUsers/${member.orgUserId}/ledger`),
  )

describe('a payment from the ledger (§Invoices)', () => {
  test('takes the amount off the ledger and off what is due, at the same instant', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
    entries,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    const part = await pay(member, id, { amountCents: 5_000 })
    expect(part).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'open',
          amountDueCents: 15_000,
          payments: [{ method: 'ledger', amountCents: 5_000, recordedBy: { orgUserId: member.orgUserId } }],
        },
      },
    })
    const [charge] = await entries()
    expect(charge).toMatchObject({ kind: 'invoice_charge', amountCents: -5_000, balanceCents: 25_000, invoiceId: id })
    expect(part.body.data.payments[0].receivedAt).toBe(charge?.createdAt)
    expect(await pay(member, id, { amountCents: 15_000 })).toMatchObject({
      status: 201,
      body: { data: { status: 'paid', settlement: 'offline', paymentMethod: 'ledger', amountDueCents: 0 } },
    })
    expect((await entries())[0]?.balanceCents).toBe(10_000)
    const statement = await expectOk<{ closingBalanceCents: number; rows: { kind: string; amountCents: number }[] }>(
      ...([api, member, 'GET', `/orgUsers/${member.orgUserId}/statement`] as const),
    )
    expect(statement.closingBalanceCents).toBe(-10_000)
    expect(statement.rows.filter(({ kind }) => kind !== 'invoice').map(({ amountCents }) => amountCents)).toEqual(
      expect.arrayContaining([-30_000, -5_000, 5_000, -15_000, 15_000]),
    )
    const reports = await expectOk<{ method: string }[]>(api, school.owner, 'GET', '/reports/payments')
    expect(reports.filter(({ method }) => method === 'ledger')).toEqual([])
  })

  test('is made by a cashier within the limit, once the payer could object; the limit is not for own invoices', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
  }) => {
    const cashier = await buildMember(api, school.organizationId, ['dispatcher'])
    await deposit(30_000)
    const { id } = await raise()
    expect((await pay(cashier, id, { amountCents: 5_000 })).status).toBe(404)
    await giveDesk(api, school, cashier, 'cashier')
    await writeSettings(api, school.organizationId, { cashierMaxCents: 6_000 })
    expect(await pay(cashier, id, { amountCents: 5_000 })).toMatchObject({
      status: 409,
      body: { code: 'WAITS_FOR_PAYER' },
    })
    await api.core.database.pool.query(`update invoice set ledger_from = now() - interval '1 second' where id = $1`, [
      id,
    ])
    expect(await pay(cashier, id, { amountCents: 6_001 })).toMatchObject({
      status: 403,
      body: { code: 'ABOVE_CASHIER_LIMIT' },
    })
    const paid = await pay(cashier, id, { amountCents: 5_000 })
    expect(paid.status).toBe(201)
    expect(await pay(cashier, id, { amountCents: 1_001 })).toMatchObject({ body: { details: { leftCents: 1_000 } } })
    const paymentId = paid.body.data.payments[0].id
    const reversal = `/invoices/${id}/payments/${paymentId}/reverse`
    expect((await api.as(cashier).post(reversal, { reason: 'Another invoice' })).statusCode).toBe(200)
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${member.orgUserId}`, { billingMode: 'ledger' })
    const charge = (unitPrice: number) => {
      const customer = { orgUserId: member.orgUserId }
      return api.as(cashier).post('/invoices', { customer, items: [{ description: 'Headset', unitPrice }] })
    }
    expect((await charge(1_001)).json()).toMatchObject({ code: 'ABOVE_CASHIER_LIMIT', details: { leftCents: 1_000 } })
    expect((await charge(1_000)).statusCode).toBe(201)
    expect((await charge(100)).json()).toMatchObject({ code: 'ABOVE_CASHIER_LIMIT', details: { leftCents: 0 } })
    const own = { customer: { orgUserId: cashier.orgUserId }, items }
    const mine = await expectOk<Invoice>(api, school.owner, 'POST', '/invoices', own)
    await expectOk(api, school.owner, 'POST', `/orgUsers/${cashier.orgUserId}/ledger`, {
      kind: 'deposit',
      amountCents: 20_000,
    })
    expect((await pay(cashier, mine.id, { amountCents: 20_000 })).status).toBe(201)
  })

  test('above what the payer was told of waits again, whoever wrote the invoice before', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
  }) => {
    await deposit(60_000)
    const { id } = await raise()
    const ledgerFrom = async () => {
      const { rows } = await api.core.database.pool.query('select ledger_from from invoice where id = $1', [id])
      return rows[0].ledger_from
    }
    await api.core.database.pool.query(`update invoice set ledger_from = now() - interval '1 second' where id = $1`, [
      id,
    ])
    const edit = (unitPrice: number) =>
      expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, { items: [{ description: 'Headset', unitPrice }] })
    await edit(19_000)
    expect(await ledgerFrom()).not.toBe(null)
    await edit(30_000)
    expect(await ledgerFrom()).toBe(null)
    expect(await pay(school.admin, id, { amountCents: 30_000 })).toMatchObject({
      status: 409,
      body: { code: 'WAITS_FOR_PAYER' },
    })
    expect((await pay(member, id, { amountCents: 30_000 })).status).toBe(201)
  })

  test('waits when an admin pays for a flight that they are on, or pay for, whoever raised the invoice', async ({
    env: { api, school },
    deposit,
    raise,
    pay,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    const { pool } = api.core.database
    const flight = await bookDual(api, school)
    await pool.query('update membership set admin = true where id = $1', [school.instructor.orgUserId])
    await pool.query('update invoice set reservation_id = $2, raised_by = null where id = $1', [id, flight])
    expect(await pay(school.instructor, id, { amountCents: 5_000 })).toMatchObject({
      status: 409,
      body: { code: 'WAITS_FOR_PAYER' },
    })
    await pool.query('update membership set bill_to_id = $2 where id = $1', [
      school.student.orgUserId,
      school.admin.orgUserId,
    ])
    expect((await pay(school.admin, id, { amountCents: 5_000 })).status).toBe(409)
    expect((await pay(school.owner, id, { amountCents: 5_000 })).status).toBe(201)
  })

  test('is at most what is due and what the ledger has', async ({ member, deposit, raise, pay }) => {
    await deposit(15_000)
    const { id } = await raise()
    expect(await pay(member, id, { amountCents: 20_001 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_EXCEEDS_DUE' },
    })
    expect(await pay(member, id, { amountCents: 15_001 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_EXCEEDS_BALANCE', details: { availableCents: 15_000 } },
    })
    await deposit(4_990)
    expect(await pay(member, id, { amountCents: 19_980 })).toMatchObject({
      status: 409,
      body: { code: 'REMAINDER_TOO_SMALL', details: { leftCents: 20 } },
    })
  })

  test('waits with what came from an invoice whose payment is disputed', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
  }) => {
    await deposit(3_000)
    const moved = await raise()
    await expectOk(api, school.owner, 'POST', `/invoices/${moved.id}/payments`, { amountCents: 20_000, method: 'card' })
    const credit = { amountCents: 15_000, reason: 'Not wanted', refund: 'ledger' }
    await expectOk(api, school.owner, 'POST', `/invoices/${moved.id}/creditNotes`, credit)
    const dispute = (status: string) =>
      api.core.database.pool.query('update invoice set dispute_status = $2, dispute_cents = 20000 where id = $1', [
        moved.id,
        status,
      ])
    await dispute('open')
    const { id } = await raise()
    expect(await pay(member, id, { amountCents: 3_001 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_EXCEEDS_BALANCE', details: { availableCents: 3_000 } },
    })
    expect((await pay(member, id, { amountCents: 3_000 })).status).toBe(201)
    await dispute('won')
    expect((await pay(member, id, { amountCents: 15_000 })).status).toBe(201)
  })

  test('has neither an instant nor a reference of its own, and no invoice is marked paid by it', async ({
    env: { api, school },
    member,
    raise,
    pay,
  }) => {
    const { id } = await raise()
    for (const extra of [{ receivedAt: '2026-11-20T12:00:00Z' }, { reference: 'Check 7' }]) {
      expect((await pay(member, id, { amountCents: 100, ...extra })).status).toBe(400)
    }
    const marked = await api.as(school.owner).patch(`/invoices/${id}`, { paid: true, paymentMethod: 'ledger' })
    expect(marked.statusCode).toBe(400)
  })

  test('is made by the payer and admins: the invoice of somebody else is not there, and no other method is theirs', async ({
    env: { school },
    member,
    deposit,
    raise,
    pay,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    expect((await pay(school.student, id, { amountCents: 5_000 })).status).toBe(404)
    expect((await pay(school.dispatcher, id, { amountCents: 5_000 })).status).toBe(404)
    expect((await pay(member, id, { amountCents: 5_000, method: 'cash' })).status).toBe(403)
    expect((await pay(school.admin, id, { amountCents: 5_000 })).status).toBe(201)
  })

  test('of what an admin raised waits for the payer 24 hours when that admin makes it', async ({
    env: { api, school, workers },
    deposit,
    raise,
    pay,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    await workers.settled()
    const { rows } = await api.core.database.pool.query(
      `select at from event where kind = 'invoice.raised' and subject_kind = 'invoice' and subject_id = $1`,
      [id],
    )
    const from = new Date(rows[0].at.getTime() + DAY_MS)
    expect(await pay(school.owner, id, { amountCents: 5_000 })).toMatchObject({
      status: 409,
      body: { code: 'WAITS_FOR_PAYER', details: { from: from.toISOString() } },
    })
    // Nobody is asked by a mail that is given up: 24 hours from now.
    await api.core.database.pool.query(
      `insert into undelivered_mail (organization_id, invoice_id, reason, given_up_at) values ($1, $2, 'address_limit', now())`,
      [school.organizationId, id],
    )
    const unasked = await pay(school.owner, id, { amountCents: 5_000 })
    expect(unasked).toMatchObject({ status: 409, body: { code: 'WAITS_FOR_PAYER' } })
    expect(new Date(unasked.body.details.from).getTime()).toBeGreaterThan(from.getTime())
    await api.core.database.pool.query(`update invoice set ledger_from = now() - interval '1 second' where id = $1`, [
      id,
    ])
    expect((await pay(school.owner, id, { amountCents: 5_000 })).status).toBe(201)
  })

  test('is offered by the mail about the invoice, and mailed to the payer with the balance that is left', async ({
    env: { school, workers },
    member,
    deposit,
    raise,
    pay,
  }) => {
    await deposit(30_000)
    const { id } = await raise(school.admin)
    await workers.settled()
    expect(workers.mails(member.email).map(({ text }) => text)).toEqual([
      expect.stringContaining('recorded a deposit of $300.00'),
      expect.stringContaining('Your ledger has $300.00: you can pay from it'),
    ])
    await pay(school.owner, id, { amountCents: 20_000 })
    await workers.settled()
    expect(workers.mails(member.email).at(-1)?.text).toContain('$200.00 of invoice')
    expect(workers.mails(member.email).at(-1)?.text).toContain('$100.00 is left there.')
  })

  test('waits while the invoice is charged to a card', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    await api.core.database.pool.query(
      `insert into autopay_charge (organization_id, invoice_id, membership_id, state, attempts, amount_cents, counted_on, not_before)
       values ($1, $2, $3, 'charging', 1, 20000, current_date, now())`,
      [school.organizationId, id, member.orgUserId],
    )
    expect(await pay(member, id, { amountCents: 5_000 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_UNDER_WAY' },
    })
  })
})

describe('a payment from the ledger that is taken back (§Invoices)', () => {
  test('gives the amount back to the ledger once; its entry is reversed by the payment alone', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
    entries,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    const paymentId = (await pay(member, id, { amountCents: 20_000 })).body.data.payments[0].id
    const [charge] = await entries()
    const reversed = await api.as(school.admin).post(`/ledger/${charge?.id}/reverse`, { reason: 'Wrong' })
    expect(reversed.json()).toMatchObject({ code: 'PAYMENT_EXISTS', details: { paymentId, invoiceId: id } })
    expect(reversed.statusCode).toBe(409)
    const path = `/invoices/${id}/payments/${paymentId}/reverse`
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.as(school.admin).post(path, { reason: 'Paid by mistake' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(409)])
    const after = await entries()
    expect(after.slice(0, 2).map(({ kind, amountCents, balanceCents }) => [kind, amountCents, balanceCents])).toEqual([
      ['reversal', 20_000, 30_000],
      ['invoice_charge', -20_000, 10_000],
    ])
    expect(await expectOk<Invoice>(api, school.owner, 'GET', `/invoices/${id}`)).toMatchObject({
      amountDueCents: 20_000,
      paymentMethod: null,
    })
  })

  test('by a credit note goes to the ledger, never by hand; a part-paid invoice is not voided', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
    entries,
  }) => {
    await deposit(30_000)
    const { id } = await raise()
    await pay(member, id, { amountCents: 15_000 })
    const voided = await api.as(school.admin).post(`/invoices/${id}/void`, { reason: 'Wrong' })
    expect(voided.json()).toMatchObject({ code: 'PARTLY_PAID' })
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/payments`, { amountCents: 5_000, method: 'cash' })
    const credit = (refund: string, amountCents: number) =>
      api.as(school.admin).post(`/invoices/${id}/creditNotes`, { amountCents, reason: 'Sent back', refund })
    const byHand = await credit('offline', 8_000)
    expect(byHand.json()).toMatchObject({ data: { refundedCents: 5_000 } })
    expect((await credit('offline', 2_000)).json()).toMatchObject({ code: 'NOTHING_TO_REFUND' })
    expect((await credit('ledger', 2_000)).statusCode).toBe(201)
    expect((await entries())[0]).toMatchObject({ kind: 'credit', amountCents: 2_000, balanceCents: 17_000 })
  })
})

describe('payments from one ledger at the same time (§Invoices)', () => {
  test('pay one invoice once, 64 of them with credits, reversals and payments by hand: it gets what is due', async ({
    env: { api, school },
    member,
    deposit,
    raise,
    pay,
    entries,
  }) => {
    await deposit(100_000)
    const { id } = await raise()
    const first = await pay(member, id, { amountCents: 2_000 })
    expect(first.status).toBe(201)
    const paymentId: number = first.body.data.payments[0].id
    const post = async (path: string, body: object) => (await api.as(school.owner).post(path, body)).statusCode
    const racers = [
      async () => (await pay(member, id, { amountCents: 2_000 })).status,
      async () => (await pay(school.owner, id, { method: 'cash', amountCents: 2_000 })).status,
      () => post(`/invoices/${id}/creditNotes`, { amountCents: 1_000, reason: 'Late', refund: 'ledger' }),
      () => post(`/invoices/${id}/payments/${paymentId}/reverse`, { reason: 'Wrong' }),
    ]
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, nth) => racers[nth % 4]!()))
    // None is refused for want of a connection: those that would wait for the invoice hold none.
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    const { rows } = await api.core.database.pool.query(
      `select i.total_cents as total, i.credited_cents as credited, i.refunded_cents as refunded, i.amount_paid_cents as paid,
         (select coalesce(sum(amount_cents), 0)::int from credit_note c where c.invoice_id = i.id) as notes,
         (select coalesce(sum(refunded_cents), 0)::int from credit_note c where c.invoice_id = i.id) as "ofNotes"
       from invoice i where i.id = $1`,
      [id],
    )
    const [row] = rows
    expect(row.total).toBe(20_000)
    expect(row.credited).toBe(row.notes)
    expect(row.refunded).toBe(row.ofNotes)
    expect(row.credited).toBeLessThanOrEqual(row.total)
    // Nothing is paid beyond what was due, and every cent of the ledger stands in an entry.
    expect(row.paid - row.refunded).toBeLessThanOrEqual(row.total - row.credited)
    const all = await entries()
    expect(all[0]!.balanceCents).toBe(all.reduce((cents, { amountCents }) => cents + amountCents, 0))
    expect(Math.min(...all.map(({ balanceCents }) => balanceCents))).toBeGreaterThanOrEqual(0)
  })

  test('never overdraw it, 64 of them over 8 invoices: what was paid is what the ledger gave', async ({
    env: { api },
    member,
    deposit,
    raise,
    pay,
    entries,
  }) => {
    await deposit(25_000)
    const raised = await Promise.all(Array.from({ length: 8 }, () => raise()))
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, nth) => pay(member, raised[nth % 8]!.id, { amountCents: 2_000 })),
    )
    const made = answers.filter(({ status }) => status === 201).length
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.code)
    expect(new Set(refused)).toEqual(new Set(['PAYMENT_EXCEEDS_BALANCE']))
    // A busy service answers 503 before it does anything. Twelve payments of 2,000 fit into 25,000.
    const busy = answers.filter(({ status }) => status !== 201 && status !== 409).map(({ status }) => status)
    expect(busy.filter((status) => status !== 503)).toEqual([])
    expect(made).toBeLessThanOrEqual(12)
    if (busy.length === 0) expect(made).toBe(12)
    else expect(made).toBeGreaterThan(1)
    const all = await entries()
    expect(Math.min(...all.map(({ balanceCents }) => balanceCents))).toBe(25_000 - made * 2_000)
    const { rows } = await api.core.database.pool.query(
      `select sum(p.amount_cents)::int as paid, count(distinct p.ledger_entry_id)::int as entries
       from payment p join invoice i on i.id = p.invoice_id where i.membership_id = $1`,
      [member.orgUserId],
    )
    expect(rows).toEqual([{ paid: made * 2_000, entries: made }])
  })
})
