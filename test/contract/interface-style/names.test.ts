import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pascal } from '../../../src/api/http/openapi-errors.ts'
import { type Document, operationsOf } from '../support/document.ts'

const root = join(import.meta.dirname, '../../..')
const document: Document = JSON.parse(readFileSync(join(root, 'interface/openapi.json'), 'utf8'))
const { schemas, parameters, responses } = document.components
const operations = operationsOf(document)
const bodies = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([media, { schema }]) => ({
      operationId,
      media,
      ref: schema?.$ref,
    })),
  ),
)

/** The names that a TypeScript program has without an import: those of the language and of browsers. */
function globals(): Set<string> {
  const native = createRequire(createRequire(import.meta.url).resolve('typescript-native/package.json'))
  const folder = join(
    dirname(native.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
    'lib',
  )
  const declared = /^(?:declare )?(?:interface|type|var|class|function|namespace|const|let) ([A-Z]\w*)/gm
  const files = readdirSync(folder).filter((name) => /^lib\..*\.d\.ts$/.test(name))
  return new Set(
    files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(declared)].map((found) => found[1] ?? ''),
    ),
  )
}

/** The places of `key` in the schemas of a part of the document. */
function placesOf(key: string, node: unknown, path = '', isName = false): string[] {
  if (typeof node !== 'object' || node === null) return []
  const here = !isName && key in node ? [path] : []
  const inner = Object.entries(node).filter(([name]) => isName || !['example', 'examples'].includes(name))
  return [...here, ...inner.flatMap(([name, part]) => placesOf(key, part, `${path}/${name}`, name === 'properties'))]
}

describe('the names in the document', () => {
  test('each body is a schema with a name: its own, or that of its operation', () => {
    expect(bodies.length).toBeGreaterThan(130)
    expect(bodies.filter(({ ref }) => ref === undefined)).toEqual([])
    const names = bodies.map(({ ref = '' }) => ref.split('/').at(-1) ?? '')
    const made = new Set(operations.map(({ operationId }) => `${pascal(operationId)}Body`))
    expect(names.filter((name) => name.endsWith('Body') && !made.has(name))).toEqual([])
  })

  test('each enum is a schema with a name, and its values stand once', () => {
    const places = placesOf('enum', document)
    const named = Object.entries(schemas).filter(([, schema]) => schema.enum)
    expect(named.length).toBeGreaterThan(100)
    expect(places.filter((place) => !/^\/components\/schemas\/\w+$/.test(place))).toEqual([])
    expect(new Set(named.map(([, schema]) => JSON.stringify(schema.enum))).size).toBe(named.length)
    expect(placesOf('choices', document)).toEqual([])
  })

  test('no name hides one of TypeScript', () => {
    const taken = globals()
    expect(taken.size).toBeGreaterThan(1_500)
    expect(['Error', 'Document', 'Location', 'Request', 'Record', 'File'].filter((name) => !taken.has(name))).toEqual(
      [],
    )
    const names = [schemas, parameters, responses].flatMap((parts) => Object.keys(parts))
    expect(names.filter((name) => taken.has(name))).toEqual([])
  })

  test('uploads and events of the processor say what they take', () => {
    expect(bodies.filter(({ operationId }) => ['uploadFile', 'receiveProcessorEvent'].includes(operationId))).toEqual([
      {
        operationId: 'receiveProcessorEvent',
        media: 'application/json',
        ref: '#/components/schemas/ReceiveProcessorEventBody',
      },
      { operationId: 'uploadFile', media: 'multipart/form-data', ref: '#/components/schemas/UploadFileBody' },
    ])
  })

  test('each answer that is not JSON says that it is text or bytes', () => {
    const others = operations.flatMap(({ name, responses: of }) =>
      Object.values(of).flatMap(({ content = {} }) =>
        Object.entries(content).flatMap(([media, { schema }]) =>
          media === 'application/json' ? [] : [{ name, media, schema }],
        ),
      ),
    )
    const text = { type: 'string' }
    const bytes = { type: 'string', format: 'binary' }
    const wanted: Record<string, object> = {
      'application/pdf': bytes,
      'application/octet-stream': bytes,
      'text/csv': text,
      'text/calendar': text,
      'text/html': text,
      'text/event-stream': text,
      'image/svg+xml': text,
    }
    expect(new Set(others.map(({ media }) => media))).toEqual(new Set(Object.keys(wanted)))
    expect(others.filter(({ media, schema }) => JSON.stringify(schema) !== JSON.stringify(wanted[media]))).toEqual([])
  })

  test('an operation with a choice of formats answers each of them', () => {
    const medias: Record<string, string> = {
      json: 'application/json',
      csv: 'text/csv',
      pdf: 'application/pdf',
      svg: 'image/svg+xml',
    }
    const asked = operations.flatMap(({ name, parameters: given = [], responses: of }) => {
      const format = given.find((one) => one.name === 'format' && one.in === 'query')?.schema
      const wanted = format?.enum ?? []
      return wanted.map((value) => ({ name, media: medias[String(value)] ?? value, content: of['200']?.content ?? {} }))
    })
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter(({ media, content }) => !(String(media) in content))).toEqual([])
  })

  test('stays small: 3.2 kB for each operation', () => {
    const { length } = readFileSync(join(root, 'interface/openapi.json'))
    expect(length / operations.length).toBeLessThan(3_250)
  })
})
