import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/api/http/json-schema.ts'
import { roles } from '../../src/shared/platform/authz/roles.ts'
import { startLoneApp } from '../contract/support/app.ts'
import { changedBetween, stateOf } from '../contract/support/database-state.ts'
import { jsonOf, type Operation, operationsOf, type Parameter, readDocument } from '../contract/support/document.ts'
import { wordingFaultsOf } from '../contract/support/sentences.ts'
import { fullOf, type Place, placesIn, typeSentence, type Wrong, wrongIn } from '../contract/support/wrong-values.ts'
import type { TestApp } from '../support/app.ts'
import { buildMember, buildSchool } from '../support/builders.ts'

let api: TestApp
let token: string
let operations: Operation[]
beforeAll(async () => {
  api = await startLoneApp()
  const { organizationId } = await buildSchool(api)
  token = (await buildMember(api, organizationId, [...roles])).token
  operations = operationsOf(await readDocument(api))
})
afterAll(() => api.close())

/** A request that must be refused, and what must be said of which field. */
interface Try {
  operation: Operation
  url: string
  body?: unknown
  expected: { field: string; sentence: string }[]
}

describe('every endpoint says in the one wording what is wrong with', () => {
  test.each(Object.entries(wrongIn))('%s in its body', async (_kind, wrongOf) => {
    const tries = withBodies().flatMap(([operation, schema, full]) =>
      groupsOf(placesIn(schema), wrongOf).map((group) => ({
        operation,
        url: urlOf(operation),
        body: group.reduce((body, [{ path }, wrong]) => withWrong(body, path, wrong), full),
        expected: group.map(([{ path }, { sentence }]) => ({ field: path.join('.'), sentence })),
      })),
    )
    expect(tries.length).toBeGreaterThan(0)
    expect(await faultsOfAll(tries)).toEqual([])
  })

  test.each([
    ['that is a list', [], 'must be an object'],
    ['that is text', '"text"', 'must be an object'],
    ['that is a number', '7', 'must be an object'],
  ])('a body %s', async (_kind, body, sentence) => {
    const tries = withBodies().map(([operation]) => {
      return { operation, url: urlOf(operation), body, expected: [{ field: 'body', sentence }] }
    })
    expect(await faultsOfAll(tries)).toEqual([])
  })

  test('a body that is missing', async () => {
    const tries = withBodies()
      .filter(([{ requestBody }]) => requestBody?.required)
      .map(([operation]) => {
        return { operation, url: urlOf(operation), expected: [{ field: 'body', sentence: 'is required' }] }
      })
    expect(await faultsOfAll(tries)).toEqual([])
  })

  test('its query', async () => {
    const tries = operations.flatMap(queryTries)
    expect(tries.length).toBeGreaterThan(200)
    expect(await faultsOfAll(tries)).toEqual([])
  })

  test.each([
    ['abc', 'must be a whole number'],
    ['1.5', 'must be a whole number'],
    ['0', 'must be at least 1'],
    ['-1', 'must be at least 1'],
  ])('the id %s in its path', async (id, sentence) => {
    const tries = operations.flatMap((operation) =>
      parametersOf(operation, 'path')
        .filter(({ schema }) => schema.type === 'integer')
        .map(({ name: field }) => {
          return { operation, url: urlOf(operation, { [field]: id }), expected: [{ field, sentence }] }
        }),
    )
    expect(tries.length).toBeGreaterThan(50)
    expect(await faultsOfAll(tries)).toEqual([])
  })
})

describe('of several shapes that would do, the nearest is told about', () => {
  test.each([
    [{}, ['needs guestId or name']],
    [{ name: '  ' }, ['name: is required']],
    [{ guestId: 'x' }, ['guestId: must be a whole number']],
    [{ name: 7 }, ['name: must be text']],
    [{ name: 'Gia', email: 'nobody' }, ['email: must be an email address']],
    [{ email: 'nobody' }, ['name: is required', 'email: must be an email address']],
    ['Gia', ['must be an object']],
  ])('%j', async (seat, said) => {
    const operation = operations.find(({ name }) => name === 'POST /reservations') as Operation
    const { schema = {}, example } = jsonOf(operation.requestBody ?? {}) ?? {}
    const full = fullOf(schema, example) as object
    const body = { ...full, resource: { id: 1 }, personnel: { guests: [seat] } }
    const answer = await api.call('POST', '/reservations', { token, body })
    const at = 'personnel.guests.0'
    expect(answer.json().details.problems.map(({ message }: { message: string }) => message)).toEqual(
      said.map((sentence) => (/^\w+: /.test(sentence) ? `${at}.${sentence}` : `${at}: ${sentence}`)),
    )
  })
})

/** The operations with a JSON body, its schema, and a body with every field. */
function withBodies() {
  return operations.flatMap((operation) => {
    const media = operation.requestBody && jsonOf(operation.requestBody)
    return media?.schema?.properties ? [[operation, media.schema, fullOf(media.schema, media.example)] as const] : []
  })
}

/** The fields that have the kind of wrong value, so that one request can hold a group: none is inside another. */
function groupsOf(places: Place[], wrongOf: (place: Place) => Wrong | null): [Place, Wrong][][] {
  const groups = new Map<string, [Place, Wrong][]>()
  const counts = new Map<number, number>()
  for (const place of places) {
    const wrong = wrongOf(place)
    if (!wrong) continue
    const depth = place.path.length
    const count = counts.get(depth) ?? 0
    counts.set(depth, count + 1)
    const key = `${depth} ${Math.floor(count / 20)}`
    groups.set(key, [...(groups.get(key) ?? []), [place, wrong]])
  }
  return [...groups.values()]
}

/** A copy of the body with a wrong value in one place, or without the value there. */
function withWrong(body: unknown, [key = '', ...rest]: Place['path'], wrong: Wrong): unknown {
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string | number, unknown>
  if (rest.length > 0) copy[key] = withWrong(copy[key], rest, wrong)
  else if ('value' in wrong) copy[key] = wrong.value
  else delete copy[key]
  return copy
}

/** A request for each kind of wrong value, with one in every parameter that has such a kind. */
function queryTries(operation: Operation): Try[] {
  const places = parametersOf(operation, 'query').map(({ name, schema, required = false }): Place => {
    return { path: [name], schema: ofTexts(schema) ? schema.items : schema, required, nullable: false }
  })
  const ofKinds = Object.values(wrongIn).map((wrongOf) => places.map((place) => [place, wrongOf(place)] as const))
  const tries = ofKinds.flatMap((wrongs): Try[] => {
    const told = wrongs.filter((one): one is [Place, Wrong] => one[1] !== null && standsInQuery(one[0], one[1]))
    if (told.length === 0) return []
    const query = told.map(([{ path }, wrong]) => [path[0], 'value' in wrong ? String(wrong.value) : undefined])
    const expected = told.map(([{ path, schema }, wrong]) => {
      return { field: path.join('.'), sentence: ('value' in wrong && listInQuery(schema)) || wrong.sentence }
    })
    return [{ operation, url: urlOf(operation, {}, Object.fromEntries(query)), expected }]
  })
  if (places.length === 0) return []
  const names = places.map(({ path }) => String(path[0]))
  const twice = [...names, ...names].map((name) => `${name}=a`).join('&')
  const expected = names.map((field) => ({ field, sentence: 'must be given once' }))
  return [...tries, { operation, url: `${urlOf(operation).split('?')[0]}?${twice}`, expected }]
}

/** What is said of a list that does not fit; in a query its entries are separated by commas. Null for what is no list. */
function listInQuery({ type, items }: JsonSchema): string | null {
  if (type !== 'array') return null
  if (items?.anyOf) return 'must be ids separated by commas, or me'
  if (!items?.enum) return 'must be ids separated by commas'
  return `${typeSentence(items)}, or several separated by commas`
}

/** Whether it is a list of texts; what is said of one that does not fit is said of the list. */
function ofTexts(schema: JsonSchema): schema is JsonSchema & { items: JsonSchema } {
  return schema.type === 'array' && schema.items?.type === 'string' && !schema.items.enum
}

/** In a query everything is text, and numbers are digits. */
function standsInQuery({ schema }: Place, wrong: Wrong): boolean {
  if (!('value' in wrong)) return true
  if (schema.type === 'string') return typeof wrong.value === 'string'
  return wrong.value !== null && wrong.value !== 1e21
}

function parametersOf({ parameters = [] }: Operation, place: 'path' | 'query'): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place)
}

/** The address with an example in every place that must be filled, or what is given for it. */
function urlOf(
  operation: Operation,
  path: Record<string, string> = {},
  query: Record<string, string | undefined> = {},
): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parametersOf(operation, 'path').find((one) => one.name === name)
    return encodeURIComponent(path[name] ?? String(parameter?.example ?? fullOf(parameter?.schema ?? {})))
  })
  const required = parametersOf(operation, 'query').filter((parameter) => parameter.required)
  const values = { ...Object.fromEntries(required.map(({ name, example }) => [name, String(example)])), ...query }
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`
}

/** Sends them, and looks at what is said and that nothing is written. */
async function faultsOfAll(tries: Try[]): Promise<string[]> {
  const { pool } = api.core.database
  const before = await stateOf(pool)
  const faults: string[] = []
  for (let at = 0; at < tries.length; at += 8) {
    faults.push(...(await Promise.all(tries.slice(at, at + 8).map(faultsOf))).flat())
  }
  const written = changedBetween(before, await stateOf(pool))
  return [...faults, ...written.map((table) => `written to ${table}`)]
}

async function faultsOf({ operation: { name, method }, url, body, expected }: Try): Promise<string[]> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await api.call(method, url, { token, headers, body })
  if (answer.statusCode !== 400) return [`${name}: ${answer.statusCode} for ${JSON.stringify(expected)}`]
  const refusal = answer.json()
  const said: string[] = refusal.details?.problems?.map(({ message }: { message: string }) => message) ?? []
  const unsaid = expected.map(({ field, sentence }) => `${field}: ${sentence}`).filter((one) => !said.includes(one))
  const about = unsaid.map((one) => `did not say "${one}" but ${said.filter((other) => isAbout(other, one)).join()}`)
  return [...about, ...wordingFaultsOf(refusal)].map((fault) => `${name}: ${fault}`)
}

/** Whether two problems name the same field. */
function isAbout(one: string, other: string): boolean {
  return one.split(': ')[0] === other.split(': ')[0]
}
