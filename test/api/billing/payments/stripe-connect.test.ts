import { describe, expect } from 'vitest'
import { buildSchool } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Connection {
  accountId: string
  ready: boolean
  onboardingUrl: string | null
}

const test = billingTest()
  .extend('school', ({ env }) => buildSchool(env.api))

  .extend(
    'connect',
    ({ env, school }) =>
      (body?: object) =>
        expectOk<Connection>(env.api, school.admin, 'POST', '/integrations/stripe/connect', body),
  )

  .extend('settings', ({ env, school }) => async () => {
    const organization = await expectOk<{ settings: { stripeAccountId: string | null; stripeAccountReady: boolean } }>(
      env.api,
      school.admin,
      'GET',
      `/organizations/${school.organizationId}`,
    )
    const { stripeAccountId, stripeAccountReady } = organization.settings
    return { stripeAccountId, stripeAccountReady }
  })

  .extend(
    'raise',
    ({ env, school }) =>
      async (): Promise<{ id: number; status: string; processor: { invoiceId: string } }> =>
        expectOk(env.api, school.admin, 'POST', '/invoices', {
          customer: { orgUserId: school.student.orgUserId },
          items: [{ description: 'Books', unitPrice: 4500 }],
        }),
  )

  .extend('accountOf', ({ env }) => async (id: string): Promise<string | null | undefined> => {
    const { invoices } = await env.simulator.everything()
    return invoices.find((invoice) => invoice.id === id)?.account
  })

test.afterEach(({ env }) => env.simulator.clearFaults())

describe('connecting an account of the processor', () => {
  test('opens one account once, and invoices go through it when the school has finished', async ({
    connect,
    settings,
    accountOf,
    raise,
  }) => {
    const first = await connect({ returnUrl: 'https://school.example/payments' })
    expect(first).toMatchObject({ ready: false, accountId: expect.stringMatching(/^acct_/) })
    expect(await settings()).toEqual({ stripeAccountId: first.accountId, stripeAccountReady: false })
    expect(await accountOf((await raise()).processor.invoiceId)).toBeNull()

    const done = await fetch(first.onboardingUrl ?? '', { method: 'POST', redirect: 'manual' })
    expect(done.headers.get('location')).toBe('https://school.example/payments')
    expect(await connect()).toEqual({ accountId: first.accountId, ready: true, onboardingUrl: null })
    expect(await settings()).toEqual({ stripeAccountId: first.accountId, stripeAccountReady: true })
    expect(await accountOf((await raise()).processor.invoiceId)).toBe(first.accountId)
  })

  test('by ten admins at once opens one', async ({ connect }) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => connect()))
    expect(new Set(answers.map(({ accountId }) => accountId)).size).toBe(1)
  })

  test('leaves earlier invoices where they are: they are voided and followed there', async ({
    raise,
    connect,
    env,
    school,
  }) => {
    const invoice = await raise()
    const { accountId, onboardingUrl } = await connect()
    await fetch(onboardingUrl ?? '', { method: 'POST', redirect: 'manual' })
    await connect()
    await expectOk(env.api, school.admin, 'POST', `/invoices/${invoice.id}/void`, { reason: 'Wrong person' })
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const there = invoices.find(({ id }) => id === invoice.processor.invoiceId)
    expect([there?.account, there?.status]).toEqual([null, 'void'])
    expect(accountId).toMatch(/^acct_/)
  })

  test('asks the caller to try again while the processor is away, and opens the account when it returns', async ({
    env,
    school,
    connect,
    impatient,
  }) => {
    await env.simulator.fault({ match: 'POST /v1/accounts', kind: 'hang' })
    const answer = await impatient.as(school.admin).post('/integrations/stripe/connect')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      data: { accountId: null, ready: false, onboardingUrl: null },
      warnings: ['The payment processor has not answered yet. Please call again in a moment.'],
    })
    await env.simulator.met()
    await env.simulator.clearFaults()
    await env.workers.settled()
    expect((await connect()).accountId).toMatch(/^acct_/)
  })

  test.for(['javascript:alert(1)', 'nowhere'])('takes no link back to %s', async (returnUrl, { env, school }) => {
    const answer = await env.api.as(school.admin).post('/integrations/stripe/connect', { returnUrl })
    expect(answer.statusCode).toBe(400)
  })

  test('is the only way to set the account', async ({ env, school, settings }) => {
    await expectOk(env.api, school.admin, 'PATCH', '/organizations', {
      settings: { stripeAccountId: 'acct_evil', stripeAccountReady: true },
    })
    expect(await settings()).toEqual({ stripeAccountId: null, stripeAccountReady: false })
  })
})
