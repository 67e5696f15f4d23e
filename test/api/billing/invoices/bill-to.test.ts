import { describe, expect } from 'vitest'
import { findInvoiceToRaise } from '../../../../src/shared/billing/invoices/invoice-to-issue.queries.ts'
import { buildMember, type Member, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly, setRates } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'

interface Invoice {
  id: number
  customer: { orgUserId: number } | null
  billedFor: { orgUserId: number; name: string } | null
  totalCents: number
  settlement: string
  memo: string | null
  taxCents: number
}

const test = schoolTest()
  .extend('parent', ({ api, school }) => buildMember(api, school.organizationId, ['renter']))
  .extend('pays', ({ api, school, parent }) => async (member: Member, consent: object = {}) => {
    const url = `/orgUsers/${member.orgUserId}`
    await expectOk(api, school.admin, 'PATCH', url, { billToOrgUserId: parent.orgUserId })
    await expectOk(api, parent, 'POST', `${url}/billTo/accept`, consent)
  })
  .extend('bill', ({ api, school }) => async (id: number, who: Member = school.admin) => {
    return expectOk<Invoice[]>(api, who, 'POST', `/reservations/${id}/invoices`)
  })
  .extend('planned', ({ api }) => async () => {
    const rows = await api.core.database.db.selectFrom('autopay_charge').select('membership_id').execute()
    return rows.map(({ membership_id }) => membership_id)
  })

test.beforeEach(async ({ api, school }) => {
  await setRates(api, school)
})

const onLedger = { billingMode: 'ledger' }

describe('the invoices of a member with a bill-to payer (§Members: bill-to payers)', () => {
  test('go to the member until the payer has accepted, and from then on to the payer', async ({
    api,
    school,
    parent,
    pays,
    bill,
  }) => {
    const { student } = school
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { billToOrgUserId: parent.orgUserId })
    const before = await closedOutFlight(api, school)
    expect(await bill(before)).toMatchObject([{ customer: { orgUserId: student.orgUserId }, billedFor: null }])
    const start = { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }
    const after = await closedOutFlight(api, school, start)
    await pays(student)
    const [invoice] = await bill(after)
    expect(invoice).toMatchObject({
      customer: { orgUserId: parent.orgUserId },
      billedFor: { orgUserId: student.orgUserId, name: student.name },
      totalCents: 33_600,
      settlement: 'processor',
      // Not the title of the lesson.
      memo: `${school.plane.name}, 2026-11-24`,
    })
    const { organizationId } = school
    expect(
      await findInvoiceToRaise(api.core.database.db, { organizationId, invoiceId: invoice!.id, revision: 0 }),
    ).toMatchObject({ memo: `For ${student.name}: ${school.plane.name}, 2026-11-24` })
    // What is raised stays where it is.
    await expectOk(api, parent, 'PATCH', `/orgUsers/${student.orgUserId}`, { billToOrgUserId: null })
    expect(await expectOk(api, parent, 'GET', `/invoices/${invoice!.id}`)).toMatchObject({ id: invoice!.id })
  })

  test('show the payer the invoice and no flight, and the member the share and no invoice', async ({
    api,
    school,
    parent,
    pays,
    bill,
  }) => {
    await pays(school.student)
    const id = await closedOutFlight(api, school)
    const [invoice] = await bill(id)
    const flight = await expectOk(api, school.student, 'GET', `/reservations/${id}`)
    expect(flight).toMatchObject({ invoiceTotals: { totalCents: 33_600 }, invoices: [] })
    expect((await api.as(school.student).get(`/invoices/${invoice!.id}`)).statusCode).toBe(404)
    const listed = await expectOk<Invoice[]>(api, parent, 'GET', `/invoices/orgUsers/${parent.orgUserId}`)
    expect(listed.map((one) => one.id)).toEqual([invoice!.id])
    const statement = await expectOk<{ rows: { description: string }[] }>(
      api,
      parent,
      'GET',
      `/orgUsers/${parent.orgUserId}/statement?startDate=2026-11-01&endDate=2026-12-31`,
    )
    expect(statement.rows.map(({ description }) => description)).toEqual([
      `${school.student.name}: ${school.plane.name}, 2026-11-23`,
    ])
  })

  test('are two of one flight when the payer pays for both on it', async ({ api, school, parent, pays, bill }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    await writeSettings(api, school.organizationId, {
      chargeRules: { aircraft: 'split_evenly', instruction: 'split_evenly' },
    })
    await pays(school.student)
    await pays(ben)
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    const invoices = await bill(id)
    expect(invoices.map(({ customer, billedFor }) => [customer?.orgUserId, billedFor?.orgUserId])).toEqual([
      [parent.orgUserId, school.student.orgUserId],
      [parent.orgUserId, ben.orgUserId],
    ])
    expect((await api.as(school.admin).post(`/reservations/${id}/invoices`)).json().code).toBe('ALREADY_INVOICED')
  })

  test('have the taxes of the payer', async ({ api, school, parent, pays, bill }) => {
    await writeSettings(api, school.organizationId, {
      taxRates: [{ name: 'Tax', basisPoints: 1_000, appliesTo: ['aircraft'] }],
    })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, { taxExempt: true })
    await pays(school.student)
    const id = await closedOutFlight(api, school)
    expect(await bill(id)).toMatchObject([{ taxCents: 0, totalCents: 33_600 }])
  })
})

describe('the consent of a bill-to payer (§Members: bill-to payers)', () => {
  test('to invoices alone leaves the payer’s ledger and card untouched', async ({
    api,
    school,
    parent,
    pays,
    bill,
    planned,
  }) => {
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, onLedger)
    await pays(school.student)
    const id = await closedOutFlight(api, school)
    expect(await bill(id)).toMatchObject([{ settlement: 'processor' }])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, { billingMode: 'invoice' })
    await expectOk(api, parent, 'PATCH', `/orgUsers/${parent.orgUserId}`, { autopay: true })
    const next = await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    await bill(next)
    expect(await planned()).toEqual([])
  })

  test('to autopay lets the card be charged', async ({ api, school, parent, pays, bill, planned }) => {
    await expectOk(api, parent, 'PATCH', `/orgUsers/${parent.orgUserId}`, { autopay: true })
    await pays(school.student, { autopay: true })
    await bill(await closedOutFlight(api, school))
    expect(await planned()).toEqual([parent.orgUserId])
  })

  test('to the ledger charges it within the limit of a month, also when two are billed at once', async ({
    api,
    school,
    parent,
    pays,
    bill,
  }) => {
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, onLedger)
    await pays(school.student, { ledger: true, maxCentsPerMonth: 70_000 })
    const flights: number[] = []
    for (const day of [23, 24, 25]) {
      const at = (hour: number) => `2026-11-${day}T${hour}:00:00Z`
      flights.push(await closedOutFlight(api, school, { start: at(10), end: at(12) }))
    }
    const invoices = (await Promise.all(flights.map((id) => bill(id)))).flat()
    expect(invoices.map(({ settlement }) => settlement).sort()).toEqual(['ledger', 'ledger', 'processor'])
    const { balanceCents } = await expectOk<{ balanceCents: number }[]>(
      api,
      school.admin,
      'GET',
      `/orgUsers/${parent.orgUserId}/ledger`,
    ).then(([latest]) => latest!)
    expect(balanceCents).toBe(-67_200)
  })

  test('is asked of nobody else’s payment from the ledger', async ({ api, school, parent, pays, bill }) => {
    await pays(school.student)
    const deposit = { kind: 'deposit', amountCents: 90_000 }
    await expectOk(api, school.owner, 'POST', `/orgUsers/${parent.orgUserId}/ledger`, deposit)
    const [invoice] = await bill(await closedOutFlight(api, school))
    const pay = (who: Member) =>
      api.as(who).post(`/invoices/${invoice!.id}/payments`, { method: 'ledger', amountCents: 10_000 })
    expect((await pay(school.owner)).statusCode).toBe(403)
    expect((await pay(school.student)).statusCode).toBe(404)
    expect((await pay(parent)).statusCode).toBe(201)
    await pays(school.student, { ledger: true })
    expect((await pay(school.owner)).statusCode).toBe(201)
  })

  test('charges nothing for a flight that only another payer signed', async ({ api, school, parent, pays, bill }) => {
    const ben = await buildMember(api, school.organizationId, ['renter'])
    await writeSettings(api, school.organizationId, {
      chargeRules: { aircraft: 'split_evenly', instruction: 'split_evenly' },
    })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, onLedger)
    await pays(ben, { ledger: true })
    const rental = {
      ...dualBody(school),
      type: 'shared',
      personnel: { pilots: [{ orgUserId: school.renter.orgUserId }, { orgUserId: ben.orgUserId }] },
    }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', rental)
    await fly(api, school, id, school.renter)
    await expectOk(api, school.renter, 'POST', `/reservations/${id}/confirmReview`)
    const invoices = await bill(id)
    expect(invoices.find(({ billedFor }) => billedFor !== null)).toMatchObject({ settlement: 'processor' })
  })
})

describe('what else a bill-to payer is invoiced (§Members: bill-to payers)', () => {
  test('packages, which are the member’s, and prepaid bookings; no ad-hoc invoices', async ({
    api,
    school,
    parent,
    pays,
  }) => {
    const { student } = school
    await pays(student)
    const terms = { name: 'Ten hours', priceCents: 160_000, grant: { deciHours: 100 }, lineKinds: ['aircraft'] }
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', terms)
    await expectOk(api, student, 'POST', `/packages/${id}/purchases`, { orgUserId: student.orgUserId })
    expect(await expectOk(api, student, 'GET', `/orgUsers/${student.orgUserId}/packages`)).toMatchObject([
      { status: 'unpaid' },
    ])
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 20_000 }
    await expectOk(api, school.dispatcher, 'POST', '/reservations', dualBody(school, { extra }))
    const headset = {
      customer: { orgUserId: student.orgUserId },
      items: [{ description: 'Headset', unitPrice: 9_900 }],
    }
    await expectOk(api, school.admin, 'POST', '/invoices', headset)
    const all = await expectOk<Invoice[]>(api, school.admin, 'GET', '/invoices?sort=id')
    const seen = all.map(({ customer, billedFor, totalCents }) => [
      customer?.orgUserId,
      billedFor?.orgUserId,
      totalCents,
    ])
    expect(seen).toEqual([
      [parent.orgUserId, student.orgUserId, 160_000],
      [parent.orgUserId, student.orgUserId, 20_000],
      [student.orgUserId, undefined, 9_900],
    ])
  })
})

describe('the package of a member on a flight that a bill-to payer pays (§Billing: packages)', () => {
  test('covers the flight once: the costs stay the same when it is invoiced', async ({
    api,
    school,
    parent,
    pays,
    bill,
  }) => {
    const { student } = school
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${parent.orgUserId}`, onLedger)
    await pays(student, { ledger: true })
    const deposit = { kind: 'deposit', amountCents: 40_000 }
    await expectOk(api, school.owner, 'POST', `/orgUsers/${parent.orgUserId}/ledger`, deposit)
    const credit = { name: 'Credit', priceCents: 40_000, grant: { amountCents: 40_000 } }
    const { id: packageId } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', credit)
    await expectOk(api, student, 'POST', `/packages/${packageId}/purchases`, { orgUserId: student.orgUserId })
    const id = await closedOutFlight(api, school)
    const costs = () => expectOk<{ invoiceTotals: object }>(api, school.admin, 'GET', `/reservations/${id}`)
    const { invoiceTotals } = await costs()
    expect(invoiceTotals).toMatchObject({ totalCents: 0 })
    expect(await bill(id)).toMatchObject([{ billedFor: { orgUserId: student.orgUserId }, totalCents: 0 }])
    // Only 64.00 of the package are left now, which do not cover the flight.
    expect((await costs()).invoiceTotals).toEqual(invoiceTotals)
  })
})

describe('the stakes of a flight with a bill-to payer (§Reservations, PUT payers)', () => {
  test('are not moved to the payer by another pilot', async ({ api, school, pays }) => {
    const ben = await buildMember(api, school.organizationId, ['renter'])
    await pays(ben)
    const pilots = [school.renter, ben].map(({ orgUserId }) => ({ orgUserId }))
    const shared = { ...dualBody(school), type: 'shared', personnel: { pilots } }
    const { id } = await expectOk<{ id: number }>(api, school.renter, 'POST', '/reservations', shared)
    const payers = [{ orgUserId: ben.orgUserId, percentage: 100 }]
    const refused = await api.call('PUT', `/reservations/${id}/payers`, {
      token: school.renter.token,
      body: { payers },
    })
    expect(refused.statusCode).toBe(403)
  })
})

describe('a cashier who is a bill-to payer (§Desk grants)', () => {
  test('acts on no money of who they pay for', async ({ api, school }) => {
    const { student, dispatcher: cashier } = school
    await giveDesk(api, school, cashier, 'cashier')
    const url = `/orgUsers/${student.orgUserId}`
    const id = await bookDual(api, school)
    const headset = {
      customer: { orgUserId: student.orgUserId },
      items: [{ description: 'Headset', unitPrice: 9_900 }],
    }
    const { id: own } = await expectOk<Invoice>(api, school.admin, 'POST', '/invoices', headset)
    await expectOk(api, school.admin, 'PATCH', url, { billToOrgUserId: cashier.orgUserId })
    const tries = [
      ['/invoices', headset],
      [`${url}/ledger`, { kind: 'deposit', amountCents: 1_000 }],
      [`/invoices/${own}/payments`, { method: 'cash', amountCents: 9_900 }],
      [`/reservations/${id}/invoices`, undefined],
    ] as const
    const all = async () => {
      for (const [path, body] of tries) {
        expect([path, (await api.as(cashier).post(path, body)).json().code]).toEqual([path, 'OWN_MONEY'])
      }
    }
    await all()
    // Nor of somebody for whom the cashier's own payer pays: the bill is the payer's.
    await expectOk(api, school.admin, 'PATCH', url, { billToOrgUserId: null })
    const toRenter = { billToOrgUserId: school.renter.orgUserId }
    for (const { orgUserId } of [student, cashier])
      await expectOk(api, school.admin, 'PATCH', `/orgUsers/${orgUserId}`, toRenter)
    await all()
  })
})
