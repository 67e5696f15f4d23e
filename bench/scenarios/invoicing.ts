import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { startBackend } from '../../test/support/backends.ts'
import { type BenchSetup, hasRedis } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'
import { type BenchSchool, buildBenchSchool, seedBookings } from '../school.ts'

const CLIENTS = 8
const FLIGHTS = 100
/** One warm-up and five runs. */
const RUNS = 6
const PER_WEEK = 100
const BATCH_WEEKS = 3
const WEEK_MS = 7 * 86_400_000
const FROM = new Date('2026-06-01T00:00:00Z')

/**
 * Compares invoicing signed-off flights (through API, queue, worker and simulator) with only the calls to the simulator
 * that one invoice needs.
 */
export async function invoicingScenarios(setup: BenchSetup): Promise<Comparison[]> {
  return compareInvoicing(setup, {}, '')
}

/** Returns the comparisons of `invoicingScenarios` with the queues in Redis; none when no Redis server is installed. */
export async function invoicingInRedisScenarios(setup: BenchSetup): Promise<Comparison[]> {
  if (!hasRedis()) return []
  const backend = await startBackend('redis')
  setup.atEnd(() => backend.stop())
  return compareInvoicing(setup, backend.env, ', queues in redis')
}

async function compareInvoicing(
  setup: BenchSetup,
  queues: Record<string, string>,
  label: string,
): Promise<Comparison[]> {
  const school = await buildBenchSchool(setup)
  const flights = await seedFlights(setup, school, (FLIGHTS * RUNS) / PER_WEEK)
  const monthEnd = await buildBenchSchool(setup)
  await seedFlights(setup, monthEnd, BATCH_WEEKS * RUNS)
  let batches = 0
  const simulator = await setup.serve('floors/simulator.ts')
  const mail = await setup.serve('floors/mail-sink.ts')
  const env = {
    ...queues,
    STRIPE_API_BASE: simulator,
    SMTP_URL: mail.replace('http', 'smtp'),
    WORKER_CONCURRENCY: String(CLIENTS),
  }
  const api = await setup.serve('api', env)
  await setup.serve('worker', env)
  const { hostname, port } = new URL(simulator)
  const stripe = new Stripe(setup.env.STRIPE_SECRET_KEY ?? '', { host: hostname, port, protocol: 'http' })
  const customer = await stripe.customers.create({ name: 'Bare', email: 'bare@example.com' })
  return [
    {
      name: `invoicing a flight${label}`,
      floor: 'four calls to the simulator, bare',
      aim: { ratio: 0.2 },
      ours: () => thenQuiet(setup, () => perSecond(() => invoice(api, school, flights.pop()))),
      theirs: () => perSecond(() => issueBare(stripe, customer.id)),
    },
    {
      name: `invoicing ${BATCH_WEEKS * PER_WEEK} flights in one request${label}`,
      floor: 'four calls to the simulator, bare',
      ours() {
        batches += 1
        return thenQuiet(setup, () => invoiceBatch(setup, { api, school: monthEnd, batch: batches }))
      },
      theirs: () => perSecond(() => issueBare(stripe, customer.id)),
    },
  ]
}

/** Inserts signed-off dual flights, 100 per week, and returns their ids. Each invoice gets two lines: aircraft and instructor. */
async function seedFlights(setup: BenchSetup, school: BenchSchool, weeks: number): Promise<number[]> {
  await seedBookings(setup, school, { from: FROM, weeks, perWeek: PER_WEEK })
  const flown = await setup.run<{ id: number }>(sql`
    update reservation set ramped_out_at = starts_at, ramped_in_at = ends_at, signed_off_at = ends_at,
      hobbs_out = 100000, hobbs_in = 100110, tach_out = 100000, tach_in = 100090
    where organization_id = ${school.organizationId} returning id`)
  return flown.map(({ id }) => id)
}

/** Returns the figure of `measure` after the outbox is empty, so that no notification or mail slows down the floor's run. */
async function thenQuiet({ database: { db } }: BenchSetup, measure: () => Promise<number>): Promise<number> {
  const figure = await measure()
  while (await db.selectFrom('outbox').select('id').limit(1).executeTakeFirst()) await pause(50)
  return figure
}

async function perSecond(once: () => Promise<void>): Promise<number> {
  let left = FLIGHTS
  const client = async () => {
    while (left-- > 0) await once()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (FLIGHTS * 1000) / (performance.now() - started)
}

async function invoice(api: string, school: BenchSchool, flight: number | undefined): Promise<void> {
  const response = await fetch(`${api}/reservations/${flight}/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${school.adminToken}` },
  })
  const { data, message } = (await response.json()) as { data?: { payUrl: string | null }[]; message?: string }
  if (response.status !== 201 || !data?.[0]?.payUrl) throw new Error(`flight ${flight}: ${response.status} ${message}`)
}

/** Invoices the flights of the next three weeks in one request. Returns the flights per second, until the last invoice is open. */
async function invoiceBatch(
  { database: { db } }: BenchSetup,
  { api, school, batch }: { api: string; school: BenchSchool; batch: number },
): Promise<number> {
  const endedBefore = new Date(FROM.getTime() + batch * BATCH_WEEKS * WEEK_MS)
  const started = performance.now()
  const response = await fetch(`${api}/invoices/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${school.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { endedBefore } }),
  })
  if (response.status !== 202) throw new Error(`batch ${batch}: ${response.status} ${await response.text()}`)
  for (const expected = batch * BATCH_WEEKS * PER_WEEK; ; await pause(50)) {
    const { open } = await db
      .selectFrom('invoice')
      .select((eb) => eb.fn.countAll<string>().as('open'))
      .where('organization_id', '=', school.organizationId)
      .where('status', '=', 'open')
      .executeTakeFirstOrThrow()
    if (Number(open) >= expected) break
  }
  return (BATCH_WEEKS * PER_WEEK * 1000) / (performance.now() - started)
}

async function issueBare(stripe: Stripe, customer: string): Promise<void> {
  const { id } = await stripe.invoices.create({ customer, collection_method: 'send_invoice', days_until_due: 14 })
  for (const amount of [19_800, 6_600]) {
    await stripe.invoiceItems.create({ customer, invoice: id, currency: 'usd', amount, description: 'Line' })
  }
  await stripe.invoices.finalizeInvoice(id)
}
