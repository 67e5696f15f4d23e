import type { LightMyRequestResponse } from 'fastify'
import type { Method, TestApp } from '../../support/app.ts'
import { nameOf, type Rights } from '../matrix/rights.ts'
import type { Records } from './records.ts'

/** What of a call differs from the row's own. */
interface Changes {
  /** Values for path parameters, by their place. */
  at?: (string | number | undefined)[]
  body?: unknown
}

/** The address of a row, with the records' ids in it. */
export function urlOf(row: Rights, records: Records, at: Changes['at'] = []): string {
  const path = row.endpoint.slice(row.endpoint.indexOf(' ') + 1)
  let place = 0
  const filled = path.replace(/\{\w+\}/g, () => {
    const given = row.at?.[place]
    const value = at[place] ?? (typeof given === 'object' ? given.text : given && records[given])
    place += 1
    if (value === undefined) throw new Error(`${nameOf(row)}: the row does not say what stands at place ${place}`)
    return encodeURIComponent(value)
  })
  const { query = '' } = row
  return filled + (typeof query === 'function' ? query(records) : query)
}

/** Calls a row's endpoint with what the row says, or with the changes. */
export function send(
  api: TestApp,
  row: Rights,
  records: Records,
  token: string | undefined,
  changes: Changes = {},
): Promise<LightMyRequestResponse> {
  const body = 'body' in changes ? changes.body : row.body?.(records)
  return api.call(methodOf(row), urlOf(row, records, changes.at), { token, body })
}

/** The token of somebody for whom the call succeeds. */
export function tokenFor({ by }: Rights, records: Records): string {
  if (by === undefined) return records.everything.token
  return by === 'stranger' ? records.stranger.token : records.school[by].token
}

export function methodOf({ endpoint }: Rights): Method {
  return endpoint.slice(0, endpoint.indexOf(' ')) as Method
}

/** The places in a row's path that name records. */
export function placesOf({ at = [] }: Rights): number[] {
  return at.flatMap((value, place) => (typeof value === 'string' ? [place] : []))
}

/** Reads first and deletes last, so that nothing is gone before it was asked for. */
export function inOrder(rows: Rights[]): Rights[] {
  const order = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE']
  return [...rows].sort((a, b) => order.indexOf(methodOf(a)) - order.indexOf(methodOf(b)))
}
