import { describe, expect } from 'vitest'
import type { Member } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { giveDesk } from '../../support/grants.ts'
import { buildInvoice } from '../../support/records.ts'

const test = schoolWorkersTest()
  .extend('cashier', { auto: true }, async ({ api, school }) => {
    await giveDesk(api, school, school.dispatcher, 'cashier')
    return school.dispatcher
  })
  .extend('mailed', ({ workers }) => async ({ email }: Member, count: number) => {
    const mails = await eventually(
      async () => workers.mails(email).filter(({ subject }) => /receipt \d+$/.test(subject)),
      ({ length }) => length === count,
    )
    return mails.map(({ subject, text }) => [subject.split(': ')[1], text.split('\n\n')[2]?.replaceAll('\n', ' ')])
  })

describe('what is taken by hand (§22.1)', () => {
  test('is mailed to the payer, and a reversal to the payer and all owners', async ({
    api,
    school,
    cashier,
    mailed,
  }) => {
    const { student, owner, admin } = school
    const id = await buildInvoice(api, school, { payer: student, totalCents: 5_000, number: 41 })
    const { payments } = await expectOk<{ payments: { id: number }[] }>(
      api,
      cashier,
      'POST',
      `/invoices/${id}/payments`,
      { amountCents: 5_000, method: 'cash' },
    )
    const deposit = { kind: 'deposit', amountCents: 2_500 }
    await expectOk(api, cashier, 'POST', `/orgUsers/${student.orgUserId}/ledger`, deposit)
    await expectOk(api, admin, 'POST', `/orgUsers/${student.orgUserId}/ledger`, deposit)
    const taken = [
      [
        'receipt 1',
        `${cashier.name} recorded a payment of $50.00 by cash from ${student.name} for invoice 41. The number of the receipt is 1.`,
      ],
      [
        'receipt 2',
        `${cashier.name} recorded a deposit of $25.00 to the account of ${student.name}. The number of the receipt is 2.`,
      ],
      [
        'receipt 3',
        `${admin.name} recorded a deposit of $25.00 to the account of ${student.name}. The number of the receipt is 3.`,
      ],
    ]
    expect((await mailed(student, 3)).toSorted()).toEqual(taken)
    expect(await mailed(owner, 0)).toEqual([])
    const reason = { reason: 'Typed twice' }
    await expectOk(api, cashier, 'POST', `/invoices/${id}/payments/${payments[0]!.id}/reverse`, reason)
    const reversed = [
      'reversal of receipt 1',
      `${cashier.name} reversed a payment of $50.00 by cash from ${student.name} for invoice 41, which ${cashier.name} had recorded as receipt 1. It is due again. The reason: Typed twice`,
    ]
    expect(await mailed(owner, 1)).toEqual([reversed])
    expect((await mailed(student, 4)).toSorted()).toEqual([...taken, reversed].toSorted())
    const entries = await expectOk<{ id: number; receiptNumber: number | null }[]>(
      api,
      admin,
      'GET',
      `/orgUsers/${student.orgUserId}/ledger`,
    )
    const entryId = entries.find(({ receiptNumber }) => receiptNumber === 2)!.id
    await expectOk(api, admin, 'POST', `/ledger/${entryId}/reverse`, { reason: 'Counted twice' })
    const undone = [
      'reversal of receipt 2',
      `${admin.name} reversed a deposit of $25.00 to the account of ${student.name}, which ${cashier.name} had recorded as receipt 2. It is no longer on the account. The reason: Counted twice`,
    ]
    expect((await mailed(owner, 2)).toSorted()).toEqual([reversed, undone].toSorted())
    expect((await mailed(student, 5)).toSorted()).toEqual([...taken, reversed, undone].toSorted())
  })
})
