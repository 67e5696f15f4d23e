import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  format?: string
}

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

const document = JSON.parse(readFileSync(new URL('../../interface/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

/** What has an id and is no stored record of its own, and why. */
const others: Record<string, string> = {
  AuditEntry: 'an event, which is never changed: `at`',
  HistoryEntry: 'an event of a booking: `at`',
  BoardBooking: 'a booking as the board shows it',
  GuestRequest: 'what a stranger learns of a request',
  BookedResource: 'the resource of a booking, in short',
  BookingReference: 'a booking by its id and start',
  BookingInvoice: 'an invoice of a booking, in short',
  EnrolledCourse: 'the course of an enrollment, in short',
  FeeInvoice: 'the invoice of a fee, in short',
  LocationReference: 'a location, in short',
  NamedReference: 'a record by its name',
  RecordedLesson: 'the lesson of a training record, in short',
  RecordReference: 'a record by its kind and id',
  Reference: 'a record by its id',
  ResourceChoice: 'a resource by its id, or a pool',
  SeriesPosition: 'where a booking stands in its series',
  PaymentMethod: 'kept by the processor',
  PlannedLesson: 'a lesson of a syllabus beside a booking',
  PushDevice: 'the receipt of a registration',
  Rating: 'a row of the catalogue',
  WaitlistOffer: 'an offer of an entry, in short',
  SearchHit: 'a pointer to a record',
}

/**
 * The names under which an object with an id stands inside another one and points to a record that is answered whole elsewhere: by the
 * last part of its path, or the whole path where the name alone says too little.
 */
const pointers: Record<string, string> = {
  course: 'GET /training/courses/{id}',
  currency: 'GET /currencies',
  guest: 'GET /guests',
  resource: 'GET /resources/{id}',
  subject: 'an event’s, or a to-do row’s',
  user: 'the account of a member, who is answered with both',
  version: 'GET /training/versions/{id}',
  'Board.atRisk[]': 'GET /reservations/{id}',
  'Board.grounded[]': 'GET /resources/{id}',
  'CurrencyRecord.evidence[]': 'a flight, endorsement or document',
  'Merged.conflicts[]': 'what a merge stumbles over',
  'NewClosure.affected[]': 'GET /reservations/{id}',
  'RecoveryRow.offer': 'GET /offers/{id}',
  'OperationRow.invoices[]': 'GET /invoices/{id}',
  'PackagePurchase.invoice': 'GET /invoices/{id}',
  'PlannedLesson.tasks[]': 'GET /training/versions/{id}',
  'Statement.rows[]': 'a row of a report: `at`',
  'StalledRow.enrollment': 'GET /training/enrollments/{id}',
}

/** Returns every object with an id in a schema that is written there, not referred to, with its path. */
function withId(schema: Schema, path: string): [string, Schema][] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema
  return [
    ...(properties.id ? [[path, schema] as [string, Schema]] : []),
    ...Object.entries(properties).flatMap(([name, property]) => withId(property, `${path}.${name}`)),
    ...(items ? withId(items, `${path}[]`) : []),
    ...[...anyOf, ...allOf].flatMap((one) => withId(one, path)),
  ]
}

const named = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
  // A body is no answer.
  name.endsWith('Body') ? [] : withId(schema, name),
)
const answered = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { responses = {} }]) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ schema = {} }) => withId(schema, `${method.toUpperCase()} ${path} ${status}`)),
    ),
  ),
)

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const pointerOf = (path: string) => (path in pointers ? path : path.includes('.') ? lastOf(path) : '')

describe('every stored record that the interface answers (§Conventions that hold across the interface)', () => {
  test('has createdAt and updatedAt, inside another record too', () => {
    const isRecord = ([path]: [string, Schema]) => !(path in others) && !(pointerOf(path) in pointers)
    const stored = [...named, ...answered].filter(isRecord)
    expect(stored.length).toBeGreaterThan(50)
    const missing = stored.flatMap(([path, { properties = {} }]) =>
      ['createdAt', 'updatedAt']
        .filter((key) => properties[key]?.format !== 'date-time')
        .map((key) => `${path}.${key}`),
    )
    expect(missing).toEqual([])
  })

  test('is listed as something else only while there is such a schema', () => {
    const paths = [...named, ...answered].map(([path]) => path)
    expect(Object.keys(others).filter((name) => !paths.includes(name))).toEqual([])
    const used = new Set(paths.map(pointerOf))
    expect(Object.keys(pointers).filter((name) => !used.has(name))).toEqual([])
  })
})
