import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startMailCatcher } from '../../local/mail/mail-catcher.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp } from './app.ts'
import { startBackend } from './backends.ts'
import { buildSchool, type School } from './builders.ts'
import { dualBody } from './flights.ts'
import { withDatabase } from './global-setup.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { type ApiProcess, startApiProcess, startWorkerProcess, type TestProcess } from './processes.ts'

/** Processes of the service on a PostgreSQL of their own. */
interface Fleet {
  queues: QueueBackend['kind']
  apis: number
  workers: number
  /** `max_connections` of the server. */
  most: number
  /** Whether clients may ask for more; always when left out. */
  mayGoOn?: () => boolean
}

/** The most connections that a process says at its start that it opens. */
export interface SaidBudget {
  work: number
  queue: number
  listener: number
  spare: number
  all: number
}

export interface FleetConnections {
  apis: SaidBudget[]
  workers: SaidBudget[]
  /** The most connections of the service that the server had at once. */
  held: number
  /** Answers of the load by their status, without those that ask to try again. */
  answers: Record<number, number>
  /** Lines of the logs that say that the server had no connection left. */
  refusals: string[]
}

/** Clients of each API, which is more than its pool has; each books, reads, and books again. */
const CLIENTS = 24
const BOOKINGS_OF_EACH = 2
const READS_OF_EACH = 10
const LOOK_EVERY_MS = 20

/**
 * Starts a fleet with the sizes of its pools that are the service's own, and asks all APIs for more at once than their
 * pools have, until the jobs are done. Returns what the processes said and what the server had meanwhile.
 */
export async function connectionsOfFleet({
  queues,
  apis,
  workers,
  most,
  mayGoOn = () => true,
}: Fleet): Promise<FleetConnections> {
  const postgres = await startOwnPostgres({ max_connections: String(most) })
  const backend = await startBackend(queues)
  const mail = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
  const running: TestProcess[] = []
  const admin = new pg.Client(withDatabase(postgres.adminUrl, new URL(postgres.url).pathname.slice(1)))
  try {
    const env = { ...backend.env, SMTP_URL: mail.smtpUrl, LOG_LEVEL: 'info' }
    const api = await startTestApp({ databaseUrl: postgres.url, realTime: true, env })
    const school = await buildSchool(api)
    const { DATABASE_POOL_SIZE: _, QUEUE_POOL_SIZE: __, ...config } = api.config
    await api.close()
    const started = <Started extends TestProcess>(starting: Promise<Started>) =>
      starting.then((one) => {
        running.push(one)
        return one
      })
    const [servers, others] = await Promise.all([
      Promise.all(Array.from({ length: apis }, () => started(startApiProcess(config as typeof api.config)))),
      Promise.all(Array.from({ length: workers }, () => started(startWorkerProcess(config as typeof api.config)))),
    ])
    await admin.connect()
    const answers: Record<number, number> = {}
    const loading = load(servers, school, answers, mayGoOn).then(() => untilDone(admin, mayGoOn))
    const held = await mostDuring(admin, loading)
    const refusals = running.flatMap((one) => one.log().match(/.*no connection left.*/g) ?? [])
    return { apis: servers.map(budgetOf), workers: others.map(budgetOf), held, answers, refusals }
  } finally {
    await Promise.all(running.map((one) => one.kill()))
    await admin.end()
    await mail.close()
    await backend.stop()
    await postgres.stop()
  }
}

function budgetOf(started: TestProcess): SaidBudget {
  const line = started.log().match(/.*connections to PostgreSQL at most.*/)?.[0] ?? '{}'
  const { work, queue, listener, spare, all } = JSON.parse(line) as SaidBudget
  return { work, queue, listener, spare, all }
}

/** Books with many clients on every API, each at hours of its own, and reads the bookings beside it. */
async function load(
  apis: readonly ApiProcess[],
  school: School,
  answers: Record<number, number>,
  mayGoOn: () => boolean,
): Promise<void> {
  const first = Date.now() + 7 * 86_400_000
  const at = (hour: number) => new Date(first + hour * 3_600_000).toISOString()
  const headers = { authorization: `Bearer ${school.dispatcher.token}`, 'content-type': 'application/json' }
  const ask = async (url: string, body?: object): Promise<void> => {
    const key = { 'idempotency-key': randomUUID() }
    for (;;) {
      const init = body && { method: 'POST', body: JSON.stringify(body) }
      const { status } = await fetch(url, { headers: { ...headers, ...(body && key) }, ...init })
      // On a busy machine a request waits for a connection of its process for longer than the service lets it.
      if (status === 503 && mayGoOn()) await pause(1_000)
      else {
        answers[status] = (answers[status] ?? 0) + 1
        return
      }
    }
  }
  const clients = apis.flatMap(({ url }) => Array.from({ length: CLIENTS }, () => `${url}/reservations`))
  const window = `startDate=${at(0)}&endDate=${at(clients.length * BOOKINGS_OF_EACH)}`
  const work = async (url: string, client: number) => {
    for (let booking = 0; booking < BOOKINGS_OF_EACH && mayGoOn(); booking++) {
      const hour = client * BOOKINGS_OF_EACH + booking
      await ask(url, dualBody(school, { start: at(hour), end: at(hour + 0.75) }))
      for (let read = 0; read < READS_OF_EACH; read++) await ask(`${url}?${window}&limit=5`)
    }
  }
  await Promise.all(clients.map(work))
}

/** Waits until no job is due. */
async function untilDone(admin: pg.Client, mayGoOn: () => boolean): Promise<void> {
  const due = 'select from outbox where failed_at is null and available_at <= now() limit 1'
  while ((await admin.query(due)).rowCount && mayGoOn()) await pause(LOOK_EVERY_MS)
}

/** Returns the most connections of the service that the server has while something goes on. */
async function mostDuring(admin: pg.Client, work: Promise<void>): Promise<number> {
  let [under, held] = [true, 0]
  const count = async () => {
    while (under) {
      const { rows } = await admin.query<{ open: number }>(
        "select count(*)::int as open from pg_stat_activity where application_name like 'flightline%'",
      )
      held = Math.max(held, rows[0]?.open ?? 0)
      await pause(LOOK_EVERY_MS)
    }
  }
  await Promise.all([work.finally(() => (under = false)), count()])
  return held
}
