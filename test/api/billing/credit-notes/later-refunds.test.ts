import { describe, expect } from 'vitest'
import { refundCreditAtGateway } from '../../../../src/shared/billing/credit-notes/credit-notes.jobs.ts'
import { KEY } from '../../../../src/shared/platform/adapters/payments/stripe/client.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { expectOk } from '../../../support/flights.ts'
import { type IssuedInvoice, invoicedTest, setRefundLimit } from '../../../support/invoiced.ts'

interface Note {
  id: number
  refundStatus: string
  refundedCents: number
}

interface Row {
  kind: string
  amountCents: number
  description: string
}

const DAY_MS = 86_400_000
const dayFrom = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const AROUND_NOW = `startDate=${dayFrom(-7)}&endDate=${dayFrom(7)}`

const test = invoicedTest([{ description: 'Seven hours at the rate of another aircraft', unitPrice: 25_000 }])
  .extend('paidInCash', ({ env: { api, school }, raise }) => async (orgUserId?: number) => {
    const { id } = await raise(orgUserId)
    return expectOk<IssuedInvoice>(api, school.owner, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
  })
  .extend(
    'credit',
    ({ env: { api, school } }) =>
      (id: number, amountCents: number, refund = 'none') =>
        expectOk<Note>(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, {
          amountCents,
          refund,
          reason: 'Wrong rate',
        }),
  )
  .extend('refund', ({ env: { api, school } }) => async (id: number, refund: string, who: Member = school.admin) => {
    const response = await api.as(who).post(`/creditNotes/${id}/refund`, { refund, reason: 'It is theirs' })
    const { data, code } = response.json()
    return { status: response.statusCode, ...(code && { code }), ...data }
  })
  .extend('noteOf', ({ env: { api, school } }) => async (invoice: number) => {
    const notes = await expectOk<Note[]>(api, school.admin, 'GET', `/invoices/${invoice}/creditNotes`)
    return notes.at(-1)!
  })
  .extend('statement', ({ env: { api, school } }) => async (orgUserId: number) => {
    const path = `/orgUsers/${orgUserId}/statement?${AROUND_NOW}`
    return expectOk<{ closingBalanceCents: number; rows: Row[] }>(api, school.admin, 'GET', path)
  })
  .extend('balance', ({ env: { api, school } }) => async (member: number) => {
    const rows = await expectOk<{ orgUserId: number; balanceCents: number }[]>(
      api,
      school.admin,
      'GET',
      '/reports/balances',
    )
    return rows.find(({ orgUserId }) => orgUserId === member)?.balanceCents ?? 0
  })
  .extend('refundsMade', ({ env: { simulator } }) => async () => {
    const { refunds } = await simulator.everything()
    return refunds.map(({ amount, metadata }) => ({ amount, key: metadata?.[KEY] }))
  })

describe('the money of a credit note that has not gone back (§Invoices)', () => {
  test('that the school gives back at the processor is in every report, and nobody here asked for it', async ({
    env: { api, school, simulator },
    paidByCard,
    credit,
    look,
    noteOf,
    statement,
  }) => {
    const member = school.student.orgUserId
    const reports = async () => {
      const read = <Row>(report: string) =>
        expectOk<Row[]>(api, school.admin, 'GET', `/reports/${report}?${AROUND_NOW}`)
      const paid = await read<{ orgUserId: number | null; method: string; refundedCents: number }>('payments')
      const revenue = await read<{ kind: string; revenueCents: number }>('revenue')
      const byItself = paid.filter(({ orgUserId, method }) => orgUserId === null && method === 'card')
      const refunds = revenue.filter(({ kind }) => kind === 'refund')
      return {
        payments: byItself.reduce((all, { refundedCents }) => all + refundedCents, 0),
        revenue: refunds.reduce((all, { revenueCents }) => all + revenueCents, 0),
      }
    }
    const { id } = await paidByCard()
    await credit(id, 25_000)
    const before = await reports()
    const rowsBefore = (await statement(member)).rows.length
    const { processor } = (await look(id)) as unknown as { processor: { invoiceId: string } }
    for (const [amount, back] of [
      [10_000, 10_000],
      [15_000, 25_000],
    ] as const) {
      await simulator.move(processor.invoiceId, 'refund', amount)
      const after = await eventually(
        () => look(id) as Promise<IssuedInvoice & { refundedCents: number }>,
        ({ refundedCents }) => refundedCents === back,
      )
      expect(after).toMatchObject({ creditedCents: 25_000, creditCents: 25_000 - back })
      expect(await noteOf(id)).toMatchObject({
        amountCents: 25_000,
        refund: 'processor',
        refundStatus: 'succeeded',
        refundedCents: back,
        createdBy: { orgUserId: school.admin.orgUserId },
        refundBy: null,
      })
      expect(await reports()).toEqual({ payments: before.payments + back, revenue: before.revenue - back })
    }
    const rows = (await statement(member)).rows
    expect(rows.length).toBe(rowsBefore + 1)
    expect(rows.at(-1)).toMatchObject({
      kind: 'refund',
      amountCents: 25_000,
      description: 'Refund by the payment processor',
    })
  })

  test('goes back to the card later, once, also after a credit in full', async ({
    env: { api, school, workers },
    paidByCard,
    credit,
    refund,
    noteOf,
    look,
    refundsMade,
  }) => {
    const before = (await refundsMade()).length
    const { id } = await paidByCard()
    const note = await credit(id, 25_000)
    expect(await look(id)).toMatchObject({
      status: 'paid',
      creditedCents: 25_000,
      refundedCents: 0,
      creditCents: 25_000,
    })
    expect(await refund(note.id, 'processor', school.owner)).toMatchObject({
      status: 200,
      id: note.id,
      amountCents: 25_000,
      refund: 'processor',
      refundStatus: 'pending',
      createdBy: { orgUserId: school.admin.orgUserId },
      refundBy: { orgUserId: school.owner.orgUserId },
    })
    await workers.settled()
    expect(await noteOf(id)).toMatchObject({ refundStatus: 'succeeded', refundedCents: 25_000 })
    expect(await look(id)).toMatchObject({ creditedCents: 25_000, refundedCents: 25_000, creditCents: 0 })
    expect((await refundsMade()).slice(before).map(({ amount }) => amount)).toEqual([25_000])
    expect(await refund(note.id, 'processor')).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' })
    const [told] = await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=invoice.credit_refunded&limit=1')
    expect(told).toMatchObject({
      actor: { orgUserId: school.owner.orgUserId },
      reason: 'It is theirs',
      after: { refund: 'processor', refundCents: 25_000, own: false, ownPayment: false },
    })
  })

  test.for([
    ['offline', 'offline', ['invoice', 'payment', 'credit', 'refund']],
    ['ledger', null, ['invoice', 'payment', 'credit', 'refund', 'ledger']],
  ] as const)(
    'of cash goes back by %s, and statement, balances and report show it once',
    async ([way, method, kinds], { env: { api, school }, raise, credit, refund, statement, balance }) => {
      const { orgUserId } = school[way === 'offline' ? 'renter' : 'instructor']
      const { id } = await raise(orgUserId)
      await expectOk(api, school.owner, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
      const note = await credit(id, 3_000)
      expect(await balance(orgUserId)).toBe(-3_000)
      const reported = async () => {
        const rows = await expectOk<{ method: string; refundedCents: number; orgUserId: number | null }[]>(
          ...([api, school.owner, 'GET', `/reports/payments?${AROUND_NOW}`] as const),
        )
        const mine = rows.filter((row) => row.orgUserId === school.owner.orgUserId)
        return mine.find((row) => row.method === method)?.refundedCents ?? 0
      }
      const before = await reported()
      expect(await refund(note.id, way, school.owner)).toMatchObject({
        status: 200,
        refund: way,
        refundStatus: 'succeeded',
        refundedCents: 3_000,
      })
      expect((await reported()) - before).toBe(method ? 3_000 : 0)
      // On the account it is the payer's still.
      const closing = way === 'ledger' ? -3_000 : 0
      expect(await balance(orgUserId)).toBe(closing)
      const { closingBalanceCents, rows } = await statement(orgUserId)
      expect([closingBalanceCents, rows.map(({ kind }) => kind).sort()]).toEqual([closing, [...kinds].sort()])
      const row = rows.find(({ kind }) => kind === 'refund')
      expect(row).toMatchObject({ amountCents: 3_000 })
      expect(row?.description).toContain(`given by ${school.owner.name}`)
      const pdf = await api.as(school.admin).get(`/creditNotes/${note.id}?format=pdf`)
      expect(pdf.statusCode).toBe(200)
    },
  )

  test('is what is refundable of it now, at most the credit', async ({
    env: { school },
    paidInCash,
    credit,
    refund,
    look,
  }) => {
    const { id } = await paidInCash()
    const [first, second] = [await credit(id, 4_000), await credit(id, 7_000)]
    expect(await refund(second.id, 'processor')).toMatchObject({ status: 409, code: 'NOTHING_TO_REFUND' })
    expect(await refund(second.id, 'offline')).toMatchObject({ status: 200, refundedCents: 7_000 })
    expect(await refund(first.id, 'ledger')).toMatchObject({ status: 200, refundedCents: 4_000 })
    expect(await look(id)).toMatchObject({ creditedCents: 11_000, refundedCents: 11_000, creditCents: 0 })
    expect(await refund(2_000_000_000, 'offline')).toMatchObject({ status: 404 })
    expect(await refund(first.id, 'none', school.owner)).toMatchObject({ status: 400 })
  })

  test('is nothing while the invoice is unpaid or void', async ({ env: { workers }, raise, credit, refund, look }) => {
    const { id } = await raise()
    const part = await credit(id, 5_000)
    expect(await refund(part.id, 'offline')).toMatchObject({ status: 409, code: 'NOTHING_TO_REFUND' })
    await credit(id, 20_000)
    await workers.settled()
    expect(await look(id)).toMatchObject({ status: 'void' })
    expect(await refund(part.id, 'processor')).toMatchObject({ status: 409, code: 'NOTHING_TO_REFUND' })
  })

  test('that the processor refused goes back by another attempt, with a key of its own', async ({
    env: { api, simulator, workers },
    paidByCard,
    credit,
    refund,
    noteOf,
    look,
    refundsMade,
  }) => {
    const before = (await refundsMade()).length
    const { id } = await paidByCard()
    const keyOf = async (note: number) =>
      (await api.core.database.pool.query('select refund_key from credit_note where id = $1', [note])).rows[0]
        .refund_key
    await simulator.fault({ match: 'POST /v1/refunds', kind: '402' })
    const note = await credit(id, 25_000, 'processor')
    const first = await keyOf(note.id)
    await workers.settled()
    expect(await noteOf(id)).toMatchObject({ refundStatus: 'failed', refundedCents: 0 })
    expect(await look(id)).toMatchObject({
      refundedCents: 0,
      creditCents: 25_000,
      processor: { error: expect.any(String) },
    })
    expect(await refund(note.id, 'offline')).toMatchObject({ status: 409, code: 'NOTHING_TO_REFUND' })
    // Its answer is lost; the job asks again.
    await simulator.fault({ match: 'POST /v1/refunds', kind: 'cut_after_work' })
    expect(await refund(note.id, 'processor')).toMatchObject({ status: 200, refundStatus: 'pending', refundedCents: 0 })
    await workers.settled()
    const second = await keyOf(note.id)
    expect(second).not.toBe(first)
    expect((await refundsMade()).slice(before)).toEqual([{ amount: 25_000, key: second }])
    expect(await noteOf(id)).toMatchObject({ refundStatus: 'succeeded', refundedCents: 25_000 })
    expect(await look(id)).toMatchObject({ refundedCents: 25_000, creditCents: 0, processor: { error: null } })
  })

  test('is asked for twenty times at once, and the job runs twice: it goes back once', async ({
    env: { school, workers },
    paidByCard,
    credit,
    refund,
    look,
    refundsMade,
  }) => {
    const before = (await refundsMade()).length
    const { id } = await paidByCard()
    const note = await credit(id, 10_000)
    const asked = await Promise.all(Array.from({ length: 20 }, () => refund(note.id, 'processor')))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const { organizationId } = school
    const again = { organizationId, creditId: note.id }
    await workers.run((tx) => [1, 2].map(() => tx.enqueue(refundCreditAtGateway, again)))
    expect((await refundsMade()).slice(before).map(({ amount }) => amount)).toEqual([10_000])
    expect(await look(id)).toMatchObject({ creditedCents: 10_000, refundedCents: 10_000, creditCents: 0 })
  })

  test('goes back beside new credits at once, together no more than was paid', async ({
    env: { workers },
    paidByCard,
    credit,
    refund,
    look,
    refundsMade,
  }) => {
    const before = (await refundsMade()).length
    const { id } = await paidByCard()
    const note = await credit(id, 10_000)
    const credits = Array.from({ length: 6 }, () => credit(id, 5_000, 'processor').catch(() => null))
    const [later, ...made] = await Promise.all([refund(note.id, 'processor'), ...credits])
    // Three of 50.00 are left of 250.00.
    expect([later.status, made.filter((one) => one !== null).length]).toEqual([200, 3])
    await workers.settled()
    const cents = (await refundsMade()).slice(before).map(({ amount }) => amount)
    expect(cents.sort((a, b) => a - b)).toEqual([5_000, 5_000, 5_000, 10_000])
    expect(await look(id)).toMatchObject({ creditedCents: 25_000, refundedCents: 25_000, creditCents: 0 })
  })

  test('above the limit goes back once another admin than asks approves it; declined, it can be asked for again', async ({
    env: { api, school },
    paidInCash,
    credit,
    refund,
    noteOf,
    look,
  }) => {
    const { id } = await paidInCash()
    const note = await credit(id, 5_000)
    await setRefundLimit(api, school, 4_000)
    const decide = async (who: Member, approved: boolean) =>
      (await api.as(who).post(`/invoices/${id}/refund`, { approved })).statusCode
    expect(await refund(note.id, 'offline', school.owner)).toMatchObject({ status: 200, refundStatus: 'waiting' })
    expect(await look(id)).toMatchObject({ refundStatus: 'waiting', refundedCents: 5_000 })
    expect(await refund(note.id, 'offline')).toMatchObject({ status: 409, code: 'NOT_PENDING' })
    // Who made the credit note may approve what the owner asks for.
    expect([await decide(school.owner, true), await decide(school.admin, false)]).toEqual([403, 200])
    expect(await noteOf(id)).toMatchObject({ refundStatus: 'none', refundedCents: 0 })
    expect(await refund(note.id, 'offline')).toMatchObject({ status: 200, refundStatus: 'waiting' })
    expect([await decide(school.admin, true), await decide(school.owner, true)]).toEqual([403, 200])
    expect(await noteOf(id)).toMatchObject({ refundStatus: 'succeeded', refundedCents: 5_000 })
    await setRefundLimit(api, school, null)
  })

  test('is marked and mailed to owners when it is the admin’s own, or of cash that they noted', async ({
    env: { api, school, workers },
    raise,
    credit,
    refund,
  }) => {
    const { admin, owner } = school
    const words = () => workers.mails(owner.email).map(({ text }) => text)
    const marked = async () => {
      const [event] = await expectOk<{ after: object }[]>(
        api,
        admin,
        'GET',
        '/audit?action=invoice.credit_refunded&limit=1',
      )
      return event!.after
    }
    for (const [payer, own, said] of [
      [admin, true, `${admin.name} refunded $10.00 of an invoice of their own.`],
      [school.student, false, `${admin.name} refunded $10.00 of a payment that they had recorded themselves.`],
    ] as const) {
      const { id } = await raise(payer.orgUserId)
      await expectOk(api, admin, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
      await refund((await credit(id, 1_000)).id, 'offline')
      expect(await marked()).toMatchObject({ own, ownPayment: true, refundCents: 1_000 })
      await workers.settled()
      expect(words().filter((text) => text.includes(said))).toHaveLength(1)
    }
  })
})

describe('the limit of what an admin gives back alone (§Invoices: refundApprovalCents)', () => {
  test.beforeEach(({ env: { api, school } }) => setRefundLimit(api, school, 5_000))
  test.afterEach(({ env: { api, school } }) => setRefundLimit(api, school, null))

  /** A member whom nobody gave anything back today, with an invoice that is paid in cash. */
  const withPayer = test.extend('payer', async ({ env: { api, school }, paidInCash }) => {
    const { orgUserId } = await buildMember(api, school.organizationId, ['renter'])
    return { orgUserId, invoice: await paidInCash(orgUserId), another: await paidInCash(orgUserId) }
  })

  withPayer(
    'holds in two halves of one invoice, and what another admin approved is not counted again',
    async ({ env: { api, school }, payer: { invoice }, credit, look }) => {
      const { id } = invoice
      expect(await credit(id, 5_000, 'offline')).toMatchObject({ refundStatus: 'succeeded' })
      expect(await credit(id, 5_000, 'offline')).toMatchObject({ refundStatus: 'waiting' })
      await expectOk(api, school.owner, 'POST', `/invoices/${id}/refund`, { approved: true })
      expect(await look(id)).toMatchObject({ refundedCents: 10_000 })
      // The 50.00 that nobody else approved are counted still.
      expect(await credit(id, 1, 'ledger')).toMatchObject({ refundStatus: 'waiting' })
      await expectOk(api, school.owner, 'POST', `/invoices/${id}/refund`, { approved: false })
      const byOwner = { amountCents: 5_000, refund: 'offline', reason: 'Wrong rate' }
      expect(await expectOk(api, school.owner, 'POST', `/invoices/${id}/creditNotes`, byOwner)).toMatchObject({
        refundStatus: 'succeeded',
      })
    },
  )

  withPayer(
    'holds over the invoices of a payer within a day, not over those of others',
    async ({ env: { school }, payer: { invoice, another }, credit, paidInCash }) => {
      expect(await credit(invoice.id, 3_000, 'offline')).toMatchObject({ refundStatus: 'succeeded' })
      expect(await credit(another.id, 2_001, 'offline')).toMatchObject({ refundStatus: 'waiting' })
      const { id } = await paidInCash(school.renter.orgUserId)
      expect(await credit(id, 5_000, 'offline')).toMatchObject({ refundStatus: 'succeeded' })
    },
  )

  withPayer(
    'does not count what was given back on earlier days of other invoices',
    async ({ env: { api }, payer: { invoice, another }, credit }) => {
      const { id } = await credit(invoice.id, 3_000, 'offline')
      await api.core.database.pool.query(
        `update credit_note set created_at = created_at - interval '1 day' where id = $1`,
        [id],
      )
      expect(await credit(another.id, 5_000, 'offline')).toMatchObject({ refundStatus: 'succeeded' })
      expect(await credit(invoice.id, 2_001, 'offline')).toMatchObject({ refundStatus: 'waiting' })
    },
  )

  withPayer(
    'holds for refunds at once, with credits and later, of two invoices',
    async ({ payer: { invoice, another }, credit, refund }) => {
      const notes = [await credit(invoice.id, 2_500), await credit(another.id, 2_500)]
      const made = await Promise.all([
        ...notes.map(({ id }) => refund(id, 'offline')),
        ...[invoice, another].map(({ id }) => credit(id, 2_500, 'offline').catch(() => null)),
      ])
      const alone = made.filter((one) => one?.refundStatus === 'succeeded')
      expect(alone.map(({ refundedCents }) => refundedCents)).toEqual([2_500, 2_500])
    },
  )

  test('is decided once by two admins, of whom one approves and one declines at once', async ({
    env: { api, school },
    paidInCash,
    credit,
    look,
    noteOf,
  }) => {
    const { organizationId, admin, owner } = school
    const second = await buildMember(api, organizationId, ['admin'])
    for (let round = 0; round < 6; round++) {
      const { orgUserId } = await buildMember(api, organizationId, ['renter'])
      const { id } = await paidInCash(orgUserId)
      expect(await credit(id, 6_000, 'ledger')).toMatchObject({ refundStatus: 'waiting' })
      const decide = async (who: Member, approved: boolean) => {
        const { statusCode } = await api.as(who).post(`/invoices/${id}/refund`, { approved })
        return { statusCode, approved }
      }
      const made = await Promise.all([decide(owner, round % 2 === 0), decide(second, round % 2 === 1)])
      expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
      const { approved } = made.find(({ statusCode }) => statusCode === 200)!
      const refundedCents = approved ? 6_000 : 0
      expect(await noteOf(id)).toMatchObject({ refundStatus: approved ? 'succeeded' : 'none', refundedCents })
      expect(await look(id)).toMatchObject({ refundStatus: null, refundedCents, creditCents: 6_000 - refundedCents })
      const entries = await expectOk<object[]>(api, admin, 'GET', `/orgUsers/${orgUserId}/ledger`)
      expect(entries).toMatchObject(approved ? [{ kind: 'credit', amountCents: 6_000 }] : [])
      expect(entries).toHaveLength(approved ? 1 : 0)
      const decided = await expectOk<object[]>(
        api,
        admin,
        'GET',
        `/audit?action=invoice.refund_decided&subject=invoice:${id}`,
      )
      expect(decided).toMatchObject([{ after: { approved } }])
    }
  })
})
