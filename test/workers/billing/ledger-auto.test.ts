import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { payerByCard } from '../../support/cards.ts'
import { eventually } from '../../support/eventually.ts'
import { billingTest } from '../../support/fixtures.ts'
import { closedOutFlight, expectOk } from '../../support/flights.ts'

interface Invoice {
  id: number
  status: string
  amountDueCents: number
  settlement: string
  paymentMethod: string | null
  payments: { method: string; amountCents: number; recordedBy: unknown }[]
}

const items = (unitPrice: number) => [{ description: 'Headset', unitPrice }]

const test = billingTest({ settings: { payFromLedger: 'auto' } })
  .extend('member', ({ env: { api, school } }) => buildMember(api, school.organizationId, ['renter']))
  .extend(
    'deposit',
    ({ env: { api, school }, member }) =>
      (amountCents: number, to: Member = member) =>
        expectOk(api, school.owner, 'POST', `/orgUsers/${to.orgUserId}/ledger`, { kind: 'deposit', amountCents }),
  )
  .extend(
    'raise',
    ({ env: { api, school }, member }) =>
      (unitPrice: number, to: Member = member) =>
        expectOk<Invoice>(api, school.admin, 'POST', '/invoices', {
          customer: { orgUserId: to.orgUserId },
          items: items(unitPrice),
        }),
  )
  .extend(
    'look',
    ({ env: { api, school } }) =>
      (id: number) =>
        expectOk<Invoice>(api, school.owner, 'GET', `/invoices/${id}`),
  )

describe('a ledger that pays by itself (§Organizations: payFromLedger auto)', () => {
  test('pays what its owner bought when it is raised, and the processor gets the rest', async ({
    env: { api, school, simulator, workers },
    deposit,
    look,
  }) => {
    const { admin } = school
    const raiseOwn = (unitPrice: number) =>
      expectOk<Invoice>(api, admin, 'POST', '/invoices', {
        customer: { orgUserId: admin.orgUserId },
        items: items(unitPrice),
      })
    await deposit(12_000, admin)
    expect(await raiseOwn(10_000)).toMatchObject({
      status: 'paid',
      settlement: 'offline',
      paymentMethod: 'ledger',
      payments: [{ method: 'ledger', amountCents: 10_000, recordedBy: null }],
    })
    const { id } = await raiseOwn(2_020)
    await workers.settled()
    expect(await look(id)).toMatchObject({ status: 'open', amountDueCents: 50, payments: [{ amountCents: 1_970 }] })
    expect((await simulator.everything()).invoices.map(({ total }) => total)).toContain(50)
    expect((await simulator.everything()).invoices.map(({ total }) => total)).not.toContain(10_000)
  })

  test('pays a signed flight before autopay, which charges the rest', async ({ env, deposit, look }) => {
    const { api, school, workers } = env
    const payer = await payerByCard(env, 'ok')
    await deposit(10_000, payer)
    const hours = { start: '2026-10-07T10:00:00Z', end: '2026-10-07T12:00:00Z' }
    const flight = await closedOutFlight(api, school, { students: [payer], ...hours })
    // 1.4 h × $180 and 1.4 h × $60
    const [invoice] = await expectOk<Invoice[]>(api, school.admin, 'POST', `/reservations/${flight}/invoices`, {})
    await workers.settled()
    expect(await look(invoice!.id)).toMatchObject({
      status: 'paid',
      payments: [
        { method: 'ledger', amountCents: 10_000 },
        { method: 'card', amountCents: 23_600 },
      ],
    })
  })

  test('pays what somebody else raised 24 hours after a mail, and not when it is void by then', async ({
    env: { api, school, workers },
    member,
    deposit,
    raise,
    look,
  }) => {
    await deposit(30_000)
    const [{ id }, other] = [await raise(20_000), await raise(5_000)]
    const told = async () => {
      const { rows } = await api.core.database.pool.query(
        `select id, ledger_from from invoice where membership_id = $1 and ledger_from is not null`,
        [member.orgUserId],
      )
      return rows as { id: number; ledger_from: Date }[]
    }
    const [first] = await eventually(told, (rows) => rows.length === 2)
    expect(first!.ledger_from.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000)
    expect(await look(id)).toMatchObject({ status: 'open', amountDueCents: 20_000 })
    await api.core.database.pool.query("update invoice set ledger_from = now() - interval '1 second' where id = $1", [
      id,
    ])
    await deposit(1)
    expect(await look(id)).toMatchObject({ status: 'paid', paymentMethod: 'ledger' })
    expect(await look(other.id)).toMatchObject({ status: 'open', amountDueCents: 5_000 })
    await expectOk(api, school.admin, 'POST', `/invoices/${other.id}/void`, { reason: 'The payer objected' })
    await api.core.database.pool.query("update invoice set ledger_from = now() - interval '1 second' where id = $1", [
      other.id,
    ])
    await deposit(1)
    expect(await look(other.id)).toMatchObject({ status: 'void', payments: [] })
    await workers.settled()
    const subjects = workers.mails(member.email).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/\$200\.00 is paid from your ledger, unless you object/))
    expect(subjects).toContainEqual(expect.stringMatching(/Paid from your ledger: \$200\.00/))
  })
})
