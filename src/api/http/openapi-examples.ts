import type { JsonSchema } from './json-schema.ts'
import { resolve, type Schemas } from './openapi-schema.ts'

/** Example values by field name, for fields whose schema has no example. */
const byName: Record<string, unknown> = {
  name: 'Ana Ruiz',
  title: 'Lesson 4: stalls',
  description: 'Steep turns, power-off stalls, short-field landings',
  body: 'Please read this before your next flight.',
  text: 'Please read this before your next flight.',
  notes: 'Bring the checklist',
  memo: 'Flight of 21 November',
  reason: 'Ceiling below minimums',
  q: 'ana',
  email: 'ana@example.com',
  phone: '+1 510 555 0100',
  about: 'Training from first flight to commercial certificate',
  label: 'Pilot operating handbook',
  fileName: 'handbook.pdf',
  contentType: 'application/pdf',
  tailNumber: 'N172FL',
  timeZoneName: 'America/Los_Angeles',
  currency: 'usd',
  url: 'https://flightline.example.com/files/1',
  payUrl: 'https://pay.example.com/i/1',
  pdfUrl: 'https://pay.example.com/i/1.pdf',
  meetingUrl: 'https://meet.example.com/lesson-4',
  startMinute: 480,
  endMinute: 1020,
  count: 2,
  index: 1,
  number: 1,
}

/** Example instants that are consistent with each other. */
const instants: Record<string, string> = {
  start: '2026-11-23T15:00:00.000Z',
  end: '2026-11-23T17:00:00.000Z',
  startDate: '2026-11-01T00:00:00.000Z',
  endDate: '2026-12-01T00:00:00.000Z',
  until: '2027-02-01T00:00:00.000Z',
  dueAt: '2026-12-21T20:00:00.000Z',
  expiresAt: '2027-11-30T23:59:59.000Z',
}

/** Returns an example of a schema: its own, or one composed from its properties. */
export function exampleOf(given: JsonSchema, schemas: Schemas = {}, name = ''): unknown {
  const schema = resolve(given, schemas)
  if (schema.format === 'date-time' && instants[name]) return instants[name]
  if (schema.example !== undefined) return schema.example
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema.oneOf
  if (options?.[0]) return exampleOf(options[0], schemas, name)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, part]) => [key, exampleOf(part, schemas, key)]),
    )
  }
  if (schema.default !== undefined) return schema.default
  return plain(schema, schemas, name)
}

function plain(schema: JsonSchema, schemas: Schemas, name: string): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const likely = Object.hasOwn(byName, name) ? byName[name] : undefined
  switch (type) {
    case 'array':
      return schema.items ? [exampleOf(schema.items, schemas, name)] : []
    case 'integer':
    case 'number':
      return typeof likely === 'number' ? likely : (schema.minimum ?? 0)
    case 'boolean':
      return false
    case 'null':
      return null
    case 'object':
      return {}
    default:
      if (schema.format === 'date-time') return '2026-11-21T20:00:00.000Z'
      return typeof likely === 'string' ? likely : 'text'
  }
}
