import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../support/backends.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { dualBody } from '../support/flights.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { type ApiProcess, startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'

/** What the service promises. */
const HEALTHY_WITHIN_MS = 3_000
const CLIENTS = 8
const PAUSE_MS = 25

describe.each(testedBackends())('a PostgreSQL that is killed under load, queues in %s', (kind) => {
  let postgres: OwnPostgres
  let backend: StartedBackend
  let parent: TestApp
  let mail: TestWorkers
  let api: ApiProcess
  let worker: TestProcess
  let school: School
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    backend = await startBackend(kind)
    parent = await startTestApp({ databaseUrl: postgres.url, realTime: true, env: backend.env })
    mail = await startTestWorkers(parent, { queues: ['upkeep'] })
    school = await buildSchool(parent)
    api = await startApiProcess(parent.config, { LOG_LEVEL: 'warn' })
    worker = await startWorkerProcess(parent.config, { SMTP_URL: mail.mailCatcher.smtpUrl, LOG_LEVEL: 'warn' })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([worker.kill(), api.kill()])
    await mail.stop()
    await parent.close()
    await backend.stop()
    await postgres.stop()
  })

  test('costs no process and no acknowledged write, answers 503 meanwhile, and is back within 3 seconds', async () => {
    const answers: { status: number; id: number | null; asked: number }[] = []
    let slot = 0
    let loading = true
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (loading) {
        const start = Date.UTC(2027, 0, 1) + slot++ * 3_600_000
        const body = dualBody(school, { start: iso(start), end: iso(start + 3_600_000) })
        const asked = performance.now()
        const response = await fetch(`${api.url}/reservations`, {
          method: 'POST',
          headers: { authorization: `Bearer ${school.dispatcher.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const { data, message } = (await response.json()) as { data?: { id: number }; message?: string }
        expect(response.status === 201 ? data?.id : message).toBeTruthy()
        answers.push({ status: response.status, id: data?.id ?? null, asked })
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    })
    const accepted = () => answers.filter(({ status }) => status === 201)
    await eventually(
      async () => accepted().length,
      (count) => count > 30,
    )
    await postgres.kill()
    await eventually(
      async () => answers.at(-1)?.status,
      (status) => status === 503,
    )
    await postgres.restart()
    const back = performance.now()
    await eventually(
      async () => (await fetch(`${api.url}/health`)).status,
      (status) => status === 200,
    )
    const healthy = performance.now()
    await eventually(
      async () => accepted().filter(({ asked }) => asked > healthy).length,
      (count) => count > 20,
    )
    loading = false
    await Promise.all(clients)

    expect(healthy - back).toBeLessThan(HEALTHY_WITHIN_MS)
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([201, 503])
    expect(answers.filter(({ status, asked }) => status !== 201 && asked > healthy)).toEqual([])
    const { rows } = await parent.core.database.pool.query<{ id: number }>('select id from reservation')
    const kept = new Set(rows.map(({ id }) => id))
    expect(accepted().filter(({ id }) => !kept.has(id as number))).toEqual([])
    await mail.settled()
    expect(new Set(mail.mails(school.student.email).map(({ messageId }) => messageId)).size).toBe(kept.size)
    expect([api.isAlive(), worker.isAlive()]).toEqual([true, true])
    // No connection was lost for good: they would be waited for.
    expect([await api.terminate(), await worker.terminate()]).toEqual([0, 0])
  })
})

function iso(at: number): string {
  return new Date(at).toISOString()
}
