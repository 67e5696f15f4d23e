import { describe, expect } from 'vitest'
import { cents, hundredths } from '../../../../src/shared/platform/kernel/units.ts'
import { NOW } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildGuest, buildInvoice } from '../../../support/records.ts'

const test = sharedSchoolTest()
  .extend('elsewhere', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend(
    'list',
    ({ api, school }) =>
      async (query = '', who: Member = school.admin, path = '/invoices'): Promise<string[]> => {
        const rows = await expectOk<{ id: number }[]>(api, who, 'GET', `${path}?${query}`)
        return rows.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? String(id))
      },
  )
  .extend(
    'summary',
    ({ api, school }) =>
      (query = '') =>
        expectOk(api, school.admin, 'GET', `/invoices/summary?${query}`),
  )
  .extend(
    'read',
    ({ api }) =>
      (id: number, who: Member) =>
        api.as(who).get(`/invoices/${id}`),
  )

let ben: Member
/** By name, the ids of the invoices of the school. */
let ids: Record<'old' | 'paid' | 'open' | 'overdue' | 'void' | 'pending' | 'guest' | 'failed', number>

const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000)

test.beforeAll(async ({ api, school, elsewhere }) => {
  ben = await buildMember(api, school.organizationId, ['student'])
  const guestId = await buildGuest(api, school, 'gia@example.com')
  const put = (given: Omit<Parameters<typeof buildInvoice>[2], 'payer'> & { payer?: Member | { guestId: number } }) =>
    buildInvoice(api, school, { payer: school.student, dueAt: null, ...given })
  ids = {
    old: await put({ number: 1, status: 'paid', totalCents: 1_000, createdAt: days(-40) }),
    paid: await put({ number: 2, status: 'paid', totalCents: 2_000, createdAt: days(-6), memo: 'Stalls 100%' }),
    open: await put({ number: 471_199, totalCents: 4_000, createdAt: days(-5), dueAt: days(1) }),
    overdue: await put({ number: 4, totalCents: 8_000, createdAt: days(-4), dueAt: days(-1), payer: ben }),
    void: await put({ number: 5, status: 'void', totalCents: 16_000, createdAt: days(-3), dueAt: days(-2) }),
    pending: await put({ number: null, status: 'pending', totalCents: 32_000, createdAt: days(-2), payer: ben }),
    guest: await put({ number: 6, totalCents: 64_000, createdAt: days(-1), payer: { guestId } }),
    failed: await put({ number: null, status: 'failed', totalCents: 128_000, createdAt: days(-1) }),
  }
  await api.core.database.db
    .insertInto('invoice_item')
    .values({
      organization_id: school.organizationId,
      invoice_id: ids.guest,
      position: 0,
      kind: 'aircraft',
      description: 'N512FL (wet, Hobbs)',
      quantity_hundredths: hundredths(140),
      unit: 'hour',
      unit_price: cents(18_000),
      amount_cents: cents(25_200),
    })
    .execute()
  await api.core.database.db
    .updateTable('invoice')
    .set({ refunded_cents: cents(400), gateway_refunded_cents: cents(400) })
    .where('id', '=', ids.old)
    .execute()
  await buildInvoice(api, elsewhere, { payer: elsewhere.student, number: 471_199 })
})

describe('the list of invoices (§Invoices, GET /invoices)', () => {
  test.for<[string, string[]]>([
    ['', ['guest', 'pending', 'void', 'overdue', 'open', 'paid', 'old']],
    ['paid=true', ['paid', 'old']],
    ['paid=false', ['guest', 'pending', 'void', 'overdue', 'open']],
    ['voided=true', ['void']],
    ['voided=false', ['guest', 'pending', 'overdue', 'open', 'paid', 'old']],
    ['paid=false&voided=false', ['guest', 'pending', 'overdue', 'open']],
    ['overdue=true', ['overdue']],
    ['overdue=false', ['guest', 'pending', 'void', 'open', 'paid', 'old']],
    ['startDate=2026-11-15T12:00:00Z', ['guest', 'pending', 'void', 'overdue', 'open', 'paid']],
    ['endDate=2026-11-15T12:00:00Z', ['old']],
    ['startDate=2026-11-16T12:00:00Z&endDate=2026-11-19T12:00:00Z', ['void', 'overdue', 'open']],
    ['startDate=2026-11-16T07:00:00-05:00&endDate=2026-11-16T12:00:00.001Z', ['open']],
    ['q=471199', ['open']],
    ['q=100%25', ['paid']],
    ['q=STALLS', ['paid']],
    ['q=n512fl', ['guest']],
    ['q=gia', ['guest']],
    ['q=nothing-like-it', []],
    ['limit=2', ['guest', 'pending']],
    ['limit=2&offset=5', ['paid', 'old']],
    ['sort=totalCents', ['old', 'paid', 'open', 'overdue', 'void', 'pending', 'guest']],
    ['sort=totalCents&order=desc&limit=2', ['guest', 'pending']],
    ['sort=number', ['old', 'paid', 'overdue', 'void', 'guest', 'open', 'pending']],
    ['sort=customer.name&q=ben', []],
  ])('selects by ?%s', async ([query, expected], { list }) => {
    expect(await list(query)).toEqual(expected)
  })

  test('finds an invoice by its present content, in any spelling', async ({ api, school, list }) => {
    const { db } = api.core.database
    const found = (q: string) => list(`q=${encodeURIComponent(q)}`)
    const item = {
      organization_id: school.organizationId,
      kind: 'other',
      quantity_hundredths: hundredths(100),
      unit: 'each',
    }
    const line = { ...item, invoice_id: ids.old, position: 0, unit_price: cents(1_000), amount_cents: cents(1_000) }
    await db
      .insertInto('invoice_item')
      .values({ ...line, description: 'ÉPREUVE à 50%_off\\' })
      .execute()
    for (const q of ['épreuve', '50%', '%_O', 'f\\', 'à']) expect(await found(q)).toEqual(['old'])
    expect(await found('5%_')).toEqual([])
    await db.updateTable('invoice_item').set({ description: 'Examination' }).where('invoice_id', '=', ids.old).execute()
    expect(await found('épreuve')).toEqual([])
    expect(await found('examination')).toEqual(['old'])
    await db.updateTable('invoice').set({ memo: 'Retaken' }).where('id', '=', ids.old).execute()
    expect(await found('retaken')).toEqual(['old'])
    await db.deleteFrom('invoice_item').where('invoice_id', '=', ids.old).execute()
    expect(await found('examination')).toEqual([])
    expect(await found('retaken')).toEqual(['old'])
  })

  test('reports the total before the page is cut', async ({ api, school }) => {
    const answer = await api.as(school.admin).get('/invoices?limit=2&voided=false')
    expect(answer.headers['x-total-count']).toBe('6')
  })

  test.for([
    'startDate=yesterday',
    'endDate=2026-11-31T00:00:00Z',
    'startDate=2026-11-16T12:00:00',
    'paid=maybe',
    'limit=0',
  ])('refuses ?%s', async (query, { api, school }) => {
    expect((await api.call('GET', `/invoices?${query}`, { token: school.admin.token })).statusCode).toBe(400)
    if (query.startsWith('limit')) return
    expect(
      (await api.call('GET', `/invoices/orgUsers/${ben.orgUserId}?${query}`, { token: ben.token })).statusCode,
    ).toBe(400)
  })
})

describe('the invoices of a member (§Invoices, GET /invoices/orgUsers/{id})', () => {
  const path = () => `/invoices/orgUsers/${ben.orgUserId}`

  test('are read by the member and by admins, with the filters of the list', async ({ school, list }) => {
    expect(await list('', ben, path())).toEqual(['pending', 'overdue'])
    expect(await list('overdue=true', school.owner, path())).toEqual(['overdue'])
    expect(await list('paid=true', ben, path())).toEqual([])
    expect(await list('endDate=2026-11-18T00:00:00Z', ben, path())).toEqual(['overdue'])
    expect(await list('voided=true', school.admin, `/invoices/orgUsers/${school.student.orgUserId}`)).toEqual(['void'])
  })
})

describe('the summary of invoices (§Invoices, GET /invoices/summary)', () => {
  const all = {
    // 10.00 less 4.00 given back, and 20.00
    revenueCents: 2_600,
    outstandingCents: 4_000 + 8_000 + 32_000 + 64_000,
    overdueCents: 8_000,
    creditedCents: 0,
    refundedCents: 400,
    paidCount: 2,
    outstandingCount: 4,
    overdueCount: 1,
    voidedCount: 1,
  }

  test('counts what is paid, outstanding, overdue and void, and not what the processor refused', async ({
    summary,
  }) => {
    expect(await summary()).toEqual(all)
  })

  test('uses the window of the list, which paid does not narrow', async ({ summary }) => {
    const window = 'startDate=2026-11-15T12:00:00Z&endDate=2026-11-18T00:00:00Z'
    const within = {
      ...all,
      revenueCents: 2_000,
      outstandingCents: 12_000,
      refundedCents: 0,
      paidCount: 1,
      outstandingCount: 2,
      voidedCount: 0,
    }
    expect(await summary(window)).toEqual(within)
    expect(await summary(`${window}&paid=true`)).toEqual(within)
  })

  test('follows q and voided', async ({ summary }) => {
    expect(await summary('voided=false')).toEqual({ ...all, voidedCount: 0 })
    expect(await summary('q=stalls')).toMatchObject({ revenueCents: 2_000, outstandingCents: 0, paidCount: 1 })
    expect(await summary('q=n512fl')).toMatchObject({ outstandingCents: 64_000, outstandingCount: 1 })
  })

  test('refuses a range that cannot be read', async ({ api, school }) => {
    const refused = await api.as(school.admin).get('/invoices/summary?startDate=soon')
    expect(refused.statusCode).toBe(400)
  })
})

describe('an invoice (§Invoices, GET /invoices/{id})', () => {
  test('has all its fields and its lines', async ({ school, read }) => {
    expect((await read(ids.guest, school.admin)).json().data).toMatchObject({
      guest: { name: 'Gia Visitor', email: 'gia@example.com' },
      customer: null,
      items: [
        { description: 'N512FL (wet, Hobbs)', quantity: 1.4, unit: 'hour', unitPrice: 18_000, amountCents: 25_200 },
      ],
      overdue: false,
      paid: false,
      voided: false,
    })
    expect((await read(ids.overdue, ben)).json().data).toMatchObject({ overdue: true, amountDueCents: 8_000 })
    expect((await read(ids.paid, school.student)).json().data).toMatchObject({ paid: true, amountDueCents: 0 })
  })
})

test('the text of an invoice for searches is written with it, and not once more after its lines', async ({
  api,
  school,
}) => {
  const { pool } = api.core.database
  const payer = await buildMember(api, school.organizationId, ['student'])
  await pool.query(`update membership set billing_mode = 'ledger' where id = $1`, [payer.orgUserId])
  await pool.query('update organization set last_invoice_number = 1000 where id = $1', [school.organizationId])
  const items = ['HEADSET Ärmel', 'Charts'].map((description) => ({ description, unitPrice: 1_000 }))
  const body = { customer: { orgUserId: payer.orgUserId }, memo: 'Shop', items }
  const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/invoices', body)
  // The number of a command within the transaction that wrote the row.
  const { rows } = await pool.query(
    `select i.search, i.search = invoice_words(i.organization_id, i.id, i.memo) as whole,
       i.cmin::text::int < min(t.cmin::text::int) as once
     from invoice i join invoice_item t on t.invoice_id = i.id where i.id = $1 group by i.id, i.cmin`,
    [id],
  )
  expect(rows).toEqual([{ search: 'shop\nheadset ärmel\ncharts', whole: true, once: true }])
})
