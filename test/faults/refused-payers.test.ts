import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { buildMember, type Member } from '../support/builders.ts'
import { closedOutFlight, expectOk } from '../support/flights.ts'
import { expectSameFigures } from '../support/reconcile.ts'

/** 1.4 h × $180 wet + 1.4 h × $60 instruction is $336.00, for two. */
const HALF_CENTS = 16_800

describe.each(testedBackends())('a processor that refuses payers, queues in %s', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    const chargeRules = { aircraft: 'split_evenly', instruction: 'split_evenly' } as const
    env = await startBilling(kind, { settings: { chargeRules } })
  })
  afterEach(() => env.simulator.clearFaults())
  afterAll(() => env.close())

  /** A closed-out flight of two new students, who share what it costs. */
  async function flightOfTwo(day: number): Promise<{ url: string; first: Member; second: Member }> {
    const { api, school } = env
    const first = await buildMember(api, school.organizationId, ['student'])
    const second = await buildMember(api, school.organizationId, ['student'])
    const id = await closedOutFlight(api, school, {
      students: [first, second],
      start: `2026-11-${day}T10:00:00Z`,
      end: `2026-11-${day}T12:00:00Z`,
    })
    return { url: `/reservations/${id}`, first, second }
  }

  async function bill(url: string) {
    const response = await env.api.call('POST', `${url}/invoices`, { token: env.school.admin.token })
    const { data, warnings, message } = response.json()
    const billed = data?.map((invoice: { customer: { orgUserId: number }; totalCents: number; status: string }) => [
      invoice.customer.orgUserId,
      invoice.totalCents,
      invoice.status,
    ])
    return { status: response.statusCode, billed, warnings, message }
  }

  test.each([
    { step: 'before anything is made', match: '*' },
    { step: 'when the invoice is finalized', match: 'POST /v1/invoices/:id/finalize' },
  ])('bills the other, names the refused one, and on a second call bills only them ($step)', async ({ match }) => {
    const { url, first, second } = await flightOfTwo(match === '*' ? 10 : 11)
    await env.simulator.fault({ match, kind: '402', customerEmail: second.email, times: 1_000 })

    const partly = await bill(url)
    expect(partly).toMatchObject({ status: 201, billed: [[first.orgUserId, HALF_CENTS, 'open']] })
    expect(partly.warnings).toEqual([`${second.name} could not be billed: Your card was declined.`])
    await expectSameFigures(env)

    await env.simulator.clearFaults()
    const rest = await bill(url)
    expect(rest).toMatchObject({ status: 201, billed: [[second.orgUserId, HALF_CENTS, 'open']], warnings: [] })
    expect(await bill(url)).toMatchObject({ status: 400, message: expect.stringContaining('already') })
    await expectSameFigures(env)
  })

  test.each([
    { step: 'before anything is made', match: '*' },
    { step: 'when the items are added', match: 'POST /v1/invoices/:id/add_lines' },
  ])('bills nobody when it refuses all, and everybody once it does not ($step)', async ({ match }) => {
    const { url, first, second } = await flightOfTwo(match === '*' ? 12 : 13)
    await env.simulator.fault({ match, kind: '402', times: 1_000 })

    const refused = await bill(url)
    expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(/^Nothing was billed\./) })
    expect(refused.message).toContain(first.name)
    expect(refused.message).toContain(second.name)
    const flight = await expectOk<{ status: string; invoices: [] }>(env.api, env.school.admin, 'GET', url)
    expect(flight).toMatchObject({ status: 'signed_off', invoices: [] })
    await env.simulator.clearFaults()
    await expectSameFigures(env)

    const billed = await bill(url)
    expect(billed).toMatchObject({ status: 201, warnings: [] })
    expect(billed.billed).toEqual([
      [first.orgUserId, HALF_CENTS, 'open'],
      [second.orgUserId, HALF_CENTS, 'open'],
    ])
    await expectSameFigures(env)
  })
})
