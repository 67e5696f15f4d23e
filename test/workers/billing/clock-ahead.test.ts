import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { testedBackends } from '../../support/backends.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { delayedJobs } from '../../support/delayed-jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { flownBy } from '../../support/flights.ts'
import { setClockOff } from '../../support/off-clock.ts'
import { startTestWorkers } from '../../support/workers.ts'

const HOUR_MS = 3_600_000
const INVOICES = 12

describe.each(testedBackends())('a worker whose clock is an hour ahead, queues in %s', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind, { workers: false })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => env.close())

  test('raises invoices whose first calls fail, and leaves none in the future', async () => {
    const { api, school, simulator } = env
    for (let day = 0; day < INVOICES; day++) {
      const { id } = await flownBy(api, school, day)
      const answer = await api.call('POST', `/reservations/${id}/invoices`, { token: school.admin.token })
      expect(answer.json()).toMatchObject({ data: [{ status: 'pending' }] })
    }
    await simulator.fault({ match: 'POST /v1/invoices', kind: '500', times: INVOICES })
    setClockOff(HOUR_MS)
    const workers = await startTestWorkers(api, { queues: ['invoicing'] })
    const statuses = async () => {
      const { rows } = await api.core.database.pool.query<{ status: string }>('select status from invoice')
      return rows.map(({ status }) => status)
    }
    await eventually(statuses, (all) => all.length === INVOICES && all.every((status) => status === 'open'))
    expect(await delayedJobs(api, 'invoicing')).toEqual([])
    await workers.stop()
  })
})
