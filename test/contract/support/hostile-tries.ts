import type { Method } from '../../support/app.ts'
import { nameOf, type Rights } from '../matrix/rights.ts'
import type { Operation } from './document.ts'
import { brokenText, hostileBodies, hostileBranches, hostileJson, hostileText } from './hostile.ts'
import { branchesOf, leavesOf, withValue } from './leaves.ts'
import type { Records } from './records.ts'
import { type Refusal, refusalBySchema } from './refused-by-schema.ts'
import { methodOf, urlOf } from './walk.ts'

/** A request with something wrong in it. */
export interface Try {
  what: string
  method: Method
  url: string
  body?: string
  /** The field of the body that is wrong; a missing one can make another wrong. */
  field?: string
  /** What the schema alone refuses it with; one of each place is sent all the same. */
  refusal?: Refusal | undefined
}

/** Hostile values in each field of the row's body. */
export function fieldTries(row: Rights, records: Records): Try[] {
  const body = row.body?.(records)
  const url = urlOf(row, records)
  const hole = '"a hole in the body"'
  const places = [
    ...leavesOf(body).map(({ path }) => ({ path, values: hostileJson })),
    ...branchesOf(body).map(({ path }) => ({ path, values: hostileBranches })),
  ]
  return places.flatMap(({ path, values }) => {
    const sent = next(values)
    return values.map((value): Try => {
      const text = JSON.stringify(withValue(body, path, JSON.parse(hole))).replace(hole, () => value)
      return {
        what: `${nameOf(row)} ${path.join('.')} = ${value.slice(0, 40)}`,
        ...(value !== 'null' && { field: path.join('.') }),
        method: methodOf(row),
        url,
        body: text,
        ...(value !== sent && { refusal: refusalBySchema(row.endpoint, 'body', JSON.parse(text)) }),
      }
    })
  })
}

/** Each text of the row's body with what no text has; a password is no text that anybody reads, and taken as typed. */
export function controlTries(row: Rights, records: Records): Try[] {
  const body = row.body?.(records)
  const texts = leavesOf(body).filter(({ path, value }) => typeof value === 'string' && path.at(-1) !== 'password')
  return texts.flatMap(({ path, value }) =>
    ['\u0007', '\u0085', '\u202e'].map((character) => ({
      what: `${nameOf(row)} ${path.join('.')} with ${JSON.stringify(character)}`,
      method: methodOf(row),
      url: urlOf(row, records),
      body: JSON.stringify(withValue(body, path, `${value}${character}x`)),
    })),
  )
}

/** Hostile bodies in place of the row's. */
export function bodyTries(row: Rights, records: Records): Try[] {
  return hostileBodies.map((body) => ({
    what: `${nameOf(row)} ${body.slice(0, 40)}`,
    method: methodOf(row),
    url: urlOf(row, records),
    body,
  }))
}

/** Hostile text in each place of the row's address. */
export function pathTries(row: Rights, records: Records): Try[] {
  const body = row.body && JSON.stringify(row.body(records))
  return (row.at ?? []).flatMap((_, place) => {
    const sent = next(hostileText)
    return [...hostileText, ...brokenText].map((text): Try => {
      const url = urlWith(row, records, place, text)
      const judged = text !== sent && !brokenText.includes(text)
      const refusal = judged ? refusalBySchema(row.endpoint, 'params', paramsOf(row.endpoint, url)) : undefined
      return { what: `${methodOf(row)} ${url}`, method: methodOf(row), url, body, refusal }
    })
  })
}

/** The same text, which no id is, in each place of the row's address that names a record. */
export function idTries(row: Rights, records: Records, text: string): Try[] {
  return (row.at ?? []).map((_, place) => {
    const url = urlWith(row, records, place, text)
    const judged = next(turnsOfIds)
    const refusal = judged ? refusalBySchema(row.endpoint, 'params', paramsOf(row.endpoint, url)) : undefined
    return { what: `${methodOf(row)} ${url}`, method: methodOf(row), url, body: '{}', refusal }
  })
}

/** One in eight is sent. */
const turnsOfIds = [false, true, true, true, true, true, true, true]

/** What the router reads from the path of an address. */
function paramsOf(endpoint: string, url: string): Record<string, string> {
  const [, template = ''] = endpoint.split(' ')
  const [path = ''] = url.split('?')
  const parts = path.split('/')
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name ? [[name, decodeURIComponent(parts[index] ?? '')]] : []
    }),
  )
}

/** The row's address with the text in place of one parameter. */
function urlWith(row: Rights, records: Records, place: number, text: string): string {
  const marker = 'xxplacexx'
  const at = Array.from({ length: place + 1 }, (_, index) => (index === place ? marker : undefined))
  return urlOf(row, records, at).replace(marker, () => text)
}

/** Hostile text in each parameter of the query that the row's endpoint documents. */
export function queryTries(row: Rights, records: Records, operations: Operation[]): Try[] {
  const operation = operations.find(({ name }) => name === row.endpoint)
  const names = operation?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? []
  const [path = '', given = ''] = urlOf(row, records).split('?')
  const body = row.body && JSON.stringify(row.body(records))
  return names.flatMap((name) => {
    const others = without(given, name)
    const sent = next(hostileText)
    // What only the reader of addresses makes a value of is sent.
    const read = new Set(hostileText.filter((text) => text !== sent))
    return [...hostileText, ...brokenText, '', `a&${name}=b`, 'x'.repeat(9_000)].map((text): Try => {
      const query = {
        ...Object.fromEntries(new URLSearchParams(others)),
        [name]: decodeURIComponent(read.has(text) ? text : ''),
      }
      return {
        what: `${nameOf(row)} ?${name}=${text.slice(0, 40)}`,
        method: methodOf(row),
        url: `${path}?${others}&${name}=${text}`,
        body,
        ...(read.has(text) && { refusal: refusalBySchema(row.endpoint, 'querystring', query) }),
      }
    })
  })
}

const turns = new Map<readonly unknown[], number>()

/** Another of the values at each call, so that each is sent to many places. */
function next<T>(values: readonly T[]): T | undefined {
  const turn = turns.get(values) ?? 0
  turns.set(values, turn + 1)
  return values[turn % values.length]
}

function without(query: string, name: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete(name)
  return parameters.toString()
}
