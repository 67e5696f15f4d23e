import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchSetup } from '../bench-setup.ts'
import { type Comparison, type Run, requestsPerSecond } from '../measure.ts'
import { readsCosts, residentMb } from '../process-cost.ts'
import { buildBenchSchool, firstBookingOf, seedBookings } from '../school.ts'
import { createThroughApi, perSecond, slotAt } from './create.ts'
import { MONDAY, week } from './reads.ts'

const names = ['typeorm', 'prisma'] as const
const folder = join(import.meta.dirname, '../peers')
const isInstalled = existsSync(join(folder, 'node_modules'))

/** A server of reservations: ours, or a peer. */
interface Server {
  url: string
  pid: number
}

/**
 * Compares the API with the same requests as most teams would write them: NestJS with TypeORM and with Prisma, on the same
 * tables, without rules, events, jobs, limits and the fields that rules compute. They are a package of their own (`npm ci
 * --prefix bench/peers`); without it their figures are not measured.
 */
export async function peerScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const school = await buildBenchSchool(setup)
  await seedBookings(setup, school, { from: MONDAY, weeks: 10, perWeek: 100 })
  const id = await firstBookingOf(setup, school)
  const headers = { authorization: `Bearer ${school.token}` }
  const ours = await setup.start('api')
  if (isInstalled) spawnSync(process.execPath, [join(folder, 'generate.mjs')], { stdio: 'inherit' })
  const peers = isInstalled
    ? await Promise.all(names.map((name) => setup.start(`peers/${name}.mjs`)))
    : names.map(() => null)
  let slot = 0
  const creates = (clients: number) => (server: Server) =>
    perSecond(() => createThroughApi(server.url, school, slotAt(school, slot++)), clients)
  const reads = (path: string) => (server: Server) => requestsPerSecond({ url: `${server.url}${path}`, headers })
  const against = (name: string, run: (server: Server) => Promise<number>, ratio?: number): Comparison[] =>
    names.map((peer, at) => ({
      name,
      floor: `NestJS with ${peer === 'typeorm' ? 'TypeORM' : 'Prisma'}`,
      ...(ratio && { aim: { ratio } }),
      ours: () => run(ours),
      theirs: runOf(peers[at], run),
    }))
  return [
    ...against('one booking by id', reads(`/reservations/${id}`), 3),
    ...against('a week of 100 bookings', reads(week), 3),
    ...against('creating a booking, eight clients', creates(8), 2),
    ...against('creating a booking, one client', creates(1)),
    memory(ours, peers),
  ]
}

function runOf(peer: Server | null | undefined, run: (server: Server) => Promise<number>): Run | null {
  return peer ? () => run(peer) : null
}

/** Compares the memory of the API with that of the larger peer after the same load. */
function memory(ours: Server, peers: (Server | null)[]): Comparison {
  const installed = peers.filter((peer) => peer !== null)
  const measured = readsCosts() && installed.length === names.length
  return {
    name: 'memory after this load',
    floor: 'the larger of the two',
    unit: 'MB',
    aim: { ratioAtMost: 1 },
    runs: 1,
    ours: async () => residentMb([ours.pid]),
    theirs: measured ? async () => Math.max(...installed.map(({ pid }) => residentMb([pid]))) : null,
  }
}
