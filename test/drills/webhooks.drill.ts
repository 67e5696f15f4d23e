import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSchool, type School } from '../support/builders.ts'
import { until } from '../support/eventually.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import type { Answering } from '../support/webhook-receiver.ts'
import { addWebhook, type Endpoint, notifyOf, startWebhooks, type WebhookEnv } from '../support/webhooks.ts'
import { printTable, report } from './report.ts'
import { settings } from './settings.ts'

let postgres: OwnPostgres
let env: WebhookEnv
let school: School
let endpoint: Endpoint
let sound: Endpoint

beforeAll(async () => {
  postgres = await startOwnPostgres()
  env = await startWebhooks(2, { databaseUrl: postgres.url })
})
afterAll(async () => {
  await env.close()
  await postgres.stop()
  printTable()
})

const accept: Answering = (response) => response.writeHead(204).end()

/** What a receiver does wrong. */
const faults: Record<string, Answering> = {
  'a receiver hangs': () => undefined,
  'a receiver cuts the connection': (response) => response.destroy(),
  'a receiver cuts its answer': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('begun', () => response.destroy())
  },
  'a receiver answers 500': (response) => response.writeHead(500).end(),
  'a receiver answers 429 with Retry-After': (response) => response.writeHead(429, { 'retry-after': '2' }).end(),
  'a receiver redirects': (response) => response.writeHead(302, { location: 'https://r1.example/' }).end(),
}

/**
 * Each second request meets the fault, then each of them, until a receiver that is well has got everything; only then is
 * the faulty one well too.
 */
test.each(Object.entries(faults))('%s: nothing is lost, and each record has its order', async (fault, answering) => {
  school = await buildSchool(env.api)
  endpoint = await addWebhook(env, school.admin.token)
  sound = await addWebhook(env, school.admin.token, env.url(1))
  const accepted: { subject: string; number: number }[] = []
  const begun = performance.now()
  let healthyAt = Number.POSITIVE_INFINITY
  let requests = 0
  env.receivers[0]!.answer((response, request) => {
    requests += 1
    const well = performance.now() > healthyAt
    if (!well && (performance.now() > begun + PARTLY_MS || requests % 2 === 0)) return answering(response, request)
    accepted.push(JSON.parse(request.body).data)
    accept(response, request)
  })
  env.receivers[1]!.received.length = 0
  const subjects = Array.from({ length: settings.webhooks }, (_, index) => `squawk:${index % RECORDS}`)
  await notifyOf(env, school.organizationId, endpoint.id, subjects)
  await notifyOf(env, school.organizationId, sound.id, subjects)
  await until(() => env.receivers[1]!.received.length === subjects.length)
  await until(() => performance.now() > begun + 2 * PARTLY_MS)
  healthyAt = performance.now()
  const all = () => new Set(accepted.map(({ number }) => number)).size === subjects.length
  await until(async () => all() && (await pending()) === 0)
  report({
    fault,
    load: `${subjects.length} events of ${RECORDS} records`,
    lost: subjects.length - new Set(accepted.map(({ number }) => number)).size,
    doubled: accepted.length - subjects.length,
    inWindow: 0,
    recoverySeconds: (performance.now() - healthyAt) / 1_000,
  })
  expect(accepted).toHaveLength(subjects.length)
  for (const subject of new Set(subjects)) {
    const numbers = accepted.filter((one) => one.subject === subject).map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
})

const RECORDS = 20
const PARTLY_MS = 10_000

async function pending(): Promise<number> {
  const { rows } = await env.api.core.database.pool.query<{ count: number }>(
    `select count(*) from webhook_delivery where endpoint_id = $1 and state <> 'succeeded'`,
    [endpoint.id],
  )
  return Number(rows[0]!.count)
}
