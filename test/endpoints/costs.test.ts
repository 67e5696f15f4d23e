import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { writtenOut } from '../contract/support/document.ts'
import { refusalBySchema } from '../contract/support/refused-by-schema.ts'

const BYTES = 60_000

/** Texts that are dear for what looks at them more than once: each repeats a part until it has 60 kB. */
const parts = [
  'x',
  ' ',
  'a.',
  'a-',
  '1',
  '[',
  '@a',
  '\\',
  '/a',
  '\u0301\u0323',
  '\u202a',
  '\u200e',
  '\ud800',
  'é',
  '="\'',
  '\t\n',
]
const texts = [
  ...parts.map((part) => `a${part.repeat(BYTES / Buffer.byteLength(part))}`),
  `${'\u202a'.repeat(BYTES / 6)}x${'\u202c'.repeat(BYTES / 6)}`,
  `a${'\u0301'.repeat(BYTES / 4)}${'\u0323'.repeat(BYTES / 4)}`,
  `${'a'.repeat(BYTES)}!`,
  `ana@${'a.'.repeat(BYTES / 2)}`,
]

interface Body {
  what: string
  body: unknown
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../interface/openapi.json'), 'utf8'))
const bodies = Object.entries(document.paths as Record<string, Record<string, { requestBody?: RequestBody }>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      return schema ? [{ endpoint: `${method.toUpperCase()} ${path}`, schema: writtenOut(document, schema) }] : []
    }),
)

interface RequestBody {
  content: Record<string, { schema: JsonSchema }>
}

/**
 * What a body may cost: 300 looks at each character of it, as a pattern of the service looks. Work that grows with the square of
 * the length costs ten times as much or more.
 */
const LOOKS = 300
const control = /[^\P{Cc}\t\n\r]/u

function bound(body: unknown): number {
  const text = JSON.stringify(body).replaceAll('\\', '/')
  const pass = () => {
    let found = 0
    for (let look = 0; look < LOOKS; look++) if (control.test(text)) found += 1
    return found
  }
  return Math.max(timeOf(pass), timeOf(pass))
}

describe('the cost of a body before anything is read', { timeout: 300_000 }, () => {
  const longest = bound('x'.repeat(BYTES))

  test('with 60 kB in any text grows no faster than its length', () => {
    const walked = bodies.flatMap(({ endpoint, schema }) =>
      [...withTexts(schema, (value) => value, '')].map((one) => ({ ...one, endpoint })),
    )
    expect(walked.length).toBeGreaterThan(500 * texts.length)
    expect(dear(walked, () => longest)).toEqual([])
  })

  test('with as many items as any list takes, or 60 kB of them, grows no faster than its length', () => {
    const walked = bodies.flatMap(({ endpoint, schema }) =>
      [...withItems(schema, (value) => value, '')].map((one) => ({ ...one, endpoint })),
    )
    expect(walked.length).toBeGreaterThan(100)
    expect(dear(walked, (body) => Math.max(longest, bound(body)))).toEqual([])
  })
})

/** Returns which bodies cost more than their bound in each of three tries. */
function dear(walked: (Body & { endpoint: string })[], boundOf: (body: unknown) => number): string[] {
  return walked.flatMap(({ endpoint, what, body }) => {
    let said = ''
    // Each try has a bound of its own moment, since a busy machine slows both down.
    const fits = () => {
      const most = boundOf(body)
      const cost = timeOf(() => refusalBySchema(endpoint, 'body', body))
      said = `${endpoint} ${what}: ${cost.toFixed(0)} of ${most.toFixed(0)} ms`
      return cost <= most
    }
    return fits() || fits() || fits() ? [] : [said]
  })
}

/** The milliseconds that this thread works, however busy the machine is. */
function timeOf(work: () => unknown): number {
  const from = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1_000
}

/** The body with a long text in each field that takes one, and in each key of a record. */
function* withTexts(schema: JsonSchema, put: (value: unknown) => unknown, path: string): Generator<Body> {
  for (const option of optionsOf(schema)) yield* withTexts(option, put, path)
  if ([schema.type].flat().includes('string') && schema.const === undefined) {
    for (const text of texts) yield { what: `${path} = ${JSON.stringify(text.slice(0, 4))}…`, body: put(text) }
  }
  for (const [at, part, within] of innerOf(schema))
    yield* withTexts(part, (value) => put(within(value)), `${path}.${at}`)
  if (typeof schema.additionalProperties === 'object') {
    const value = sampleOf(schema.additionalProperties as JsonSchema)
    for (const text of texts) yield { what: `a key of ${path}`, body: put({ [text]: value }) }
  }
}

/** The body with as many items in each list as it may have, and with as many as fit in 60 kB. */
function* withItems(schema: JsonSchema, put: (value: unknown) => unknown, path: string): Generator<Body> {
  for (const option of optionsOf(schema)) yield* withItems(option, put, path)
  if (schema.items) {
    const item = sampleOf(schema.items)
    const fitting = Math.floor(BYTES / (JSON.stringify(item) ?? '1').length)
    const counts = [fitting, ...(typeof schema.maxItems === 'number' ? [schema.maxItems] : [])]
    for (const count of counts) yield { what: `${path} of ${count}`, body: put(Array(count).fill(item)) }
    yield { what: `${path} of empty ones`, body: put(Array(BYTES / 3).fill({})) }
    const each = (index: number) =>
      typeof item === 'number' ? index + 1 : typeof item === 'string' ? `${item}${index}` : item
    yield { what: `${path} of different ones`, body: put(Array.from({ length: fitting }, (_, index) => each(index))) }
  }
  for (const [at, part, within] of innerOf(schema))
    yield* withItems(part, (value) => put(within(value)), `${path}.${at}`)
}

const optionsOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema) => [
  ...anyOf,
  ...oneOf,
  ...(allOf as JsonSchema[]),
]

/** The parts of a schema, each with what puts a value there. */
function innerOf(schema: JsonSchema): [at: string, part: JsonSchema, within: (value: unknown) => unknown][] {
  const whole = schema.properties ? (sampleOf(schema) as object) : {}
  return [
    ...Object.entries(schema.properties ?? {}).map(([key, part]): [string, JsonSchema, (value: unknown) => unknown] => [
      key,
      part,
      (value) => ({ ...whole, [key]: value }),
    ]),
    ...(schema.items
      ? [['0', schema.items, (value: unknown) => [value]] as [string, JsonSchema, (value: unknown) => unknown]]
      : []),
    ...(typeof schema.additionalProperties === 'object'
      ? [
          ['*', schema.additionalProperties, (value: unknown) => ({ key: value })] as [
            string,
            JsonSchema,
            (value: unknown) => unknown,
          ],
        ]
      : []),
  ]
}

/** A value that fits a schema, with every field. */
function sampleOf(schema: JsonSchema): unknown {
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, sampleOf(part)]))
  }
  if (schema.items) return [sampleOf(schema.items)]
  const [option] = optionsOf(schema)
  if (option) return sampleOf(option)
  const type = [schema.type].flat()[0]
  if (type === 'string') return 'x'
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? (schema.minimum ?? 1) : {}
}
