import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { matrix } from '../contract/authorization-matrix.ts'
import { nameOf, type Rights } from '../contract/matrix/rights.ts'
import { startLoneApp } from '../contract/support/app.ts'
import { tablesHolding } from '../contract/support/database-state.ts'
import { jsonOf, type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import { buildRecords } from '../contract/support/records.ts'
import { inOrder, methodOf, send, tokenFor } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'

const NUMBER = 1_977_070_707
const INSTANT = '1977-07-07T07:07:07.000Z'
const TEXT = 'put there by the client'

/** Values that no record has by itself, so that wherever they are found, a client put them there. */
const telling = {
  ...all(['id', 'organizationId', 'accountId', 'membershipId', 'orgUserId', 'createdBy', 'decidedBy'], NUMBER),
  ...all(['invoiceId', 'reservationId', 'seriesId', 'number', 'totalCents', 'amountPaidCents', 'balanceCents'], NUMBER),
  ...all(['hobbsHundredths', 'lastInvoiceNumber', 'position', 'version'], NUMBER),
  ...all(
    ['createdAt', 'updatedAt', 'deletedAt', 'removedAt', 'joinedAt', 'emailVerifiedAt', 'tokensValidFrom'],
    INSTANT,
  ),
  ...all(['paidAt', 'voidedAt', 'remindedAt', 'signedOffAt', 'rampedOutAt', 'rampedInAt', 'cancelledAt'], INSTANT),
  ...all(['confirmedAt', 'acceptedAt', 'decidedAt', 'readAt', 'resolvedAt', 'fuelUpdatedAt', 'usedAt'], INSTANT),
  ...all(['passwordHash', 'seed', 'tokenHash', 'storageKey', 'payUrl', 'pdfUrl', 'gatewayInvoiceId'], TEXT),
  ...all(['code', 'stripeAccountId', 'systemHoldReason', 'gatewayError', 'meetingUrl', 'contentType'], TEXT),
}

/** Flags and words that records do have: they must be what they are without the client's help. */
const plain = {
  ...all(['demo', 'paid', 'voided', 'overdue', 'emailVerified', 'groundedByPerson'], true),
  ...all(['owner', 'admin', 'dispatcher', 'instructor', 'technician'], true),
  ...all(['live', 'grounded'], false),
  status: 'paid',
  settlement: 'offline',
  groundedBy: 'system',
  upload: 'stored',
}

/** What cannot succeed here: no account has a password, no job has made the archive, and there is no gateway. */
const refusedAnyway = [
  'POST /auth: 401',
  'POST /exports/{id}/download: 404',
  'POST /exports/{id}/download (about oneself): 404',
  'POST /webhooks/stripe: 400',
]

const owned = { ...telling, ...plain, ...underscored({ ...telling, ...plain }) }

let api: TestApp
let operations: Operation[]
beforeAll(async () => {
  api = await startLoneApp()
  operations = operationsOf(await readDocument(api))
})
afterAll(() => api.close())

const rows = inOrder(matrix).filter((row) => row.body && methodOf(row) !== 'GET')

describe('what the server owns', () => {
  test('is not changed by any write that names it', async () => {
    const clean = await buildRecords(api)
    const polluted = await buildRecords(api)
    const surprises: string[] = []
    const refused: string[] = []
    for (const row of rows) {
      const before = await send(api, row, clean, tokenFor(row, clean))
      const body = pollute(row.body?.(polluted), extraFor(row))
      const after = await send(api, row, polluted, tokenFor(row, polluted), { body })
      if (after.statusCode !== before.statusCode) {
        surprises.push(`${nameOf(row)}: ${before.statusCode}, polluted ${after.statusCode} ${after.body.slice(0, 200)}`)
      }
      if (before.statusCode >= 400) refused.push(`${nameOf(row)}: ${before.statusCode}`)
      else
        surprises.push(
          ...differences(before.body, after.body).map((key) => `${nameOf(row)}: ${key} follows the client`),
        )
    }
    expect(surprises).toEqual([])
    expect(refused).toEqual(refusedAnyway)
    const { pool } = api.core.database
    const holding = await tablesHolding(pool, [String(NUMBER), INSTANT.slice(0, 10), TEXT])
    // The file of an import is kept as it was sent; its reader takes the columns of its kind alone.
    expect(holding.filter((row) => !row.startsWith('public.import_file: '))).toEqual([])
    expect(await tablesHolding(pool, ['Lesson 5: landings'])).not.toEqual([])
  })
})

function all<T>(names: string[], value: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

/** The same names as columns have them. */
function underscored(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}

/** What of the server's the endpoint does not take from clients. */
function extraFor(row: Rights): Record<string, unknown> {
  const operation = operations.find(({ name }) => name === row.endpoint)
  const schema = operation?.requestBody && jsonOf(operation.requestBody)?.schema
  const taken = namesIn(schema)
  return Object.fromEntries(Object.entries(owned).filter(([name]) => !taken.has(name)))
}

/** Every property that a schema names, at any depth. */
function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names
  for (const name of Object.keys((schema as JsonSchema).properties ?? {})) names.add(name)
  for (const part of Object.values(schema)) namesIn(part, names)
  return names
}

/** The body with more keys in every object of it. */
function pollute(value: unknown, extra: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((part) => pollute(part, extra))
  if (typeof value !== 'object' || value === null) return value
  const own = Object.entries(value).map(([key, part]) => [key, pollute(part, extra)])
  return { ...extra, ...Object.fromEntries(own) }
}

/** The flags and words that differ between two answers. */
function differences(before: string, after: string): string[] {
  const [one, other] = [before, after].map((body) => (body === '' ? {} : (JSON.parse(body).data ?? {})))
  return Object.keys(plain).filter((key) => typeof one[key] !== 'object' && one[key] !== other[key])
}
