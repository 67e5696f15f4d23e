import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local/servers/ports.ts'
import type { BenchSetup } from '../bench-setup.ts'
import { type Comparison, requestsPerSecond } from '../measure.ts'
import { cpuSeconds, readsCosts, residentMb, treeOf } from '../process-cost.ts'
import { buildBenchSchool, firstBookingOf, seedBookings } from '../school.ts'
import { createThroughApi, perSecond, slotAt } from './create.ts'
import { MONDAY, week } from './reads.ts'

/** How long a process rests after load before its memory is read. */
const REST_MS = 10_000
const READY_MS = 120_000
const single = { runs: 1 }

/** Measures the resident memory of an API and a worker that rest after load. On Linux only. */
export async function memoryScenarios(setup: BenchSetup): Promise<Comparison[]> {
  if (!readsCosts()) return []
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 10, perWeek: 100 })
  const id = await firstBookingOf(setup, school)
  const [api, worker] = [await setup.start('api'), await setup.start('worker')]
  const headers = { authorization: `Bearer ${school.token}` }
  let slot = 0
  const load = async () => {
    await requestsPerSecond({ url: `${api.url}/reservations/${id}`, headers, seconds: 5 })
    await requestsPerSecond({ url: `${api.url}${week}`, headers, seconds: 5 })
    await perSecond(() => createThroughApi(api.url, school, slotAt(school, slot++)))
    await pause(REST_MS)
  }
  return [
    {
      ...single,
      name: 'memory of an API at rest after load',
      unit: 'MB',
      aim: { atMost: 300 },
      async ours() {
        await load()
        return residentMb([api.pid])
      },
    },
    {
      ...single,
      name: 'memory of a worker after the same load',
      unit: 'MB',
      ours: async () => residentMb([worker.pid]),
    },
  ]
}

/**
 * Measures the processor time that a start of the all-in-one costs, the first on an empty directory, with its demo
 * school, and a later one; and its resident memory. On Linux only.
 */
export async function startScenarios(setup: BenchSetup): Promise<Comparison[]> {
  if (!readsCosts()) return []
  const dataDir = await mkdtemp(join(tmpdir(), 'flightline-all-in-one-'))
  await chmod(dataDir, 0o755)
  setup.atEnd(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  let stopped: AllInOne | undefined
  return [
    {
      ...single,
      name: 'first start of the all-in-one, with its demo school',
      unit: 's of CPU',
      async ours() {
        stopped = await startAllInOne(dataDir)
        return stopped.cpu
      },
    },
    {
      ...single,
      name: 'memory of the all-in-one after its start',
      unit: 'MB',
      aim: { atMost: 450 },
      async ours() {
        await pause(REST_MS)
        const megabytes = residentMb(treeOf(stopped!.pid))
        await stopped!.stop()
        return megabytes
      },
    },
    {
      name: 'start of the all-in-one with data',
      unit: 's of CPU',
      aim: { atMost: 2.5 },
      async ours() {
        const { cpu, stop } = await startAllInOne(dataDir)
        await stop()
        return cpu
      },
    },
  ]
}

interface AllInOne {
  pid: number
  /** The processor time until it was ready, in seconds, with PostgreSQL. */
  cpu: number
  stop(): Promise<void>
}

/** Starts the all-in-one on a directory, and waits until it prints that it is ready. */
async function startAllInOne(dataDir: string): Promise<AllInOne> {
  const names = ['PORT', 'MAIL_WEB_PORT', 'MAIL_SMTP_PORT', 'STRIPE_SIMULATOR_PORT', 'WEBHOOK_RECEIVER_PORT']
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/flightline.mjs'), 'start'], {
    env: { PATH, HOME, DATA_DIR: dataDir, ...Object.fromEntries(ports) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const late = AbortSignal.timeout(READY_MS)
  let said = ''
  while (!said.includes('Flightline is ready.')) {
    const [chunk] = await Promise.race([
      once(child.stdout, 'data', { signal: late }),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the all-in-one ended with ${code}: ${said}`)
      }),
    ])
    said += chunk
  }
  child.stdout.resume()
  return {
    pid: child.pid!,
    cpu: cpuSeconds(treeOf(child.pid!)),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
