import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import { type Document, jsonOf } from '../support/document.ts'

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../interface/openapi.json'), 'utf8'),
)

/** Returns a schema with its reference followed; of a schema that may be null, the other one. */
function resolved(schema: JsonSchema | undefined): JsonSchema {
  const one = schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema ?? {}
  return one.$ref ? resolved(document.components.schemas[one.$ref.split('/').at(-1) ?? '']) : one
}

/** Returns the fields of a resource that stand beside `type`, and those that stand inside of it, with their kind. */
function placesOf(schema: JsonSchema | undefined): { beside: string[]; inside: string[] } {
  const { type, ...beside } = resolved(schema).properties ?? {}
  const kinds = Object.entries(resolved(type).properties ?? {})
  const inside = kinds.flatMap(([kind, one]) =>
    Object.keys(resolved(one).properties ?? {}).map((key) => `${kind}.${key}`),
  )
  return { beside: Object.keys(beside), inside }
}

function twiceIn(schema: JsonSchema | undefined): string[] {
  const { beside, inside } = placesOf(schema)
  expect(inside).toContain('plane.engines')
  return inside.filter((place) => beside.includes(place.split('.')[1] ?? ''))
}

const bodyOf = (path: string, verb: string) => jsonOf(document.paths[path]?.[verb]?.requestBody ?? {})?.schema

describe('a field of a resource', () => {
  test.for(['Resource', 'ResourceDetail'])('stands once in an answer: %s', (name) => {
    expect(twiceIn(document.components.schemas[name])).toEqual([])
  })

  test.for([
    ['/resources', 'post'],
    ['/resources/{id}', 'patch'],
  ] as const)('stands once in a body, except the meters: %s', ([path, verb]) => {
    expect(twiceIn(bodyOf(path, verb))).toEqual(['plane.hobbsTime', 'plane.tachTime', 'simulator.hobbsTime'])
  })

  test('that stands twice says which place counts', () => {
    const type = resolved(resolved(bodyOf('/resources', 'post')).properties?.type)
    for (const meter of ['hobbsTime', 'tachTime']) {
      expect(resolved(type.properties?.plane).properties?.[meter]?.description).toContain('beside `type`, which counts')
    }
  })
})
