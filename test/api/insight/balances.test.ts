import { describe, expect } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildGuest } from '../../support/records.ts'
import { buildBill } from '../../support/reports.ts'

const test = apiTest()
const other = (amountCents: number) => [{ kind: 'other', amountCents }]

interface Row {
  orgUserId: number | null
  guestId: number | null
}

describe('GET /reports/balances (§Reports)', () => {
  test('a payer owes what invoices have due, less what is on account', async ({ api }) => {
    const school = await buildSchool(api)
    const { student, renter, admin } = school
    const guestId = await buildGuest(api, school, 'gia@example.com')
    await buildBill(api, school, { payer: student, lines: other(20_000), dueAt: new Date('2025-01-01T00:00:00Z') })
    await buildBill(api, school, { payer: student, lines: other(500), status: 'pending' })
    await buildBill(api, school, { payer: student, lines: other(7_000), status: 'void' })
    await buildBill(api, school, { payer: student, lines: other(7_000), status: 'failed' })
    const paidAt = api.clock.now
    await buildBill(api, school, { payer: student, lines: other(9_000), paidAt })
    await buildBill(api, school, {
      payer: student,
      lines: other(9_000),
      paidAt,
      refunded: { at: paidAt, cents: 9_000 },
    })
    await buildBill(api, school, { payer: { guestId }, lines: other(700) })
    const post = (orgUserId: number, kind: string, amountCents: number) =>
      expectOk(api, admin, 'POST', `/orgUsers/${orgUserId}/ledger`, { kind, amountCents, memo: 'By hand' })
    await post(student.orgUserId, 'deposit', 15_000)
    await post(student.orgUserId, 'adjustment', -2_500)
    await post(renter.orgUserId, 'deposit', 4_000)

    const rows = await expectOk<Row[]>(api, admin, 'GET', '/reports/balances')
    // 20,000 + 500 due; 15,000 − 2,500 on account.
    expect(rows.find(({ orgUserId }) => orgUserId === student.orgUserId)).toEqual({
      orgUserId: student.orgUserId,
      guestId: null,
      name: student.name,
      dueCents: 20_500,
      overdueCents: 20_000,
      ledgerBalanceCents: 12_500,
      packageCents: 0,
      balanceCents: 8_000,
    })
    expect(rows.find(({ orgUserId }) => orgUserId === renter.orgUserId)).toMatchObject({
      dueCents: 0,
      overdueCents: 0,
      ledgerBalanceCents: 4_000,
      balanceCents: -4_000,
    })
    expect(rows.find((row) => row.guestId === guestId)).toMatchObject({
      orgUserId: null,
      name: 'Gia Visitor',
      dueCents: 700,
      ledgerBalanceCents: 0,
      balanceCents: 700,
    })
    expect(rows.find(({ orgUserId }) => orgUserId === school.instructor.orgUserId)).toMatchObject({ balanceCents: 0 })
  })

  test('what the school owes back on a paid invoice that is credited lessens the balance', async ({ api }) => {
    const school = await buildSchool(api)
    const { student, admin } = school
    const paid = await buildBill(api, school, { payer: student, lines: other(9_000), paidAt: api.clock.now })
    const credited_cents = cents(2_000)
    await api.core.database.db.updateTable('invoice').set({ credited_cents }).where('id', '=', paid).execute()
    await buildBill(api, school, { payer: student, lines: other(3_000) })
    const rows = await expectOk<Row[]>(api, admin, 'GET', '/reports/balances')
    expect(rows.find(({ orgUserId }) => orgUserId === student.orgUserId)).toMatchObject({
      dueCents: 1_000,
      balanceCents: 1_000,
    })
  })
})
