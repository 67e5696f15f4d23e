import { expect } from 'vitest'
import { lockInvoice } from '../../../../src/shared/billing/invoices/invoice.access.ts'
import { recordDispute } from '../../../../src/shared/billing/payments/record-dispute.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { cents } from '../../../../src/shared/platform/kernel/units.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildInvoice } from '../../../support/records.ts'

const test = schoolTest()

test('the deadline for evidence is told when it moves while the dispute is open; once it is over it is only stored', async ({
  api,
  school,
}) => {
  const id = await buildInvoice(api, school, { payer: school.student, status: 'paid' })
  const read = (status: 'open' | 'lost', due: string | null) =>
    inTransaction(api.core.database, api.core.clock, async (tx) => {
      const invoice = await lockInvoice(tx, school.organizationId, id)
      const evidenceDueAt = due === null ? null : new Date(due)
      recordDispute(tx, invoice!, { disputes: [{ status, amountCents: cents(10_000), evidenceDueAt }] })
    })
  const told = async () => {
    const events = await expectOk<{ after: object }[]>(api, school.admin, 'GET', '/audit?action=invoice.disputed')
    return events.map(({ after }) => after).toReversed()
  }
  const stored = async () =>
    (await expectOk<{ dispute: { evidenceDueAt: string | null } }>(api, school.admin, 'GET', `/invoices/${id}`)).dispute
      .evidenceDueAt

  await read('open', null)
  expect(await stored()).toBeNull()
  await read('open', '2026-12-05T23:59:59Z')
  await read('open', '2026-12-05T23:59:59Z')
  expect(await stored()).toBe('2026-12-05T23:59:59.000Z')
  await read('lost', '2026-12-05T23:59:59Z')
  await read('lost', '2026-12-08T23:59:59Z')
  expect(await stored()).toBe('2026-12-08T23:59:59.000Z')
  expect(await told()).toEqual([
    { status: 'open', amountCents: 10_000, evidenceDueAt: null },
    { status: 'open', amountCents: 10_000, evidenceDueAt: '2026-12-05T23:59:59.000Z' },
    { status: 'lost', amountCents: 10_000, evidenceDueAt: '2026-12-05T23:59:59.000Z' },
  ])
})
