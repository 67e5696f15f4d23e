import { describe, expect } from 'vitest'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { must } from '../../support/flights.ts'
import { buildSigned, runPay } from '../../support/pay-runs.ts'

const test = schoolWorkersTest()

describe('money in an admin’s own favour (§Invoices)', () => {
  test('is mailed to the owners: an entry, pay rates, a pay run', async ({ api, workers, school }) => {
    const { admin, owner } = school
    await must(api, admin, 'POST', `/orgUsers/${admin.orgUserId}/ledger`, { kind: 'deposit', amountCents: 5_000 })
    await must(api, admin, 'PATCH', `/orgUsers/${admin.orgUserId}`, { payRates: { flight: 4_500, ground: 3_000 } })
    await buildSigned(api, school, { endedAt: new Date('2026-11-03T12:00:00Z'), instructor: admin, hobbs: 140 })
    await runPay(api, school, ['2026-11-01', '2026-11-30'])
    await workers.settled()
    const mails = workers.mails(owner.email)
    expect(mails).toHaveLength(3)
    for (const words of [
      `${admin.name} posted $50.00 to their own account.`,
      `${admin.name} changed what they are paid themself: to at most $45.00 an hour.`,
      // 1.4 × $45.00.
      `${admin.name} made a pay run in which they are paid themself: $63.00.`,
    ]) {
      expect(mails.some(({ subject, text }) => /somebody’s own favour/.test(subject) && text.includes(words))).toBe(
        true,
      )
    }
    expect(workers.mails(admin.email)).toEqual([])
  })
})
