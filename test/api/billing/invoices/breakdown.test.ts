import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk, setRates, sign } from '../../../support/flights.ts'

interface Share {
  payer: { orgUserId: number | null; guestId: number | null }
  amountCents: number
}

interface Totals {
  totalCents: number
  lines: { amountCents: number; payer: Share['payer'] }[]
  shares: Share[]
  warnings: string[]
}

interface Invoice {
  customer: { orgUserId: number } | null
  totalCents: number
  items: { amountCents: number }[]
}

const test = schoolTest()
  .extend(
    'bill',
    ({ api, school }) =>
      (id: number, who: Member = school.admin) =>
        api.as(who).post(`/reservations/${id}/invoices`),
  )
  .extend(
    'totalsOf',
    ({ api, school }) =>
      (id: number, who: Member = school.admin): Promise<Totals> =>
        expectOk<Totals>(api, who, 'GET', `/invoices/reservation/${id}/invoiceTotals`),
  )

test.beforeEach(async ({ api, school }) => {
  await setRates(api, school)
})

describe('the breakdown of a flight (§Invoices, GET invoiceTotals)', () => {
  test('is visible to staff as a whole and to a payer as their own share', async ({ api, school, totalsOf }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { chargeRules: { aircraft: 'split_evenly' } },
    })
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    expect((await totalsOf(id, school.instructor)).totalCents).toBe(33_600)
    const own = await totalsOf(id, ben)
    expect(own.totalCents).toBe(12_600)
    expect(own.shares).toMatchObject([{ payer: { orgUserId: ben.orgUserId }, amountCents: 12_600 }])
    expect(own.lines.every(({ payer }) => payer.orgUserId === ben.orgUserId)).toBe(true)
    expect(await totalsOf(id, school.renter)).toMatchObject({ totalCents: 0, lines: [], shares: [] })
  })

  test('is 404 before the flight is flown', async ({ api, school }) => {
    const id = await bookDual(api, school)
    const url = `/invoices/reservation/${id}/invoiceTotals`
    expect((await api.call('GET', url, { token: school.admin.token })).statusCode).toBe(404)
  })

  test('adds up and equals the invoices that are raised next', async ({ api, school, bill, totalsOf }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    const cal = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${cal.orgUserId}`, { billingMode: 'ledger' })
    const crew = [school.student, ben, cal]
    const rule = fc.constantFrom('one_payer', 'split_evenly')
    const stake = fc.oneof(
      fc.constant(null),
      fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 })),
    )
    let day = new Date('2026-12-01T10:00:00Z').getTime()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          crew: fc.integer({ min: 1, max: 3 }),
          rate: fc.integer({ min: 1, max: 50_000 }),
          aircraft: rule,
          instruction: rule,
          stake,
        }),
        async (flight) => {
          await expectOk(api, school.admin, 'PATCH', '/organizations', {
            settings: { chargeRules: { aircraft: flight.aircraft, instruction: flight.instruction } },
          })
          await setRates(api, school, flight.rate)
          day += 86_400_000
          const students = crew.slice(0, flight.crew)
          const [start, end] = [new Date(day).toISOString(), new Date(day + 7_200_000).toISOString()]
          const id = await closedOutFlight(api, school, { students, start, end })
          if (flight.stake) {
            const [a, b] = [Math.min(...flight.stake), Math.max(...flight.stake)]
            const shares = [[a, b - a, 10_000 - b], [a, 10_000 - a], [10_000]][3 - students.length] ?? []
            const payers = students.map(({ orgUserId }, at) => ({ orgUserId, percentage: (shares[at] ?? 0) / 100 }))
            await expectOk(api, school.admin, 'PUT', `/reservations/${id}/payers`, { payers })
            await sign(api, school, id, students[0])
          }
          const totals = await totalsOf(id)
          const sum = (of: { amountCents: number }[]) => of.reduce((total, { amountCents }) => total + amountCents, 0)
          expect(sum(totals.shares)).toBe(totals.totalCents)
          expect(sum(totals.lines)).toBe(totals.totalCents)
          const { data } = (await bill(id)).json() as { data: Invoice[] }
          const billed = totals.shares.filter(({ amountCents }) => amountCents >= 50)
          expect(data.map(({ customer, totalCents }) => [customer?.orgUserId, totalCents])).toEqual(
            billed.map(({ payer, amountCents }) => [payer.orgUserId, amountCents]),
          )
          for (const invoice of data) expect(sum(invoice.items)).toBe(invoice.totalCents)
        },
      ),
      { numRuns: 12 },
    )
  })
})
