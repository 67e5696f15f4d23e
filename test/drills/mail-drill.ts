import { setTimeout as pause } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../support/app.ts'
import { startRedis, type TestRedis } from '../support/backends.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import type { RedisNodes } from '../support/redis-nodes.ts'
import { type EnqueuedMail, enqueueMails } from './mail-load.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { type DrillResult, report } from './report.ts'
import { settings } from './settings.ts'

/** Everything that a mail passes through, each part as a process of its own, so that each can be stopped and killed. */
export interface MailEnv {
  api: TestApp
  postgres: OwnPostgres
  redis: TestRedis | null
  sink: MailSink
  workers: TestProcess[]
  startWorker(): Promise<TestProcess>
  close(): Promise<void>
}

/** Starts it, with two workers and queues in a durable Redis, in several servers of Redis, or in PostgreSQL. */
export async function startMailEnv(kind: 'redis' | 'postgres' | RedisNodes = 'redis'): Promise<MailEnv> {
  const postgres = await startOwnPostgres()
  const redis = kind === 'redis' ? await startRedis({ durable: true }) : null
  const sink = await startMailSink()
  const { url } = typeof kind === 'object' ? kind : { url: redis?.url }
  const env = { SMTP_URL: sink.url, ...(url && { REDIS_URL: url }) }
  const api = await startTestApp({ databaseUrl: postgres.url, realTime: true, env })
  const startWorker = () => startWorkerProcess(api.config, {}, ['email'])
  const workers = [await startWorker(), await startWorker()]
  return {
    api,
    postgres,
    redis,
    sink,
    workers,
    startWorker,
    async close() {
      await Promise.all(workers.map((worker) => worker.kill()))
      await api.close()
      await sink.close()
      await redis?.stop()
      await postgres.stop()
    },
  }
}

export interface Drill {
  fault: string
  /** Reports the longest wait of a mail as recovery: for a fault during which the others should take over. */
  othersTakeOver?: boolean
  /** Brings the fault about and ends it. When it kills workers it adds to `kills`, by `performance.now()`. */
  run(env: MailEnv, kills: number[], enqueued: EnqueuedMail[]): Promise<unknown>
}

/** A claim lasts a minute; what is not there three minutes after the fault is lost. */
const PATIENCE_MS = 180_000
const FAULT_AFTER_MS = 3_000
const LOOK_EVERY_MS = 100
/** Stragglers: a second copy would come when a claim has ended. */
const CLAIM_MS = 62_000
/** The server's own time for a mail, or the time for our commit, on a busy machine. */
const WINDOW_MS = 1_000

/** Sends mails through a fault, counts them at the receiving server, and reports. */
export async function drillMails(env: MailEnv, { fault, othersTakeOver, run }: Drill): Promise<DrillResult> {
  const { api, sink } = env
  sink.taken.length = 0
  const enqueued: EnqueuedMail[] = []
  const kills: number[] = []
  let faultEnd = 0
  const faulting = pause(FAULT_AFTER_MS)
    .then(() => run(env, kills, enqueued))
    .finally(() => {
      faultEnd = performance.now()
    })
  await enqueueMails(api, enqueued, faulting)
  await faulting
  const complete = await allArrived(env, enqueued)
  if (await someOpen(api)) await pause(CLAIM_MS)
  const arrived = arrivals(sink)
  const due = enqueued.filter(({ at }) => at <= faultEnd).map(({ to }) => arrived.get(to)?.[0] ?? complete)
  const waits = enqueued.map(({ to, at }) => (arrived.get(to)?.[0] ?? complete) - at)
  const copies = [...arrived.values()].filter((times) => times.length > 1)
  const inWindow = copies.filter((times) => kills.some((kill) => inWindowOf(kill, times)))
  return report({
    fault,
    load: `${enqueued.length} mails`,
    lost: enqueued.filter(({ to }) => !arrived.has(to)).length,
    doubled: copies.length - inWindow.length,
    inWindow: inWindow.length,
    recoverySeconds: Math.max(0, othersTakeOver ? Math.max(...waits) : Math.max(...due) - faultEnd) / 1_000,
  })
}

/**
 * The worker was killed after the server had the mail's last byte, and before the commit that follows the server's answer. The
 * second copy came when the claim had ended.
 */
function inWindowOf(kill: number, [first, second]: number[]): boolean {
  const died = kill - first!
  return died > -WINDOW_MS && died < WINDOW_MS && second! - first! > 40_000
}

function arrivals({ taken }: MailSink): Map<string, number[]> {
  const times = new Map<string, number[]>()
  for (const { to, at } of taken) times.set(to, [...(times.get(to) ?? []), at])
  return times
}

async function allArrived({ sink }: MailEnv, enqueued: readonly EnqueuedMail[]): Promise<number> {
  for (const started = performance.now(); performance.now() - started < PATIENCE_MS; ) {
    const arrived = new Set(sink.taken.map(({ to }) => to))
    if (enqueued.every(({ to }) => arrived.has(to))) break
    await pause(LOOK_EVERY_MS)
  }
  return performance.now()
}

/** Whether a mail is claimed and not marked: it could come a second time. */
async function someOpen({ core }: TestApp): Promise<boolean> {
  for (let tries = 0; tries < 20; tries++) {
    const { rows } = await core.database.pool.query('select 1 from delivery where sent_at is null limit 1')
    if (rows.length === 0) return false
    await pause(LOOK_EVERY_MS)
  }
  return true
}

/** Kills a worker at random instants, again and again, and starts another in its place each time. */
export async function killWorkers(env: MailEnv, kills: number[]): Promise<void> {
  for (let kill = 0; kill < settings.kills; kill++) {
    await pause(Math.random() * 1_500)
    const place = kill % env.workers.length
    kills.push(performance.now())
    await env.workers[place]!.kill()
    env.workers[place] = await env.startWorker()
  }
}
