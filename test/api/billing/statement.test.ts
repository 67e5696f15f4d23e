import { describe, expect } from 'vitest'
import { billingTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { pdfText } from '../../support/pdf-text.ts'

interface Row {
  kind: string
  number: number | null
  description: string
  amountCents: number
  balanceCents: number
}

interface Statement {
  openingBalanceCents: number
  closingBalanceCents: number
  rows: Row[]
}

interface Invoice {
  id: number
  status: string
  totalCents: number
  amountDueCents: number
  payments: { id: number; reversedAt: string | null }[]
}

const test = billingTest()
  .extend(
    'read',
    ({ env: { api, school } }) =>
      (orgUserId: number, query = '') =>
        expectOk<Statement>(api, school.admin, 'GET', `/orgUsers/${orgUserId}/statement${query}`),
  )
  .extend('owed', ({ env: { api, school } }) => async (orgUserId: number) => {
    const rows = await expectOk<{ orgUserId: number; balanceCents: number }[]>(
      ...([api, school.admin, 'GET', '/reports/balances'] as const),
    )
    return rows.find((row) => row.orgUserId === orgUserId)?.balanceCents
  })
  .extend('raise', ({ env: { api, school } }) => (orgUserId: number, unitPrice = 25_000) => {
    const body = { customer: { orgUserId }, memo: 'Ground school', items: [{ description: 'Books', unitPrice }] }
    return expectOk<Invoice>(api, school.admin, 'POST', '/invoices', body)
  })

describe('a statement (§Invoices: GET /orgUsers/{id}/statement)', () => {
  test('has every invoice, payment, credit and refund with the balance after it', async ({
    env: { api, school },
    raise,
    read,
    owed,
  }) => {
    const { orgUserId, name } = school.student
    const { id } = await raise(orgUserId)
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/payments`, {
      amountCents: 10_000,
      method: 'check',
      reference: 'Check 1042',
    })
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/payments`, { amountCents: 15_000, method: 'cash' })
    const credit = { amountCents: 4_000, reason: 'One book was missing', refund: 'offline' }
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, credit)
    // The refund of a note keeps its place after the note when its clock reading is the earlier one.
    await api.core.database.pool.query(
      `update credit_note set refunded_at = created_at - interval '5 ms' where invoice_id = $1`,
      [id],
    )
    await expectOk(api, school.admin, 'POST', `/orgUsers/${orgUserId}/ledger`, {
      kind: 'deposit',
      amountCents: 5_000,
      memo: 'Deposit',
    })
    const statement = await read(orgUserId)
    expect(statement).toMatchObject({ openingBalanceCents: 0, closingBalanceCents: -5_000, currency: 'usd' })
    expect(statement.rows.map(({ kind, amountCents, balanceCents }) => [kind, amountCents, balanceCents])).toEqual([
      ['invoice', 25_000, 25_000],
      ['payment', -10_000, 15_000],
      ['payment', -15_000, 0],
      ['credit', -4_000, -4_000],
      ['refund', 4_000, 0],
      ['ledger', -5_000, -5_000],
    ])
    expect(statement.rows[1]?.description).toBe(`Payment by check, Check 1042, noted by ${school.admin.name}`)
    expect(statement.rows[4]?.description).toBe(`Refund by hand, given by ${school.admin.name}`)
    expect(await owed(orgUserId)).toBe(-5_000)
    const paper = await api.as(school.student).get(`/orgUsers/${orgUserId}/statement?format=pdf`)
    expect([paper.statusCode, paper.headers['content-type']]).toEqual([200, 'application/pdf'])
    const text = pdfText(paper.rawPayload)
    for (const words of ['Statement', name, 'Opening balance', 'Check 1042', '$250.00', 'In your favour: $50.00']) {
      expect(text).toContain(words.replaceAll(' ', ''))
    }
  })

  test('begins with the balance before its window', async ({ env: { school }, raise, read }) => {
    const { orgUserId } = school.renter
    await raise(orgUserId, 8_000)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString()
    expect(await read(orgUserId, `?startDate=${tomorrow}&endDate=${later}`)).toMatchObject({
      openingBalanceCents: 8_000,
      closingBalanceCents: 8_000,
      rows: [],
    })
  })

  test('closes with the balance of the report after any sequence of moves, on the ledger too', async ({
    env: { api, school, workers },
    raise,
    read,
    owed,
  }) => {
    const onLedger = school.instructor
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${onLedger.orgUserId}`, { billingMode: 'ledger' })
    const payers = [school.dispatcher.orgUserId, school.technician.orgUserId, onLedger.orgUserId]
    const invoices: number[] = []
    const send = (path: string, body: object) => api.as(school.admin).post(path, body)
    // A fixed sequence of pseudo-random numbers: a failure repeats.
    let seed = 42
    const draw = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    for (let step = 0; step < 90; step++) {
      const payer = payers[draw(3)]!
      const id = invoices[draw(Math.max(invoices.length, 1))]
      const amountCents = 500 + draw(6_000)
      const move = draw(8)
      if (move === 0 || id === undefined) invoices.push((await raise(payer, 1_000 + draw(9_000))).id)
      else if (move === 1) await send(`/invoices/${id}/payments`, { amountCents, method: 'cash' })
      else if (move === 2) {
        // The owner raised none of the invoices, and so may pay them from the ledgers.
        await api.as(school.owner).post(`/invoices/${id}/payments`, { amountCents, method: 'ledger' })
      } else if (move === 3) await send(`/invoices/${id}/void`, { reason: 'Wrong' })
      else if (move === 4) {
        const { payments } = await expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`)
        if (payments[0]) await send(`/invoices/${id}/payments/${payments[0].id}/reverse`, { reason: 'Bounced' })
      } else if (move === 5) {
        await send(`/orgUsers/${payer}/ledger`, { kind: 'deposit', amountCents, memo: 'Cash' })
      } else {
        const refund = ['offline', 'ledger', 'none', 'processor'][draw(4)]
        await send(`/invoices/${id}/creditNotes`, { amountCents, reason: 'Wrong', refund })
      }
      if (step % 6 === 5) {
        for (const one of payers) expect([step, (await read(one)).closingBalanceCents]).toEqual([step, await owed(one)])
      }
    }
    await workers.settled()
    for (const one of payers) {
      const { openingBalanceCents, closingBalanceCents, rows } = await read(one)
      const moved = rows.reduce((sum, { amountCents }) => sum + amountCents, 0)
      expect([openingBalanceCents + moved, closingBalanceCents]).toEqual([closingBalanceCents, await owed(one)])
      expect(rows.length).toBeGreaterThan(4)
    }
  })
})
