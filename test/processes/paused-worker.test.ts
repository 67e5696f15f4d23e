import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopFor } from '../drills/faults.ts'
import { enqueueMail } from '../drills/mail-load.ts'
import { type MailSink, startMailSink } from '../drills/mail-sink.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../support/backends.ts'
import { startWorkerProcess } from '../support/processes.ts'

const MAILS = 60
/** Longer than the lock of a job (3 s) and the look for stalled ones (1 s). */
const PAUSE_SECONDS = 5

describe.each(testedBackends())('mails in hand of a worker, queues in %s', (kind) => {
  let backend: StartedBackend
  let sink: MailSink
  let api: TestApp
  beforeAll(async () => {
    backend = await startBackend(kind)
    sink = await startMailSink()
    api = await startTestApp({ realTime: true, env: { ...backend.env, SMTP_URL: sink.url } })
  })
  afterAll(async () => {
    await api.close()
    await sink.close()
    await backend.stop()
  })

  const startWorker = () => startWorkerProcess(api.config, {}, ['email'])
  const enqueue = (count: number) => Promise.all(Array.from({ length: count }, () => enqueueMail(api)))
  const copiesOf = (addresses: string[]) => addresses.map((to) => sink.taken.filter((mail) => mail.to === to).length)
  const query = async (text: string) => (await api.core.database.pool.query(text)).rows
  const nothingLeft = () => expect.poll(() => query('select 1 from outbox where failed_at is null')).toEqual([])

  test('that is stopped for longer than its locks last arrive once', async () => {
    const workers = await Promise.all([startWorker(), startWorker()])
    const addresses = await enqueue(MAILS)
    await expect.poll(() => sink.taken.length).toBeGreaterThan(0)
    await stopFor(PAUSE_SECONDS, [workers[0]!.pid])
    await nothingLeft()
    expect(copiesOf(addresses)).toEqual(addresses.map(() => 1))
    expect(await Promise.all(workers.map((worker) => worker.terminate()))).toEqual([0, 0])
  })

  test('that is killed before its call arrive through another within 5 seconds', async () => {
    const addresses = await enqueue(1)
    const blocker = await api.core.database.pool.connect()
    // The job begins by reading what it is to mail, and waits there.
    // Two workers may take longer to start than the service lets a transaction lie idle.
    await blocker.query(
      'begin; set local idle_in_transaction_session_timeout = 0; lock table mail_token in access exclusive mode',
    )
    const victim = await startWorker()
    const blocked = 'select 1 from pg_locks where not granted'
    await expect.poll(() => query(blocked)).toHaveLength(1)
    const second = await startWorker()
    await victim.kill()
    const killed = performance.now()
    await blocker.query('rollback')
    blocker.release()
    await nothingLeft()
    expect(copiesOf(addresses)).toEqual([1])
    const arrivedMs = sink.taken.at(-1)!.at - killed
    // What an undisturbed mail takes on this machine, right now: a busy one takes its share of the 5 seconds.
    const enqueued = performance.now()
    await enqueue(1)
    await nothingLeft()
    expect(arrivedMs).toBeLessThan(5_000 + 3 * (sink.taken.at(-1)!.at - enqueued))
    expect(await second.terminate()).toBe(0)
  })
})
