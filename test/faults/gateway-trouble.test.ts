import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FaultKind } from '../../local/payments/faults.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { delayedJobs } from '../support/delayed-jobs.ts'
import { eventually } from '../support/eventually.ts'
import { expectOk, type FlownFlight, flownBy } from '../support/flights.ts'
import { expectSameFigures } from '../support/reconcile.ts'

const STEPS = [
  'POST /v1/customers',
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'POST /v1/invoices/:id/finalize',
]
const TROUBLES: FaultKind[] = ['429', '500', '500_after_work', 'hang', 'cut_before_work', 'cut_after_work']
/** Each at each step where it is cheap; the worst two where the jobs come from elsewhere. */
const KINDS: Record<QueueBackend['kind'], FaultKind[]> = { postgres: TROUBLES, redis: ['hang', 'cut_after_work'] }

/** Only what is made to hang takes longer than a call may, and whoever waits for the rest has the time for it. */
const CALLS_IN_TIME = { STRIPE_TIMEOUT_MS: '2000', PROCESSOR_WAIT_MS: '60000', WORKER_CONCURRENCY: '50' }
const HANG_SECONDS = 3

interface Billed {
  id: number
  status: string
  number: number | null
  totalCents: number
}

describe.each(testedBackends())('a processor in trouble, queues in %s', (kind) => {
  const cases = STEPS.flatMap((match) => KINDS[kind].map((trouble) => ({ match, trouble })))
  let env: BillingEnv
  let flights: FlownFlight[]
  beforeAll(async () => {
    env = await startBilling(kind, { env: CALLS_IN_TIME })
    flights = []
    for (const [index] of [...cases, 'busy', 'slow'].entries()) flights.push(await flownBy(env.api, env.school, index))
  }, 60_000)
  afterAll(() => env.close())

  function bill(flight: number) {
    return env.api.call('POST', `/reservations/${flight}/invoices`, { token: env.school.admin.token })
  }

  test('ends in one invoice per payer, whatever goes wrong once at whichever step', async () => {
    const troubled = cases.map((fault, index) => ({ ...fault, ...flights[index]! }))
    for (const { match, trouble, student } of troubled) {
      await env.simulator.fault({ match, kind: trouble, customerEmail: student.email, seconds: HANG_SECONDS })
    }
    const answers = await Promise.all(troubled.map(({ id }) => bill(id)))
    for (const [index, answer] of answers.entries()) {
      const { match, trouble } = troubled[index]!
      expect([match, trouble, answer.statusCode, answer.json().warnings]).toEqual([match, trouble, 201, []])
      expect(answer.json().data).toMatchObject([{ status: 'open', totalCents: 33_600 }])
    }
    await expectSameFigures(env)
  }, 90_000)

  test('that is busy is asked again when it said, not before; the answer does not wait that long', async () => {
    const { student, id } = flights.at(-2)!
    const match = 'POST /v1/invoices'
    await env.simulator.fault({ match, kind: '429', retryAfterSeconds: 1_800, customerEmail: student.email })
    env.api.config.PROCESSOR_WAIT_MS = 500
    const answer = await bill(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      data: [{ status: 'pending', number: null, payUrl: null }],
      warnings: [
        `The payment processor has not answered for ${student.name} yet; the invoice will follow automatically.`,
      ],
    })

    const waiting = await eventually(
      () => delayedJobs(env.api, 'invoicing'),
      (jobs) => jobs.length === 1,
    )
    expect(waiting[0]?.delay).toBe(1_800_000)
    await waiting[0]?.promote()
    await becomesOpen(answer.json().data[0].id)
    await expectSameFigures(env)
  })

  test('that hangs keeps nobody waiting: the invoice is pending and follows by itself', async () => {
    const { student, id } = flights.at(-1)!
    await env.simulator.fault({
      match: 'POST /v1/invoices',
      kind: 'hang',
      seconds: HANG_SECONDS,
      customerEmail: student.email,
    })
    env.api.config.PROCESSOR_WAIT_MS = 200
    const answer = await bill(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      data: [{ status: 'pending' }],
      warnings: [expect.stringContaining(student.name)],
    })
    expect((await bill(id)).statusCode).toBe(400)
    await becomesOpen(answer.json().data[0].id)
    await expectSameFigures(env)
  })

  function becomesOpen(id: number): Promise<Billed> {
    const look = () => expectOk<Billed>(env.api, env.school.admin, 'GET', `/invoices/${id}`)
    return eventually(look, (invoice) => invoice.status === 'open' && invoice.number !== null)
  }
})
