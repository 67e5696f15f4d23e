import { describe, expect } from 'vitest'
import { cents } from '../../../../src/shared/platform/kernel/units.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly, setRates, sign } from '../../../support/flights.ts'

interface Invoice {
  id: number
  customer: { orgUserId: number } | null
  guest: { id: number; name: string } | null
  totalCents: number
  settlement: string
  items: { amountCents: number }[]
}

const test = schoolTest()
  .extend(
    'bill',
    ({ api, school }) =>
      (id: number, who: Member = school.admin) =>
        api.as(who).post(`/reservations/${id}/invoices`),
  )
  .extend('refusal', ({ bill }) => async (id: number) => {
    const refused = await bill(id)
    expect(refused.statusCode, refused.body).toBe(400)
    return refused.json().message
  })

test.beforeEach(async ({ api, school }) => {
  await setRates(api, school)
})

const payersOf = (invoices: Invoice[]) => invoices.map(({ customer }) => customer?.orgUserId)

describe('a flight that is closed out (§Reservations, POST invoices)', () => {
  test('is billed whole to the first student by default', async ({ api, school, bill }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    const { data } = (await bill(id)).json()
    expect(payersOf(data)).toEqual([school.student.orgUserId])
    // 1.4 h × $180 wet + 1.4 h × $60 instruction
    expect(data[0]).toMatchObject({ totalCents: 33_600, memo: 'Lesson 4: stalls', reservation: { id } })
  })

  test('is split evenly among its payers, and the first pays the odd cent', async ({ api, school, bill }) => {
    const [ben, cal] = [
      await buildMember(api, school.organizationId, ['student']),
      await buildMember(api, school.organizationId, ['student']),
    ]
    const settings = { chargeRules: { aircraft: 'split_evenly', instruction: 'split_evenly' } }
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings })
    await setRates(api, school, 6_005)
    const id = await closedOutFlight(api, school, { students: [school.student, ben, cal] })
    const { data } = (await bill(id)).json()
    // 252.00 and 84.07 in three: 84.00 each, and 28.03, 28.02, 28.02.
    expect(data.map(({ totalCents }: Invoice) => totalCents)).toEqual([11_203, 11_202, 11_202])
  })

  test('is billed by the stakes that were saved', async ({ api, school, bill }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    await expectOk(api, school.admin, 'PUT', `/reservations/${id}/payers`, {
      payers: [
        { orgUserId: school.student.orgUserId, waived: true },
        { orgUserId: ben.orgUserId, percentage: 100 },
      ],
    })
    await sign(api, school, id)
    const { data } = (await bill(id)).json()
    expect([payersOf(data), data[0].totalCents]).toEqual([[ben.orgUserId], 33_600])
  })

  test('is billed to its guest', async ({ api, school, bill }) => {
    const body = {
      ...dualBody(school),
      type: 'guest',
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        guests: [{ name: 'Gil Moss', email: 'gil@example.com' }],
      },
    }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    await fly(api, school, id)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`)
    const { data } = (await bill(id)).json()
    expect(data).toMatchObject([{ customer: null, guest: { name: 'Gil Moss' }, totalCents: 33_600 }])
  })

  test('is charged to the ledger of payers in ledger mode and raised at the processor for the others', async ({
    api,
    school,
    bill,
  }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { chargeRules: { aircraft: 'split_evenly' } },
    })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${ben.orgUserId}`, { billingMode: 'ledger' })
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    const answer = await bill(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject([
      { settlement: 'processor', status: 'pending', totalCents: 12_600 + 8_400 },
      { settlement: 'ledger', status: 'paid', totalCents: 12_600, number: 1 },
    ])
    expect(answer.json().warnings).toEqual([expect.stringContaining(school.student.name)])
    expect(await expectOk(api, ben, 'GET', `/orgUsers/${ben.orgUserId}/ledger`)).toMatchObject([
      { kind: 'flight_charge', amountCents: -12_600, reservationId: id },
    ])
  })

  test('skips a share below 50 cents and reports it in the warnings', async ({ api, school, bill }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    await expectOk(api, school.admin, 'PUT', `/reservations/${id}/payers`, {
      payers: [
        { orgUserId: school.student.orgUserId, percentage: 99.9 },
        { orgUserId: ben.orgUserId, percentage: 0.1 },
      ],
    })
    await sign(api, school, id)
    const answer = await bill(id)
    // 0.1 % of 336.00 is 0.336: 33 cents.
    expect(answer.json().data.map(({ totalCents }: Invoice) => totalCents)).toEqual([33_567])
    expect(answer.json().warnings).toContainEqual(`${ben.name}’s share of $0.33 is below $0.50 and is not billed.`)
  })

  test('reports which rate is missing', async ({ api, school, bill }) => {
    await api.core.database.db
      .updateTable('membership')
      .set({ flight_rate_cents: null })
      .where('id', '=', school.instructor.orgUserId)
      .execute()
    const id = await closedOutFlight(api, school)
    const answer = await bill(id)
    expect(answer.json().data[0].totalCents).toBe(25_200)
    expect(answer.json().warnings).toContainEqual(
      expect.stringContaining(`${school.instructor.name} has no flight rate`),
    )
  })
})

describe('billing a flight is refused', () => {
  test('until it is closed out: a dual needs both seats', async ({ api, school, refusal }) => {
    const id = await bookDual(api, school)
    expect(await refusal(id)).toMatch(/^The flight is not closed out/)
    await fly(api, school, id)
    expect(await refusal(id)).toMatch(/^The flight is not closed out/)
    await expectOk(api, school.student, 'POST', `/reservations/${id}/confirmReview`)
    expect(await refusal(id)).toMatch(/^The flight is not closed out/)
  })

  test('when every payer is already invoiced', async ({ api, school, bill, refusal }) => {
    const id = await closedOutFlight(api, school)
    await bill(id)
    expect(await refusal(id)).toBe('Everyone who pays for this booking is invoiced already.')
  })

  test('when its stakes cannot be applied, with what to fix', async ({ api, school, refusal }) => {
    const id = await closedOutFlight(api, school)
    const { orgUserId } = school.student
    const put = async (stake: object) => {
      await expectOk(api, school.admin, 'PUT', `/reservations/${id}/payers`, { payers: [{ orgUserId, ...stake }] })
      await sign(api, school, id)
    }
    await put({ waived: true })
    expect(await refusal(id)).toMatch(/everyone is waived/)
    await put({ percentage: 99.99 })
    expect(await refusal(id)).toMatch(/must total 100/)
    await put({ hobbsTimeOut: 1000, hobbsTimeIn: 1001.3 })
    expect(await refusal(id)).toBe('payers: the hobbs readings add up to 1.30 hours, the aircraft ran 1.40')
  })

  test.for([
    // 1.4 h × $20,000,000 instruction + 1.4 h × $180 wet is 2,800,025,200 cents.
    ['invoice', 2_000_000_000, 'totalCents: must be at most 2000000000 cents'],
    ['ledger', 2_000_000_000, 'totalCents: must be at most 2000000000 cents'],
    // 1.4 h × $1,000,000 + $252: no bill is too large for, but the processor is not asked to collect it.
    ['invoice', 100_000_000, 'totalCents: must be at most 99999999 cents'],
  ] as const)(
    'a flight that comes to more than a bill can, in %s mode at %i cents an hour',
    async ([billingMode, rate, message], { api, school, refusal }) => {
      await setRates(api, school, rate)
      await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { billingMode })
      const id = await closedOutFlight(api, school)
      expect(await refusal(id)).toBe(message)
      const { invoiceTotals } = await expectOk<{ invoiceTotals: { totalCents: number; warnings: string[] } }>(
        api,
        school.admin,
        'GET',
        `/reservations/${id}`,
      )
      expect(invoiceTotals).toMatchObject({ totalCents: 25_200 + 1.4 * rate, warnings: rate > 1e9 ? [message] : [] })
      const { rows } = await api.core.database.pool.query('select id from invoice where reservation_id = $1', [id])
      expect(rows).toEqual([])
    },
  )

  test('when the ledger cannot hold the balance, although it is charged more than the processor could collect', async ({
    api,
    school,
    bill,
    refusal,
  }) => {
    await setRates(api, school, 1_400_000_000)
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { billingMode: 'ledger' })
    const answer = await bill(await closedOutFlight(api, school))
    expect(answer.json().data).toMatchObject([{ status: 'paid', totalCents: 1_960_025_200 }])
    const [entry] = await expectOk<{ balanceCents: number }[]>(
      api,
      school.admin,
      'GET',
      `/orgUsers/${school.student.orgUserId}/ledger`,
    )
    expect(entry).toMatchObject({ balanceCents: -1_960_025_200 })
    const next = await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    expect(await refusal(next)).toMatch(/the balance of the ledger would be out of range/)
  })

  test('when the flight costs nothing', async ({ api, school, refusal }) => {
    await api.core.database.db
      .updateTable('membership')
      .set({ flight_rate_cents: null })
      .where('id', '=', school.instructor.orgUserId)
      .execute()
    await api.core.database.db
      .updateTable('resource')
      .set({ wet_rate_cents: null })
      .where('id', '=', school.plane.id)
      .execute()
    expect(await refusal(await closedOutFlight(api, school))).toMatch(/^There is nothing to bill\./)
  })

  test('when everything is free', async ({ api, school, refusal }) => {
    await setRates(api, school, 0)
    const { db } = api.core.database
    await db
      .updateTable('resource')
      .set({ wet_rate_cents: cents(0) })
      .where('id', '=', school.plane.id)
      .execute()
    expect(await refusal(await closedOutFlight(api, school))).toBe('There is nothing to bill.')
  })

  test('when the booking is cancelled', async ({ api, school, refusal }) => {
    const id = await bookDual(api, school)
    await api.core.database.db
      .updateTable('reservation')
      .set({ live: false, cancelled_at: api.clock.now })
      .where('id', '=', id)
      .execute()
    expect(await refusal(id)).toBe('The booking is cancelled.')
  })
})

describe('the invoice of a booking (§Invoices, GET /invoices/reservation/{id})', () => {
  test('is one’s own for payers, and the first that stands for admins and dispatchers', async ({
    api,
    school,
    bill,
  }) => {
    const ben = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { chargeRules: { aircraft: 'split_evenly' } },
    })
    const id = await closedOutFlight(api, school, { students: [school.student, ben] })
    const url = `/invoices/reservation/${id}`
    const read = (who: Member) => api.as(who).get(url)
    expect((await read(school.admin)).statusCode).toBe(404)
    const [first, second] = (await bill(id)).json().data
    expect((await read(ben)).json().data.id).toBe(second.id)
    for (const who of [school.admin, school.owner, school.dispatcher, school.student]) {
      expect((await read(who)).json().data.id).toBe(first.id)
    }
    await expectOk(api, school.admin, 'POST', `/invoices/${first.id}/void`, { reason: 'Wrong tach' })
    const [again] = (await bill(id)).json().data
    expect((await read(school.student)).json().data.id).toBe(again.id)
  })

  test('is written once for each payer when twenty ask at once', async ({ api, school, bill }) => {
    const id = await closedOutFlight(api, school)
    const answers = await Promise.all(Array.from({ length: 20 }, () => bill(id)))
    expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19)
    const { rows } = await api.core.database.pool.query('select id from invoice where reservation_id = $1', [id])
    expect(rows).toHaveLength(1)
  })
})
