import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../../support/backends.ts'
import { buildSchool } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { until } from '../../support/eventually.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { setClockOff } from '../../support/off-clock.ts'
import { startTestWorkers } from '../../support/workers.ts'

const HOUR_MS = 3_600_000

describe.each(testedBackends())('marks, queues in %s (decision 26)', (kind) => {
  let backend: StartedBackend
  let api: TestApp
  beforeAll(async () => {
    backend = await startBackend(kind)
    api = await startTestApp({ env: backend.env })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await api.close()
    await backend.stop()
  })

  /** Makes each judging fail until the returned function is called. */
  async function failJudging(): Promise<() => Promise<unknown>> {
    await asOwner(
      api,
      `create or replace function fail_judging() returns trigger language plpgsql as
        $$ begin raise exception 'judging fails'; end $$`,
    )
    await asOwner(
      api,
      'create trigger fail_judging before insert on reservation_at_risk execute function fail_judging()',
    )
    return () => asOwner(api, 'drop trigger fail_judging on reservation_at_risk')
  }

  // A job of marks is queued once for an organization: one left in the future would keep all later marks waiting.
  test.each([HOUR_MS, -HOUR_MS])(
    'are judged by a worker whose clock is off, also after a failure: %i ms',
    async (ms) => {
      const school = await buildSchool(api)
      const { organizationId, plane, admin } = school
      await bookDual(api, school, { start: '2026-11-26T10:00:00Z', end: '2026-11-26T12:00:00Z' })
      const mend = await failJudging()
      await expectOk(api, admin, 'PATCH', `/resources/${plane.id}/grounding`, { grounded: true, reason: 'Flat strut' })
      setClockOff(ms)
      const workers = await startTestWorkers(api, { queues: ['judging'] })
      const queue = api.core.queues.queue('judging')
      const job = async () => queue.getJob(`reservations.judge-at-risk-${organizationId}`)
      await until(async () => ((await job())?.attemptsMade ?? 0) > 0)
      await mend()
      const rowsOf = async (text: string) => (await api.core.database.pool.query(text, [organizationId])).rowCount
      await until(async () => (await rowsOf('select from reservation_at_risk where organization_id = $1')) === 1)
      await until(async () => (await rowsOf('select from job_mark where organization_id = $1')) === 0)
      expect(await queue.getDelayedCount()).toBe(0)
      await workers.stop()
    },
  )
})
