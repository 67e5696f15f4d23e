import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { writtenOut } from './support/document.ts'

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(root, 'interface/openapi.json'), 'utf8'))

/** The words by which a description says a unit. */
const units =
  /\b(cents|tenths of (an hour|hours)|hundredths of a percent|minutes?|hours?|days?|months?|knots|feet|statute miles|degrees|hectopascals|pounds|bytes|milliseconds|seconds|percent|from 0 to 1|in the units of the aircraft|bookings|engines|seats)\b|^how many of `unit`/i

/** Names of numbers that are no quantities: ids, counts, ordinals, years, and what else has no unit. */
const plain = [
  /^(id|ids|IdOrMe|resources|signedBy|writtenBy|onBehalfOf|satisfies|insteadOf)$|Ids?$/,
  /^(count|counted|holds|landings|flights|lessons|lessonsCompleted|lessonsInCourse|lessonsLeft|sample|stages|students|payments)$|Count$/,
  /^(open|tests|firstAttempts|causes)$/,
  /(Landings|FullStops|Takeoffs)$|^(cancellations|passengers|signedSinceCertification)$/,
  /^(placeable|lost)$|^(done|total|completed|failed|succeeded|replayed|warnings|attempt|limit|offset)$/,
  /^(index|position|points|row|number|receiptNumber|recordedBy|from|dayOfWeek|daysOfWeek|responseStatus|year|expYear|expMonth)$/,
  // Data of notifications and saved views, whose keys are those of the record or report.
  /^data$/,
]

interface Field {
  name: string
  path: string
  says: string
}

/** Returns the numbers in a schema, each with what its own field says. */
function numbersIn(schema: JsonSchema, name: string, path: string, says = ''): Field[] {
  const description = schema.description ?? says
  const types = [schema.type].flat()
  const own = types.includes('number') || types.includes('integer') ? [{ name, path, says: description }] : []
  const { additionalProperties, items } = schema
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...((schema.allOf as JsonSchema[]) ?? []), items]
  if (typeof additionalProperties === 'object') inner.push(additionalProperties as JsonSchema)
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([key, part]) => numbersIn(part, key, `${path}.${key}`)),
    ...inner.flatMap((part) => (part ? numbersIn(part, name, path, description) : [])),
  ]
}

/** Returns the schemas of a document with their names: named ones, those in operations, and parameters. */
function schemasIn(node: unknown, path: string): { schema: JsonSchema; name: string; path: string }[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'schema') {
      const { name = path, description } = node as { name?: string; description?: string }
      return [{ schema: { description, ...writtenOut(document, value) }, name, path }]
    }
    return key === 'example' || key === 'examples' ? [] : schemasIn(value, `${path}/${key}`)
  })
}

describe('the unit of a quantity (§Conventions)', () => {
  const named = Object.entries(document.components.schemas as Record<string, JsonSchema>)
  const others = [document.paths, document.webhooks, document.components.parameters, document.components.responses]
  const numbers = [
    ...named.flatMap(([name, schema]) => numbersIn(schema, name, name)),
    ...others.flatMap((part) => schemasIn(part, '')).flatMap(({ schema, name, path }) => numbersIn(schema, name, path)),
  ]

  test('is said in the description of each number that is no id, count or ordinal', () => {
    expect(numbers.length).toBeGreaterThan(1300)
    const silent = numbers.filter(({ name, says }) => !plain.some((one) => one.test(name)) && !units.test(says))
    expect([...new Set(silent.map(({ path, says }) => `${path}: “${says}”`))]).toEqual([])
  })

  test('is hours for every reading of a meter, and tenths of an hour for every time that is logged', () => {
    const meters = numbers.filter(({ name }) =>
      /^(aircraft)?(hobbs|tach)(Time(In|Out)?)?$|^(old|new)Reading$/i.test(name),
    )
    expect(meters.length).toBeGreaterThan(50)
    expect(meters.filter(({ says }) => !/^Hours, as the meter shows them/.test(says))).toEqual([])
    const logged = numbers.filter(
      ({ name, path }) => /Log\w*\.(rows\[?\]?\.)?(pic|solo|night|day)$/.test(path) || /DeciHours$/.test(name),
    )
    expect(logged.length).toBeGreaterThan(60)
    expect(logged.filter(({ says }) => !/\btenths of (an hour|hours)\b/i.test(says))).toEqual([])
  })

  test('is said once, and makes sense', () => {
    const twice = numbers.filter(({ says }) => (says.match(/\btenths of (an hour|hours)\b/gi) ?? []).length > 1)
    expect(twice).toEqual([])
    expect(numbers.filter(({ says }) => /^(landings|cents|days|months|minutes).* decimals?\b/i.test(says))).toEqual([])
    // An interval is no reading of a meter.
    const spans = numbers.filter(({ name }) => /^(interval|used|warn)Hours$/.test(name))
    expect(spans.length).toBeGreaterThan(8)
    expect(spans.filter(({ says }) => /as the meter shows/.test(says))).toEqual([])
  })

  test('is the same in the first guide as in the document', () => {
    const guide = readFileSync(join(root, 'docs/guides/first-request.md'), 'utf8').replace(/\s+/g, ' ')
    expect(guide).toContain('Meter readings are hours with at most two decimals, as the dial shows them')
    expect(guide).toContain('training time is whole tenths of an hour')
  })
})
