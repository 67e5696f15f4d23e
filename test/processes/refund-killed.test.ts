import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { endClaims } from '../support/deliveries.ts'
import { eventually } from '../support/eventually.ts'
import { closedOutFlight, expectOk, setRates } from '../support/flights.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { expectSameFigures } from '../support/reconcile.ts'

interface Made {
  id: number
  payUrl: string
  status: string
}

describe.each(testedBackends())('a worker that is killed while it gives back a credit, queues in %s', (kind) => {
  let env: BillingEnv
  let worker: TestProcess | undefined
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false })
  })
  afterEach(async () => {
    await worker?.kill()
    await env.simulator.clearFaults()
  })
  afterAll(() => env.close())

  const startWorker = () => startWorkerProcess(env.api.config, { SMTP_URL: env.workers.mailCatcher.smtpUrl })
  const refunds = async () => (await env.simulator.everything()).refunds.map(({ amount }) => amount)

  test('after the processor gave it back, asked for later: it goes back once', async () => {
    const { api, school, simulator } = env
    const post = <T>(path: string, body: object) => expectOk<T>(api, school.admin, 'POST', path, body)
    const look = (id: number) => expectOk<Made>(api, school.admin, 'GET', `/invoices/${id}`)
    worker = await startWorker()
    const items = [{ description: 'Headset', unitPrice: 9_000 }]
    const { id } = await post<Made>('/invoices', { customer: { orgUserId: school.student.orgUserId }, items })
    const { payUrl } = await eventually(
      () => look(id),
      ({ status }) => status === 'open',
    )
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(
      () => look(id),
      ({ status }) => status === 'paid',
    )
    const note = await post<Made>(`/invoices/${id}/creditNotes`, {
      amountCents: 9_000,
      reason: 'Broken',
      refund: 'none',
    })
    // Only the answer is late: the refund is made before.
    await simulator.fault({ match: 'POST /v1/refunds', kind: 'hang_after_work', seconds: 30 })
    await post(`/creditNotes/${note.id}/refund`, { refund: 'processor' })
    await eventually(refunds, ({ length }) => length === 1)
    await worker.kill()
    expect(await look(id)).toMatchObject({ refundedCents: 9_000 })
    const notes = () => expectOk<object[]>(api, school.admin, 'GET', `/invoices/${id}/creditNotes`)
    expect(await notes()).toMatchObject([{ refundStatus: 'pending', refundedCents: 0 }])

    await simulator.clearFaults()
    await endClaims(api.core.database.pool)
    worker = await startWorker()
    await env.workers.settled()
    expect(await refunds()).toEqual([9_000])
    expect(await notes()).toMatchObject([{ refundStatus: 'succeeded', refundedCents: 9_000 }])
    expect(await look(id)).toMatchObject({ refundedCents: 9_000, creditCents: 0 })
    await expectSameFigures(env)
  })

  test('after the processor gave back what a corrected flight cost too much: it goes back once', async () => {
    const { api, school, simulator } = env
    const { admin, owner } = school
    worker = await startWorker()
    await setRates(api, school)
    const flight = await closedOutFlight(api, school)
    const [invoice] = await expectOk<Made[]>(api, owner, 'POST', `/reservations/${flight}/invoices`)
    const look = () => expectOk<Made>(api, admin, 'GET', `/invoices/${invoice!.id}`)
    const { payUrl } = await eventually(look, ({ status }) => status === 'open')
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(look, ({ status }) => status === 'paid')
    const before = await refunds()
    await simulator.fault({ match: 'POST /v1/refunds', kind: 'hang_after_work', seconds: 30 })
    // 1.4 h at 180.00 and 60.00 become 1.1 h.
    const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(api, admin, 'GET', `/reservations/${flight}`)
    const readings = { hobbsTimeOut, hobbsTimeIn: Math.round((hobbsTimeOut + 1.1) * 100) / 100 }
    const body = { readings, reason: '0.3 read wrong', refund: 'processor' }
    await expectOk(api, admin, 'POST', `/reservations/${flight}/correct`, body)
    await eventually(refunds, ({ length }) => length === before.length + 1)
    await worker.kill()
    const notes = () => expectOk<object[]>(api, admin, 'GET', `/invoices/${invoice!.id}/creditNotes`)
    expect(await notes()).toMatchObject([{ amountCents: 7_200, refundStatus: 'pending' }])

    await simulator.clearFaults()
    await endClaims(api.core.database.pool)
    worker = await startWorker()
    await env.workers.settled()
    expect(await refunds()).toEqual([...before, 7_200])
    expect(await notes()).toMatchObject([{ amountCents: 7_200, refundStatus: 'succeeded', refundedCents: 7_200 }])
    await expectSameFigures(env)
  })
})
