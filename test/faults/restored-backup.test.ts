import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../support/builders.ts'
import { copyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { closedOutFlight, expectOk, setRates } from '../support/flights.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'

interface Billed {
  id: number
  status: string
  totalCents: number
  payUrl: string
  processor: { invoiceId: string; error: string | null }
}

interface Running {
  api: TestApp
  workers: TestWorkers
  stop(): Promise<void>
}

let simulator: TestSimulator
beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.close())

/** The service on one database; the processor is the same for all of them. */
async function run(databaseUrl?: string): Promise<Running> {
  const env = {
    PROCESSOR_WAIT_MS: '10000',
    STRIPE_API_BASE: simulator.url,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  const api = await startTestApp({ realTime: true, env, ...(databaseUrl && { databaseUrl }) })
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  await simulator.setWebhookUrl(`${address}/webhooks/stripe`)
  const workers = await startTestWorkers(api)
  return {
    api,
    workers,
    stop: async () => {
      await workers.settled()
      await workers.stop()
      await api.close()
    },
  }
}

const books = (unitPrice: number) => [{ description: 'Books', unitPrice }]
const read = ({ api }: Running, by: Member, { id }: Billed) => expectOk<Billed>(api, by, 'GET', `/invoices/${id}`)

async function bill({ api }: Running, by: Member, flight: number): Promise<Billed> {
  const [invoice] = await expectOk<Billed[]>(api, by, 'POST', `/reservations/${flight}/invoices`)
  return invoice!
}

function sell({ api }: Running, by: Member, to: Member, cents: number): Promise<Billed> {
  return expectOk(api, by, 'POST', '/invoices', { customer: { orgUserId: to.orgUserId }, items: books(cents) })
}

async function replace({ api }: Running, by: Member, { id }: Billed, cents: number): Promise<Billed> {
  await expectOk(api, by, 'PATCH', `/invoices/${id}`, { items: books(cents) })
  return eventually(
    () => expectOk<Billed>(api, by, 'GET', `/invoices/${id}`),
    ({ status }) => status !== 'pending',
  )
}

async function pay(running: Running, by: Member, invoice: Billed): Promise<void> {
  await fetch(invoice.payUrl, { method: 'POST', redirect: 'manual' })
  await eventually(
    () => read(running, by, invoice),
    ({ status }) => status === 'paid',
  )
}

async function customerOf(invoice: Billed): Promise<unknown> {
  const { invoices } = await simulator.everything()
  return invoices.find(({ id }) => id === invoice.processor.invoiceId)?.customer
}

/** The same ids used again: two flights of one student, and an open invoice. */
async function beforeTheBackup(first: Running): Promise<{ school: School; flights: number[]; open: Billed }> {
  const school = await buildSchool(first.api)
  await setRates(first.api, school)
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 9, day, hour)).toISOString()
  const flights: number[] = []
  for (const day of [1, 2, 3]) {
    flights.push(await closedOutFlight(first.api, school, { start: at(day, 10), end: at(day, 12) }))
  }
  return { school, flights, open: await sell(first, school.admin, school.student, 5_000) }
}

test('after a backup is restored no flight is paid by an invoice that was raised for another', async () => {
  const first = await run()
  const { school, flights, open } = await beforeTheBackup(first)
  const { admin, organizationId } = school
  const original = first.api.config.DATABASE_URL ?? ''
  await first.stop()
  const backup = await copyDatabase(new URL(original).pathname.slice(1))

  const lost = await run(original)
  const paidFlight = await bill(lost, admin, flights[0]!)
  await pay(lost, admin, paidFlight)
  const soldTo = await buildMember(lost.api, organizationId, ['student'])
  const soldOnce = await sell(lost, admin, soldTo, 7_000)
  await pay(lost, admin, soldOnce)
  await pay(lost, admin, await replace(lost, admin, open, 6_000))
  await lost.stop()

  const restored = await run(backup)
  const flight = await bill(restored, admin, flights[1]!)
  expect([flight.id, flight.totalCents]).toEqual([paidFlight.id, paidFlight.totalCents])
  expect(flight.status).toBe('open')
  expect(flight.processor.invoiceId).not.toBe(paidFlight.processor.invoiceId)

  const otherMember = await buildMember(restored.api, organizationId, ['student'])
  expect(otherMember.orgUserId).toBe(soldTo.orgUserId)
  const sold = await sell(restored, admin, otherMember, 7_000)
  expect([sold.id, sold.status]).toEqual([soldOnce.id, 'open'])
  expect(await customerOf(sold)).not.toBe(await customerOf(soldOnce))

  const replaced = await replace(restored, admin, open, 6_000)
  expect(replaced).toMatchObject({ status: 'open', totalCents: 6_000, processor: { error: null } })

  for (const { id } of (await simulator.everything()).events) await simulator.resend(id)
  await restored.workers.settled()
  for (const invoice of [flight, sold, replaced]) {
    expect(await read(restored, admin, invoice)).toMatchObject({ status: 'open', processor: invoice.processor })
  }
  await pay(restored, admin, flight)
  await restored.stop()
}, 60_000)
