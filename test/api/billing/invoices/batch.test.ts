import { describe, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates, sign } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'
import { limited } from '../../../support/limited.ts'
import { type OperationAnswer, type OperationRowAnswer, readBulk, work } from '../../../support/operations.ts'

interface Row extends OperationRowAnswer {
  invoices?: { id: number | null; payer: { orgUserId: number | null; name: string }; totalCents: number }[]
}

const test = schoolTest()
  /** Starts a batch of what ended before December, or as the body says; its job has not run yet. */
  .extend('start', ({ api, school }) => async (body: { filter?: object; dryRun?: boolean } = {}) => {
    const filter = { endedBefore: '2026-12-01T00:00:00Z', ...body.filter }
    return expectOk<OperationAnswer>(api, school.admin, 'POST', '/invoices/batch', { ...body, filter })
  })
  .extend('run', ({ api, school, start }) => async (body?: Parameters<typeof start>[0]) => {
    const { id } = await start(body)
    await work(api, { organizationId: school.organizationId, operationId: id })
    const { operation, rows } = await readBulk(api, school.admin, id)
    return { operation, rows: rows as Row[] }
  })
  .extend('flights', ({ api, school }) => threeFlights(api, school))
  .extend('invoices', ({ api, school }) => async () => {
    const list = await expectOk<{ id: number; reservation: { id: number } | null; totalCents: number }[]>(
      api,
      school.admin,
      'GET',
      '/invoices',
    )
    return list.map(({ reservation, totalCents }) => ({ flight: reservation?.id, totalCents }))
  })

  /** The student, who pays from the account, buys a package that is paid at once. */
  .extend('buys', ({ api, school }) => async (terms: object) => {
    const { admin, student } = school
    await expectOk(api, admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { billingMode: 'ledger' })
    const sold = { name: 'Hours', priceCents: 32_000, ...terms }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', sold)
    await expectOk(api, admin, 'POST', `/packages/${id}/purchases`, { orgUserId: student.orgUserId })
  })

const totalsOf = (rows: readonly Row[]) => rows.map(({ invoices = [] }) => invoices.map(({ totalCents }) => totalCents))

const times = (day: string) => ({ start: `2026-11-${day}T10:00:00Z`, end: `2026-11-${day}T12:00:00Z` })

/** Three flights of 1.4 h: 1.4 h × $180 wet + 1.4 h × $60 instruction = $336.00 each. */
async function threeFlights(api: TestApp, school: School): Promise<number[]> {
  await setRates(api, school)
  const ids: number[] = []
  for (const day of ['23', '24', '25']) ids.push(await closedOutFlight(api, school, times(day)))
  return ids
}

/** A flight with nothing to bill: neither the aircraft nor the instructor has a rate. */
async function freeFlight(api: TestApp, school: School): Promise<number> {
  const plane = await buildPlane(api, school)
  await api.core.database.pool.query('update resource set wet_rate_cents = null where id = $1', [plane.id])
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  return closedOutFlight(api, { ...school, plane, instructor }, times('26'))
}

describe('flights invoiced in one request (§Invoices, POST /invoices/batch)', () => {
  test('are shown with their amounts by a dry run, which writes nothing', async ({
    api,
    run,
    flights,
    invoices,
    school,
  }) => {
    const { operation, rows } = await run({ dryRun: true })
    expect(operation).toMatchObject({ status: 'done', progress: { done: 3, total: 3 }, succeeded: 3, failed: 0 })
    expect(operation.result).toEqual({ dryRun: true, invoices: 3, totalCents: 100_800 })
    expect(rows.map(({ reservationId }) => reservationId)).toEqual(flights)
    const payer = { orgUserId: school.student.orgUserId, guestId: null, name: school.student.name }
    expect(rows[0]!.invoices).toEqual([{ id: null, payer, totalCents: 33_600 }])
    expect(await invoices()).toEqual([])
    const jobs = await api.core.database.pool.query("select job from outbox where job like 'invoices.%'")
    expect(jobs.rows).toEqual([])
  })

  test('come to the same in a dry run and in the batch: packages, taxes and shares, one flight after another', async ({
    api,
    school,
    run,
    buys,
    invoices,
  }) => {
    // What a payer signs is what the flight costs then: the taxes are set before.
    const taxRates = [{ name: 'Sales tax', basisPoints: 725, appliesTo: ['aircraft'] }]
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { taxRates } })
    await threeFlights(api, school)
    const other = await buildMember(api, school.organizationId, ['student'])
    const shared = await closedOutFlight(api, school, { students: [school.student, other], ...times('22') })
    const payers = [school.student, other].map(({ orgUserId }) => ({ orgUserId, percentage: 50 }))
    await expectOk(api, school.admin, 'PUT', `/reservations/${shared}/payers`, { payers })
    await sign(api, school, shared)
    await buys({ grant: { deciHours: 20 }, lineKinds: ['aircraft'] })
    const before = await invoices()
    const dry = await run({ dryRun: true })
    expect(await invoices()).toEqual(before)
    const real = await run()
    const expected = [
      // Half of a flight: $126 + $42. The package covers 0.7 h; of the other's $126 the tax is 913.5.
      [4_200, 17_714],
      // 13 of 14 tenths of $252 are covered: 1,800 with 130.5 of tax, and 8,400.
      [10_331],
      // Nothing is left: 33,600, and 7.25 % of 25,200.
      [35_427],
      [35_427],
    ]
    expect(totalsOf(real.rows)).toEqual(expected)
    expect(totalsOf(dry.rows)).toEqual(expected)
    expect(dry.operation.result).toEqual({ dryRun: true, invoices: 5, totalCents: 103_099 })
    expect(real.operation.result).toEqual({ dryRun: false, invoices: 5, totalCents: 103_099 })
  })

  test('are refused by a dry run as by the batch', async ({ api, school, run }) => {
    await setRates(api, school)
    const student = await buildMember(api, school.organizationId, ['student'])
    await closedOutFlight(api, school, { students: [student], ...times('23') })
    // A managed member to whom no invoice can be sent.
    const managed = "update membership set account_id = null, search_name = 'Max', search_email = '' where id = $1"
    await api.core.database.pool.query(managed, [student.orgUserId])
    const dry = await run({ dryRun: true })
    expect(dry.rows).toMatchObject([{ outcome: 'refused', problems: [{ message: expect.stringContaining('Max') }] }])
    expect((await run()).rows[0]!.problems).toEqual(dry.rows[0]!.problems)
  })

  test('are each invoiced by itself: one that is refused does not hold up the others', async ({
    api,
    school,
    run,
    flights,
    invoices,
  }) => {
    const free = await freeFlight(api, school)
    const { operation, rows } = await run()
    expect(operation).toMatchObject({ status: 'done', succeeded: 3, failed: 1 })
    expect(operation.result).toEqual({ dryRun: false, invoices: 3, totalCents: 100_800 })
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'refused'])
    expect(rows[3]).toMatchObject({ reservationId: free, problems: [{ rule: 'invoicing', code: 'INVALID' }] })
    expect(rows[3]!.problems[0]!.message).toMatch(/^There is nothing to bill\./)
    const raised = await invoices()
    expect(raised.map(({ flight }) => flight).sort()).toEqual([...flights].sort())
    expect(raised.every(({ totalCents }) => totalCents === 33_600)).toBe(true)
  })

  test('stay as they are when they were invoiced after the batch was started', async ({
    api,
    school,
    start,
    flights,
    invoices,
  }) => {
    const { id } = await start()
    await expectOk(api, school.admin, 'POST', `/reservations/${flights[1]}/invoices`)
    await work(api, { organizationId: school.organizationId, operationId: id })
    const { operation, rows } = await readBulk(api, school.admin, id)
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'unchanged', 'done'])
    expect(operation.result).toMatchObject({ invoices: 2, totalCents: 67_200 })
    expect(await invoices()).toHaveLength(3)
  })

  test.for([
    [
      'the grant is withdrawn',
      (api: TestApp, { admin }: School, grant: number) => api.as(admin).delete(`/grants/${grant}`),
    ],
    [
      'the cashier is a student again',
      (api: TestApp, { admin, dispatcher }: School) =>
        api.as(admin).patch(`/orgUsers/${dispatcher.orgUserId}`, { dispatcher: false, student: true }),
    ],
    [
      'the cashier is removed',
      (api: TestApp, { admin, dispatcher }: School) => api.as(admin).delete(`/orgUsers/${dispatcher.orgUserId}`),
    ],
  ] as const)(
    'stay as they are when a cashier has started the batch, and %s before it runs (S80)',
    async ([, end], { api, school, flights, invoices }) => {
      const grant = await giveDesk(api, school, school.dispatcher, 'cashier')
      const filter = { endedAfter: '2026-11-23T00:00:00Z', endedBefore: '2026-11-24T00:00:00Z' }
      const { id, progress } = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', '/invoices/batch', {
        filter,
      })
      expect([flights.length, progress.total]).toEqual([3, 1])
      expect((await end(api, school, grant)).statusCode).toBeLessThan(300)
      await work(api, { organizationId: school.organizationId, operationId: id })
      expect((await readBulk(api, school.admin, id)).operation.status).toBe('failed')
      expect(await invoices()).toEqual([])
    },
  )

  // Two kills in a row without a flight in between end an operation, so the first place is another each time.
  test.for([
    ['the begin', 1],
    ['the groups', 2],
  ] as const)(
    'are invoiced once when the worker is killed after %s, and after each group',
    async ([, first], { api, school, start, flights, invoices }) => {
      // Seventeen flights: one more than a transaction has.
      const before = Array.from({ length: 14 }, (_, day) => times(String(day + 1).padStart(2, '0')))
      for (const slot of before) flights.push(await closedOutFlight(api, school, slot))
      const { id } = await start()
      const of = { organizationId: school.organizationId, operationId: id }
      // Transactions: begin, groups, one for sixteen flights, one for the last, end.
      for (const transactions of [first, 3, 3]) {
        await expect(work(api, of, transactions)).rejects.toThrow('the worker is killed')
      }
      await work(api, of)
      const { operation } = await readBulk(api, school.admin, id)
      expect(operation).toMatchObject({ status: 'done', progress: { done: 17, total: 17 }, succeeded: 17 })
      expect((await invoices()).map(({ flight }) => flight).sort()).toEqual([...flights].sort())
    },
  )

  test('use a package on, in a dry run, when the worker is killed between two transactions', async ({
    api,
    school,
    start,
    run,
    buys,
    flights,
  }) => {
    const before = Array.from({ length: 14 }, (_, day) => times(String(day + 1).padStart(2, '0')))
    for (const slot of before) flights.push(await closedOutFlight(api, school, slot))
    await buys({ grant: { amountCents: 500_000 } })
    const { id } = await start({ dryRun: true })
    const of = { organizationId: school.organizationId, operationId: id }
    // Transactions: begin, groups, one for sixteen flights.
    await expect(work(api, of, 3)).rejects.toThrow('the worker is killed')
    await work(api, of)
    // 14 × 33,600 = 470,400 are covered, 29,600 of the fifteenth, and nothing of the others.
    const expected = [...Array.from({ length: 14 }, () => [0]), [4_000], [33_600], [33_600]]
    expect(totalsOf((await readBulk(api, school.admin, id)).rows)).toEqual(expected)
    expect(totalsOf((await run()).rows)).toEqual(expected)
  })

  test('are those that ended before, of a member and of an aircraft, signed off and not prepaid', async ({
    api,
    school,
    start,
    flights,
  }) => {
    const other = await buildMember(api, school.organizationId, ['student'])
    await closedOutFlight(api, school, { students: [other], ...times('26') })
    const prepaid = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }
    await closedOutFlight(api, school, { ...times('27'), extra: prepaid })
    const total = async (filter: object) => (await start({ filter })).progress.total
    expect(await total({})).toBe(4)
    expect(await total({ endedBefore: '2026-11-24T12:00:00Z' })).toBe(1)
    expect(await total({ orgUserId: other.orgUserId })).toBe(1)
    expect(await total({ orgUserId: [school.admin.orgUserId, other.orgUserId] })).toBe(1)
    expect(await total({ orgUserId: 'me' })).toBe(0)
    const filter = { endedBefore: '2027-01-01', orgUserId: ['me', 'you'] }
    const refused = await api.as(school.admin).post('/invoices/batch', { filter })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'filter.orgUserId.1: must be a whole number'])
    expect(await total({ resourceId: (await buildPlane(api, school)).id })).toBe(0)
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${flights[0]}/reopen`, { reason: 'Wrong tach.' })
    expect(await total({})).toBe(3)
  })

  test('are 2,000 at most', async ({ api, school, start }) => {
    await api.core.database.pool.query(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by,
         ramped_out_at, ramped_in_at, signed_off_at)
       select $1, 'Lesson', 'ground', s, s + interval '1 hour', 'UTC', $2, s, s, s
       from generate_series(1, 2001) n, lateral (select timestamptz '2026-01-01T00:00:00Z' + make_interval(hours => n) as s) t`,
      [school.organizationId, school.dispatcher.orgUserId],
    )
    const body = { filter: { endedBefore: '2026-11-20T00:00:00Z' } }
    const refused = await api.as(school.admin).post('/invoices/batch', body)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe('filter: selects more than 2000 flights; give an earlier endedBefore')
    // January has 744 hours: the first ends at 2:00, and the one that ends at its end is not over before it.
    expect((await start({ filter: { endedBefore: '2026-02-01T00:00:00Z' }, dryRun: true })).progress.total).toBe(742)
  })

  test('are in ten batches an hour at most, dry runs among them', async () => {
    const limitedApi = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } })
    try {
      const { admin, owner } = await buildSchool(limitedApi)
      const body = { filter: { endedBefore: '2026-11-20T00:00:00Z' }, dryRun: true }
      const start = (who: Member) => limitedApi.as(who).post('/invoices/batch', body)
      for (let at = 0; at < 10; at++) expect((await start(at % 2 ? admin : owner)).statusCode).toBe(202)
      limited(await start(admin))
    } finally {
      await limitedApi.close()
    }
  })

  test('asks until when, since what is not over is not to be billed', async ({ api, school }) => {
    const response = await api.as(school.admin).post('/invoices/batch', { filter: {} })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('filter.endedBefore')
  })
})
