import { describe, expect } from 'vitest'
import { mailOwnMoney } from '../../../src/shared/billing/ledger/own-money.jobs.ts'
import { applyLoosenedControls } from '../../../src/shared/identity/organizations/apply-loosened.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { buildMember } from '../../support/builders.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { dualBody, expectOk } from '../../support/flights.ts'
import { buildSigned, runPay } from '../../support/pay-runs.ts'

/** The payment processor is away, so its own jobs wait: a test waits for the mails alone. */
const test = schoolWorkersTest()

describe('money in an admin’s own favour (§Invoices)', () => {
  test('is mailed to the owners: an entry, pay rates, a pay run', async ({ api, workers, school }) => {
    const { admin, owner } = school
    await expectOk(api, admin, 'POST', `/orgUsers/${admin.orgUserId}/ledger`, { kind: 'deposit', amountCents: 5_000 })
    await expectOk(api, admin, 'PATCH', `/orgUsers/${admin.orgUserId}`, { payRates: { flight: 4_500, ground: 3_000 } })
    await buildSigned(api, school, { endedAt: new Date('2026-11-03T12:00:00Z'), instructor: admin, hobbs: 140 })
    await runPay(api, school, ['2026-11-01', '2026-11-30'])
    await workers.ended(mailOwnMoney)
    const mails = workers.mails(owner.email)
    expect(mails).toHaveLength(3)
    for (const words of [
      `${admin.name} posted $50.00 to their own account.`,
      `${admin.name} changed their own pay rate: to at most $45.00 an hour.`,
      // 1.4 × $45.00.
      `${admin.name} created a pay run that pays them: $63.00.`,
    ]) {
      expect(mails.some(({ subject, text }) => /somebody’s own favour/.test(subject) && text.includes(words))).toBe(
        true,
      )
    }
    expect(workers.mails(admin.email).filter(({ subject }) => !subject.includes('receipt'))).toEqual([])
  })

  test('is mailed and marked: an own invoice lowered and voided, own taxes, billing and rates, an own price paid ahead', async ({
    api,
    workers,
    school,
  }) => {
    const { admin, owner } = school
    const customer = { orgUserId: admin.orgUserId }
    const items = [{ description: 'Rental', unitPrice: 20_000 }]
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/invoices', { customer, items })
    await expectOk(api, admin, 'PATCH', `/invoices/${id}`, { items: [{ description: 'Rental', unitPrice: 15_000 }] })
    await expectOk(api, admin, 'POST', `/invoices/${id}/void`, { reason: 'Agreed' })
    const own = { name: 'Ten hours', priceCents: 10_000, grant: { deciHours: 100 } }
    const pack = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', own)
    await expectOk(api, admin, 'POST', `/packages/${pack.id}/purchases`, { orgUserId: admin.orgUserId })
    await expectOk(api, admin, 'POST', `/packages/${pack.id}/purchases`, { orgUserId: school.student.orgUserId })
    const terms = { taxExempt: true, billingMode: 'ledger', instructionRates: { flight: 9_000 } }
    await expectOk(api, admin, 'PATCH', `/orgUsers/${admin.orgUserId}`, terms)
    await expectOk(api, admin, 'PATCH', `/orgUsers/${admin.orgUserId}`, { taxExempt: true })
    await expectOk(api, admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, terms)
    await workers.ended(mailOwnMoney)
    const words = workers.mails(owner.email).map(({ subject, text }) => `${subject} ${text}`)
    const expected = [
      `${admin.name} lowered an invoice of their own, by $50.00.`,
      `${admin.name} voided an invoice of their own: $150.00.`,
      `${admin.name} bought a package for themselves: $100.00.`,
      `${admin.name} changed whether they pay taxes.`,
      `${admin.name} changed how they are billed: by invoice, or on the ledger.`,
      `${admin.name} changed what is charged for their own instruction.`,
    ]
    for (const sentence of expected) expect(words.filter((one) => one.includes(sentence))).toHaveLength(1)
    expect(words.filter((one) => one.includes('own favour'))).toHaveLength(expected.length)
    const marked = async (action: string) => {
      const rows = await expectOk<{ subject: { id: number }; after: { own?: boolean } }[]>(
        api,
        owner,
        'GET',
        `/audit?action=${action}&limit=100`,
      )
      return rows.map(({ subject, after }) => [subject.id, after.own])
    }
    expect(await marked('invoice.changed')).toEqual([[id, true]])
    expect(await marked('invoice.voided')).toEqual([[id, true]])
    expect(await marked('rates.changed')).toEqual([
      [school.student.orgUserId, false],
      [admin.orgUserId, true],
      [admin.orgUserId, true],
    ])
  })

  test('is mailed and marked: own times of a flight that are shortened', async ({ api, workers, school }) => {
    const { owner, organizationId } = school
    const pilot = await buildMember(api, organizationId, ['admin', 'renter'])
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      ...dualBody(school),
      type: 'rental',
      personnel: { renters: [{ orgUserId: pilot.orgUserId }] },
    })
    await expectOk(api, pilot, 'POST', `/reservations/${id}/rampOut`, { hobbsTimeOut: 1000, tachTimeOut: 900 })
    await expectOk(api, pilot, 'POST', `/reservations/${id}/rampIn`, { hobbsTimeIn: 1001.4, tachTimeIn: 901.2 })
    const correct = (hobbsTimeIn: number) => {
      const times = { hobbsTimeOut: 1000, hobbsTimeIn, tachTimeOut: 900, tachTimeIn: 901.2, confirmMeterAnomaly: true }
      return expectOk(api, pilot, 'POST', `/reservations/${id}/updateReviewTimes`, times)
    }
    await correct(1001.5)
    await correct(1000.2)
    await workers.ended(mailOwnMoney)
    const words = `${pilot.name} shortened the times of a flight that they pay for.`
    expect(workers.mails(owner.email).filter(({ text }) => text.includes(words))).toHaveLength(1)
    const rows = await expectOk<{ after: { own: boolean } }[]>(api, owner, 'GET', '/audit?action=reservation.corrected')
    expect(rows.map(({ after }) => after.own)).toEqual([true, true])
  })

  test('is mailed and marked: an own share of a flight that is waived', async ({ api, workers, school }) => {
    const { owner, organizationId } = school
    const pilot = await buildMember(api, organizationId, ['admin', 'renter'])
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      ...dualBody(school),
      type: 'shared',
      personnel: { pilots: [pilot, school.renter].map(({ orgUserId }) => ({ orgUserId })) },
    })
    // The second pilot takes all of it, so that the first one's waiver raises nobody's share.
    const payers = [
      { orgUserId: pilot.orgUserId, waived: true },
      { orgUserId: school.renter.orgUserId, percentage: 100 },
    ]
    await expectOk(api, school.renter, 'PUT', `/reservations/${id}/payers`, { payers: [payers[1]] })
    await expectOk(api, pilot, 'PUT', `/reservations/${id}/payers`, { payers })
    await workers.ended(mailOwnMoney)
    const words = `${pilot.name} waived their own share of a flight.`
    expect(workers.mails(owner.email).filter(({ text }) => text.includes(words))).toHaveLength(1)
    const rows = await expectOk<{ after: { own: boolean } }[]>(
      api,
      owner,
      'GET',
      '/audit?action=reservation.payers_changed',
    )
    expect(rows.map(({ after }) => after.own)).toEqual([true, false])
  })

  test('is not mailed of what an admin does to an invoice of somebody else', async ({ api, workers, school }) => {
    const { admin, owner, student } = school
    const customer = { orgUserId: student.orgUserId }
    const items = [{ description: 'Rental', unitPrice: 20_000 }]
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/invoices', { customer, items })
    await expectOk(api, admin, 'PATCH', `/invoices/${id}`, { items: [{ description: 'Rental', unitPrice: 15_000 }] })
    await expectOk(api, admin, 'POST', `/invoices/${id}/void`, { reason: 'Agreed' })
    await workers.ended(mailOwnMoney)
    expect(workers.mails(owner.email).filter(({ subject }) => subject.includes('own favour'))).toEqual([])
  })
})

describe('a control that is loosened (§Organizations)', () => {
  const change = (settings: object) => ({ settings })

  test('holds a day later, and the owners are mailed; until then the old one holds, and tightening ends the wait', async ({
    api,
    workers,
    school,
  }) => {
    const { admin, owner, organizationId } = school
    const settingsOf = async () => {
      const { settings } = await expectOk<{ settings: Record<string, unknown> }>(
        api,
        admin,
        'GET',
        `/organizations/${organizationId}`,
      )
      return [settings.refundApprovalCents, settings.upcoming]
    }
    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: 5_000 }))
    expect(await settingsOf()).toEqual([5_000, []])
    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: 90_000 }))
    const from = new Date(api.clock.now.getTime() + 86_400_000).toISOString()
    const waits = [5_000, [{ key: 'refundApprovalCents', value: 90_000, from }]]
    expect(await settingsOf()).toEqual(waits)
    await expectOk(api, admin, 'PATCH', '/organizations', change({ invoiceDueDays: 14 }))
    expect(await settingsOf()).toEqual(waits)
    await workers.ended(mailOwnMoney)
    const mails = workers.mails(owner.email).filter(({ subject }) => subject.includes('a control of money is loosened'))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('settings.refundApprovalCents')
    const [event] = await expectOk<object[]>(api, owner, 'GET', '/audit?action=organization.changed&limit=2').then(
      (rows) => rows.slice(1),
    )
    expect(event).toMatchObject({ after: { loosened: [{ key: 'refundApprovalCents', from }] } })

    const apply = (at: string) =>
      inTransaction(
        api.core.database,
        () => new Date(at),
        (tx) => applyLoosenedControls(tx, { organizationId }),
      )
    await apply(new Date(Date.parse(from) - 1).toISOString())
    expect(await settingsOf()).toEqual(waits)
    await apply(from)
    expect(await settingsOf()).toEqual([90_000, []])

    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: null }))
    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: 80_000 }))
    expect(await settingsOf()).toEqual([80_000, []])
    await apply(new Date(Date.parse(from) + 10 * 86_400_000).toISOString())
    expect(await settingsOf()).toEqual([80_000, []])
  })

  test('is used in the same minute in vain: the refund still waits for a second admin', async ({ api, school }) => {
    const { admin } = school
    const customer = { orgUserId: school.student.orgUserId }
    const items = [{ description: 'Rental', unitPrice: 20_000 }]
    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: 5_000 }))
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/invoices', { customer, items })
    await expectOk(api, admin, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
    await expectOk(api, admin, 'PATCH', '/organizations', change({ refundApprovalCents: null }))
    const credit = { amountCents: 20_000, reason: 'Agreed', refund: 'offline' }
    expect(await expectOk(api, admin, 'POST', `/invoices/${id}/creditNotes`, credit)).toMatchObject({
      refundStatus: 'waiting',
    })
  })

  test('of members holds a day later too, several at once, and the owners are mailed of each', async ({
    api,
    workers,
    school,
  }) => {
    const { admin, organizationId } = school
    const settings = { prepaidBy: 'anyone', minimumBalanceCents: -5_000 }
    const changed = await expectOk(api, admin, 'PATCH', '/organizations', change(settings))
    const from = new Date(api.clock.now.getTime() + 86_400_000).toISOString()
    const upcoming = [
      { key: 'minimumBalanceCents', value: -5_000, from },
      { key: 'prepaidBy', value: 'anyone', from },
    ]
    expect(changed).toMatchObject({ settings: { prepaidBy: 'staff', minimumBalanceCents: 0, upcoming } })
    await workers.ended(mailOwnMoney)
    const texts = workers.mails(school.owner.email).map(({ text }) => text)
    for (const key of ['prepaidBy', 'minimumBalanceCents']) {
      expect(
        texts.filter((text) => text.includes(`settings.${key}`) && text.includes('It takes effect on')),
      ).toHaveLength(1)
    }
    await inTransaction(
      api.core.database,
      () => new Date(from),
      (tx) => applyLoosenedControls(tx, { organizationId }),
    )
    const { settings: held } = await expectOk<{ settings: object }>(
      api,
      admin,
      'GET',
      `/organizations/${organizationId}`,
    )
    expect(held).toMatchObject({ ...settings, upcoming: [] })
    const [event] = await expectOk<object[]>(api, school.owner, 'GET', '/audit?action=organization.changed&limit=1')
    expect(event).toMatchObject({
      before: { settings: { prepaidBy: 'staff', minimumBalanceCents: 0 } },
      after: { settings },
    })
  })
})
