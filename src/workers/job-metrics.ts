import type { Worker } from 'bullmq'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { allJobs } from '../shared/composition/all-jobs.ts'
import type { Core } from '../shared/composition/core.ts'
import { availableHelp } from '../shared/composition/health.ts'
import { countConnections } from '../shared/platform/db/database.ts'

/** The metrics of one worker process. Labels are only job names and outcomes, never ids, addresses or organizations. */
export interface JobMetrics {
  /** Counts the jobs of a worker from this call on. */
  watch(worker: Worker): void
  /** Counts a job that this process did without its queue. `seconds`: how long the job took. */
  ranInline(job: string, seconds: number): void
  /** Counts a run that did not do its job: it is retried, given up, or left to workers of another release. */
  failed(job: string | undefined, outcome: 'retried' | 'given_up' | 'left_alone'): void
  /** Returns the metrics as text, with its content type. */
  text(): Promise<{ body: string; type: string }>
}

/** The buckets of the age histogram in seconds. They go up to an hour, because late jobs wait for minutes. */
const AGES = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600]
const TIMES = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]
const ATTEMPTS = [1, 2, 3, 5, 8, 12, 20]

/** Creates the metrics of a process. */
export function createJobMetrics({
  database,
  queues,
  health,
}: Pick<Core, 'database' | 'queues' | 'health'>): JobMetrics {
  const registers = [new Registry()]
  const registry = registers[0]!
  collectDefaultMetrics({ register: registry })
  const runs = new Counter({
    name: 'flightline_jobs_total',
    help: 'Runs of jobs by job and outcome: done, retried (failed and tried again), given_up, left_alone',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, labelNames: ['job'], buckets, registers })
  const attempts = histogram('flightline_job_attempts', 'Attempts of jobs that were done', ATTEMPTS)
  const age = histogram('flightline_job_start_age_seconds', 'How long jobs were due when their first run began', AGES)
  const time = histogram('flightline_job_seconds', 'How long the last run of jobs that were done took', TIMES)
  const connections = new Gauge({
    name: 'flightline_database_connections',
    help: 'Connections to PostgreSQL by pool and state; state "limit" is the most that the pool may open',
    labelNames: ['pool', 'state'],
    registers,
  })
  const available = new Gauge({ name: 'flightline_available', help: availableHelp, labelNames: ['part'], registers })
  return {
    watch(worker) {
      worker.on('active', (job) => {
        if (job.attemptsMade > 0) return
        const due = job.timestamp + (job.opts.delay ?? 0)
        age.observe({ job: known(job.name) }, Math.max(0, Date.now() - due) / 1000)
      })
      worker.on('completed', (job) => {
        const labels = { job: known(job.name) }
        runs.inc({ ...labels, outcome: 'done' })
        attempts.observe(labels, Math.max(1, job.attemptsMade))
        if (job.processedOn && job.finishedOn) time.observe(labels, (job.finishedOn - job.processedOn) / 1000)
      })
    },
    ranInline(name, seconds) {
      const labels = { job: known(name) }
      runs.inc({ ...labels, outcome: 'done' })
      attempts.observe(labels, 1)
      age.observe(labels, 0)
      time.observe(labels, seconds)
    },
    failed: (job, outcome) => runs.inc({ job: known(job), outcome }),
    async text() {
      for (const [part, state] of Object.entries(await health.parts())) available.set({ part }, state === 'ok' ? 1 : 0)
      const pools = { work: countConnections(database.pool), queue: queues.connections()?.queue }
      for (const [pool, counts] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(counts ?? {})) connections.set({ pool, state }, count)
      }
      return { body: await registry.metrics(), type: registry.contentType }
    },
  }
}

/** Returns the label of a job: its name; `unknown` for a job of another release. */
function known(name: string | undefined): string {
  return name !== undefined && Object.hasOwn(allJobs, name) ? name : 'unknown'
}
