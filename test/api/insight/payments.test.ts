import { describe, expect } from 'vitest'
import { NOW } from '../../support/app.ts'
import { buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBill, buildPayment } from '../../support/reports.ts'

const test = apiTest()

test.beforeEach(({ api }) => {
  api.clock.now = NOW
})

describe('GET /reports/payments (§Reports)', () => {
  test('adds up what each person took in, took back and gave back on a day, by method', async ({ api }) => {
    const school = await buildSchool(api)
    const { admin, owner, student } = school
    const lines = [{ kind: 'other', amountCents: 30_000 }]
    const invoices = [
      await buildBill(api, school, { payer: student, lines }),
      await buildBill(api, school, { payer: student, lines }),
    ]
    const pay = (who: typeof admin, at: number, amountCents: number, method: string) =>
      expectOk<{ payments: { id: number }[] }>(api, who, 'POST', `/invoices/${invoices[at]}/payments`, {
        amountCents,
        method,
        receivedAt: '2026-11-20T18:00:00Z',
      })
    await pay(admin, 0, 10_000, 'cash')
    await pay(admin, 0, 20_000, 'cash')
    const { payments } = await pay(owner, 1, 30_000, 'check')
    await expectOk(api, owner, 'POST', `/invoices/${invoices[1]}/payments/${payments[0]!.id}/reverse`, {
      reason: 'Bounced',
    })
    await expectOk(api, owner, 'POST', `/invoices/${invoices[0]}/creditNotes`, {
      amountCents: 4_000,
      reason: 'One book was missing',
      refund: 'offline',
    })
    await expectOk(api, owner, 'POST', `/invoices/${invoices[0]}/creditNotes`, {
      amountCents: 1_000,
      reason: 'Late',
      refund: 'ledger',
    })
    const path = '/reports/payments?startDate=2026-11-01&endDate=2026-11-30'
    const none = { payments: 0, amountCents: 0, reversedCents: 0, reversedByOthersCents: 0 }
    const of = (who: typeof admin) => ({ orgUserId: who.orgUserId, name: who.name, date: '2026-11-20' })
    expect(await expectOk(api, admin, 'GET', path)).toEqual(
      [
        {
          ...of(owner),
          method: 'check',
          payments: 1,
          amountCents: 30_000,
          reversedCents: 0,
          reversedByOthersCents: 0,
          refundedCents: 0,
          netCents: 30_000,
        },
        {
          ...of(owner),
          date: '2026-11-21',
          method: 'check',
          ...none,
          reversedCents: 30_000,
          refundedCents: 0,
          netCents: -30_000,
        },
        { ...of(owner), date: '2026-11-21', method: 'offline', ...none, refundedCents: 4_000, netCents: -4_000 },
        {
          ...of(admin),
          method: 'cash',
          payments: 2,
          amountCents: 30_000,
          reversedCents: 0,
          reversedByOthersCents: 0,
          refundedCents: 0,
          netCents: 30_000,
        },
      ].sort((a, b) => a.date.localeCompare(b.date) || a.orgUserId - b.orgUserId || a.method.localeCompare(b.method)),
    )
    const csv = await api.as(admin).get(`${path}&format=csv`)
    expect(csv.body.split('\r\n')[0]).toContain(
      'date,orgUserId,name,method,payments,amountCents,reversedCents,reversedByOthersCents,refundedCents,netCents',
    )
  })

  test('keeps a closed day as it was: a reversal counts on its own local day, by who reversed it', async ({ api }) => {
    const school = await buildSchool(api, { timeZoneName: 'America/Los_Angeles' })
    const { admin, owner, student } = school
    const invoice = await buildBill(api, school, { payer: student, lines: [{ kind: 'other', amountCents: 30_000 }] })
    // 18:00 on the 20th in Los Angeles.
    const payment = { amountCents: 30_000, method: 'check', receivedAt: '2026-11-21T02:00:00Z' }
    api.clock.now = new Date('2026-11-21T03:00:00Z')
    const paid = await expectOk<{ payments: { id: number }[] }>(
      api,
      admin,
      'POST',
      `/invoices/${invoice}/payments`,
      payment,
    )
    const day = (date: string) =>
      expectOk<Row[]>(
        api,
        admin,
        'GET',
        `/reports/payments?startDate=${date}T00:00:00-08:00&endDate=${date}T23:59:59-08:00`,
      )
    const closed = await day('2026-11-20')
    const came = { date: '2026-11-20', orgUserId: admin.orgUserId, method: 'check', payments: 1, amountCents: 30_000 }
    expect(closed).toMatchObject([{ ...came, reversedCents: 0, refundedCents: 0 }])

    // 20:30 on the 23rd there.
    api.clock.now = new Date('2026-11-24T04:30:00Z')
    const path = `/invoices/${invoice}/payments/${paid.payments[0]!.id}/reverse`
    await expectOk(api, owner, 'POST', path, { reason: 'Bounced' })
    expect(await day('2026-11-20')).toEqual(closed)
    const none = { payments: 0, amountCents: 0, refundedCents: 0 }
    expect(await day('2026-11-23')).toMatchObject([
      { date: '2026-11-23', orgUserId: owner.orgUserId, method: 'check', ...none, reversedCents: 30_000 },
      {
        orgUserId: admin.orgUserId,
        method: 'check',
        ...none,
        reversedCents: 0,
        reversedByOthersCents: 30_000,
        netCents: 0,
      },
    ])
    expect(await day('2026-11-24')).toEqual([])
  })

  test('shows what lost disputes took by nobody, also when the invoice was made void afterwards (S73)', async ({
    api,
  }) => {
    const school = await buildSchool(api)
    const lines = [{ kind: 'other', amountCents: 30_000 }]
    const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
    const lost = await buildBill(api, school, { payer: school.student, lines })
    await buildPayment(api, school, lost, { cents: 30_000, at: at(3), reversed: at(18) })
    const gone = await buildBill(api, school, { payer: school.student, lines, status: 'void' })
    await buildPayment(api, school, gone, { cents: 30_000, at: at(4), reversed: at(19) })
    const path = '/reports/payments?startDate=2026-11-10&endDate=2026-11-30'
    const row = (date: string) => ({
      date,
      orgUserId: null,
      name: null,
      method: 'card',
      payments: 0,
      amountCents: 0,
      reversedCents: 30_000,
      reversedByOthersCents: 0,
      refundedCents: 0,
      netCents: -30_000,
    })
    expect(await expectOk(api, school.admin, 'GET', path)).toEqual([row('2026-11-18'), row('2026-11-19')])
  })
})

interface Row {
  date: string
  orgUserId: number | null
  reversedCents: number
}
