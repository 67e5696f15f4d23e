import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { type FailoverProxy, startFailoverProxy } from '../support/failover-proxy.ts'
import { dualBody } from '../support/flights.ts'
import { asRole, prepareTemplate, TEMPLATE } from '../support/global-setup.ts'
import { debianPrograms, makeNode, type PostgresNode, STREAMING } from '../support/postgres-nodes.ts'
import { type ApiProcess, startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'
import { stopFor } from './faults.ts'
import { printTable, report } from './report.ts'

const CLIENTS = 8
const PAUSE_MS = 25
const HOUR = 3_600_000
/** The longest time from the end of the primary to the first accepted write. */
const FIRST_WRITE_WITHIN_S = 10
/** How long the standby gets nothing before the primary is killed. */
const BEHIND_S = 2
/** How long the address leads to a standby. */
const MISLED_MS = 3_000

interface Answer {
  status: number
  retryAfter: string | null
  /** The start of the booking. An id that was lost may be given again. */
  start: string
  askedAt: number
  answeredAt: number
}

let nodes: [PostgresNode, PostgresNode]
let proxy: FailoverProxy
let parent: TestApp
let mail: TestWorkers
let api: ApiProcess
let worker: TestProcess
let school: School
let slot = 0
let endLoad: () => Promise<unknown> = async () => undefined
afterEach(() => endLoad())

beforeAll(async () => {
  const programs = debianPrograms()
  nodes = [await makeNode(programs), await makeNode(programs)]
  const [a, b] = nodes
  await a.create()
  await a.query('create role haproxy login connection limit 10')
  await prepareTemplate(a.url())
  await b.copyOf(a)
  proxy = await startFailoverProxy([a.port, b.port])
  const databaseUrl = asRole(a.url(TEMPLATE).replace(`:${a.port}/`, `:${proxy.port}/`), 'service')
  parent = await startTestApp({ databaseUrl, realTime: true })
  mail = await startTestWorkers(parent, { queues: ['upkeep'] })
  school = await buildSchool(parent)
  api = await startApiProcess(parent.config, { LOG_LEVEL: 'warn' })
  worker = await startWorkerProcess(parent.config, { SMTP_URL: mail.mailCatcher.smtpUrl, LOG_LEVEL: 'warn' })
})
afterAll(async () => {
  await Promise.all([worker?.kill(), api?.kill()])
  await mail?.stop()
  await parent?.close()
  await proxy?.stop()
  await Promise.all((nodes ?? []).map((node) => node.remove()))
  printTable()
})

describe('a standby is promoted behind the address', () => {
  test('with synchronous commit, no accepted write is lost', async () => {
    const [primary, standby] = nodes
    await setSynchronous(primary)
    const { lost, acceptedCount } = await failOver(primary, standby, 'synchronous commit')
    expect(acceptedCount).toBeGreaterThan(50)
    expect(lost).toBe(0)
  })

  test('the old primary comes back as a standby, and an address that leads to it is neither read nor written', async () => {
    const [old, primary] = nodes
    const load = startLoad()
    await load.accepts(20)
    await old.follow(primary)
    const misled = performance.now()
    await proxy.sendTo(old.port)
    await new Promise((resolve) => setTimeout(resolve, MISLED_MS))
    const reads = await Promise.all(['/locations', '/users', '/health/ready'].map((path) => read(path)))
    const corrected = performance.now()
    await proxy.sendTo()
    const first = await load.acceptsAfter(corrected)
    await load.accepts(20)
    const answers = await load.stop()
    expect(reads.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [503, '1'],
      [503, '1'],
      [503, null],
    ])
    const between = answers.filter(({ askedAt, answeredAt }) => askedAt > misled + 500 && answeredAt < corrected)
    expect(between.length).toBeGreaterThan(0)
    expect([...new Set(between.map(({ status, retryAfter }) => `${status} ${retryAfter}`))]).toEqual(['503 1'])
    const { lost, doubled, inWindow } = await count(answers)
    const recoverySeconds = (first - corrected) / 1_000
    report({
      fault: 'address leads to a standby for 3 s',
      load: loadOf(answers),
      lost,
      doubled,
      inWindow,
      recoverySeconds,
    })
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
    expect(recoverySeconds).toBeLessThan(FIRST_WRITE_WITHIN_S)
  })

  test('without it, what the standby had not received is lost, and nothing else', async () => {
    const [standby, primary] = nodes
    const { lostBefore } = await failOver(primary, standby, 'no synchronous commit')
    expect(lostBefore).toBe(0)
  })

  test('no process ended, and none lost a connection for good', async () => {
    expect([api.isAlive(), worker.isAlive()]).toEqual([true, true])
    expect([await api.terminate(), await worker.terminate()]).toEqual([0, 0])
  })
})

/** Commits wait for the standby from now on. */
async function setSynchronous(primary: PostgresNode): Promise<void> {
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  await eventually(
    () => primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication'),
    ([first]) => first?.sync_state === 'sync',
  )
}

/** Kills the primary under load while the standby gets nothing, promotes the standby, and counts. */
async function failOver(primary: PostgresNode, standby: PostgresNode, how: string) {
  const load = startLoad()
  await load.accepts(50)
  const [sender] = await primary.query<{ pid: number }>(STREAMING)
  const behind = performance.now()
  const stopped = stopFor(BEHIND_S + 1, [sender!.pid])
  await new Promise((resolve) => setTimeout(resolve, BEHIND_S * 1_000))
  await primary.kill()
  const killed = performance.now()
  await standby.promote()
  const promoted = performance.now()
  const first = await load.acceptsAfter(killed)
  await load.accepts(50)
  const answers = await load.stop()
  await stopped
  const { lost, doubled, inWindow, missing } = await count(answers)
  const recoverySeconds = (first - killed) / 1_000
  const lostBefore = missing.filter(({ answeredAt }) => answeredAt < behind).length
  report({
    fault: `primary killed, ${how}, standby ${BEHIND_S} s behind`,
    load: loadOf(answers),
    lost,
    doubled,
    inWindow,
    recoverySeconds,
  })
  process.stdout.write(`promoted ${((promoted - killed) / 1_000).toFixed(1)} s after the kill\n`)
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([201, 503])
  expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([])
  expect(recoverySeconds).toBeLessThan(FIRST_WRITE_WITHIN_S)
  const listening = await standby.query(`select from pg_stat_activity where application_name = 'flightline-listener'`)
  expect(listening.length).toBeGreaterThan(0)
  return { lost, lostBefore, acceptedCount: answers.filter(({ status }) => status === 201).length }
}

/** Clients that book one slot after the other, whatever they are answered. */
function startLoad() {
  const answers: Answer[] = []
  let loading = true
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (loading) {
      const at = Date.UTC(2027, 0, 1) + slot++ * HOUR
      const [start, end] = [at, at + HOUR].map((instant) => new Date(instant).toISOString()) as [string, string]
      const askedAt = performance.now()
      const { status, retryAfter } = await send('POST', '/reservations', dualBody(school, { start, end }))
      answers.push({ status, retryAfter, start, askedAt, answeredAt: performance.now() })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })
  const accepted = () => answers.filter(({ status }) => status === 201)
  const stop = async () => {
    loading = false
    await Promise.all(clients)
    return answers
  }
  endLoad = stop
  return {
    stop,
    /** Resolves after so many more accepted bookings. */
    async accepts(more: number): Promise<void> {
      const before = accepted().length
      await eventually(
        async () => accepted().length,
        (all) => all >= before + more,
      )
    },
    /** Resolves with the time of the first accepted booking that was sent after an instant. */
    async acceptsAfter(instant: number): Promise<number> {
      const first = await eventually(
        async () => accepted().find(({ askedAt }) => askedAt > instant),
        (answer) => answer !== undefined,
      )
      return first!.answeredAt
    },
  }
}

const read = (path: string) => send('GET', path)

async function send(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; retryAfter: string | null }> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${school.admin.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

/** Compares what was accepted with what is there, and the bookings with the mails about them, when all jobs are done. */
async function count(answers: readonly Answer[]) {
  await mail.settled()
  const { rows } = await parent.core.database.pool.query<{ start: Date }>('select starts_at as start from reservation')
  const kept = new Set(rows.map(({ start }) => start.toISOString()))
  const missing = answers.filter(({ status, start }) => status === 201 && !kept.has(start))
  const mails = mail.mails(school.student.email)
  const different = new Set(mails.map(({ messageId }) => messageId)).size
  lostInAll += missing.length
  return {
    missing,
    lost: missing.length + Math.max(0, kept.size - different),
    // A booking that was lost may have had its mail.
    doubled: Math.max(0, different - kept.size - lostInAll),
    inWindow: mails.length - different,
  }
}
let lostInAll = 0

function loadOf(answers: readonly Answer[]): string {
  const accepted = answers.filter(({ status }) => status === 201).length
  return `${CLIENTS} clients, ${accepted} bookings accepted, ${answers.length - accepted} times 503`
}
