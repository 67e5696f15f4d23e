import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { type Document, jsonOf, readDocument } from '../contract/support/document.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let api: TestApp
let document: Document
beforeAll(async () => {
  api = await startTestApp()
  document = await readDocument(api)
})
afterAll(() => api.close())

describe('the OpenAPI document', () => {
  test('names each object that stands in several places, so that a client has one type for it', () => {
    const places = new Map<string, string[]>()
    for (const { path, schema } of objectsOf(document)) {
      const shape = JSON.stringify(withoutProse(schema))
      places.set(shape, [...(places.get(shape) ?? []), path])
    }
    // Bodies of one or two fields have a name for each operation.
    const repeated = [...places].filter(
      ([shape, paths]) => paths.length > 1 && (fieldsOf(shape).length > 2 || paths.some((path) => !isNamed(path))),
    )
    expect(repeated.map(([shape, paths]) => ({ fields: fieldsOf(shape), paths }))).toEqual([])
  })

  test('names each parameter and each error that stands in several operations', () => {
    const places = new Map<string, string[]>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
        const refusals = Object.entries(responses).flatMap(([status, one]) => (status >= '400' ? [one] : []))
        // A path's parameters have the ids of the operation's example.
        const inQuery = parameters.filter((one) => one.in !== 'path').map((one) => ({ ...one, example: undefined }))
        for (const part of [...inQuery, ...refusals]) {
          if (part.$ref) continue
          const text = JSON.stringify(part)
          places.set(text, [...(places.get(text) ?? []), `${method} ${path}`])
        }
      }
    }
    expect([...places].filter(([, operations]) => operations.length > 1)).toEqual([])
  })

  test('has names for its parts that are words and no numbers', () => {
    const { schemas, parameters, responses } = document.components
    const names = [schemas, parameters, responses].flatMap((parts) => Object.keys(parts))
    expect(names.filter((name) => !/^([A-Z][a-z]*)+$/.test(name))).toEqual([])
  })

  test('leaves the names alone that generators make of a schema and its fields, or of an operation and its parts', () => {
    const { schemas } = document.components
    const made = [
      ...Object.entries(schemas).flatMap(([name, schema]) => madeNames(name, schema)),
      ...operations().flatMap(({ operationId, responses }) => [
        `${pascal(operationId)}Params`,
        ...Object.entries(responses).flatMap(([status, one]) =>
          status < '400' ? madeNames(`${pascal(operationId)}${status}`, jsonOf(one)?.schema) : [],
        ),
      ]),
    ]
    expect(made.length).toBeGreaterThan(2000)
    const names = new Map(made.map((name) => [name, made.filter((other) => other === name).length]))
    expect([...names].filter(([, count]) => count > 1).map(([name]) => name)).toEqual([])
  })
})

function operations() {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods))
}

interface Placed {
  path: string
  schema: JsonSchema
}

/** The schemas of objects in the bodies and answers of operations, and in named schemas. */
function objectsOf({ paths, components }: Document): Placed[] {
  const found: Placed[] = []
  const walk = (node: unknown, path: string, inSchema: boolean) => {
    if (typeof node !== 'object' || node === null) return
    if (inSchema && 'properties' in node && 'type' in node) found.push({ path, schema: node as JsonSchema })
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'example' && key !== 'examples') walk(value, `${path}/${key}`, inSchema || key === 'schema')
    }
  }
  walk(paths, '', false)
  walk(components.responses, 'responses', false)
  walk(components.schemas, 'schemas', true)
  return found
}

function isNamed(path: string): boolean {
  return /^schemas\/\w+$/.test(path)
}

/** A schema without what is said about it. */
function withoutProse(node: unknown, isNamed = false): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutProse(part))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(([key]) => isNamed || !['description', 'examples'].includes(key))
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutProse(part, !isNamed && key === 'properties')]))
}

function fieldsOf(shape: string): string[] {
  return Object.keys((JSON.parse(shape) as JsonSchema).properties ?? {})
}

/** The names that generators of clients make: of a schema, and of each field below it that gets a type of its own. */
function madeNames(name: string, schema: JsonSchema | undefined): string[] {
  const fieldNames = (prefix: string, { properties = {}, items, anyOf = [] }: JsonSchema): string[] => [
    ...Object.entries(properties).flatMap(([field, part]) => {
      const at = `${prefix}${pascal(field)}`
      return [...(hasType(part) ? [at] : []), ...fieldNames(at, part)]
    }),
    ...(items ? [...(hasType(items) ? [`${prefix}Item`] : []), ...fieldNames(`${prefix}Item`, items)] : []),
    ...new Set(anyOf.flatMap((part) => fieldNames(prefix, part))),
  ]
  return [name, ...fieldNames(name, schema ?? {})]
}

function hasType({ enum: choices, anyOf, oneOf, properties, items, type }: JsonSchema): boolean {
  return [choices, anyOf, oneOf, properties, items].some((part) => part !== undefined) || Array.isArray(type)
}

function pascal(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}
