import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matrix } from '../contract/authorization-matrix.ts'
import { type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { buildSecondRecords } from '../contract/support/second-records.ts'
import { urlOf } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'

interface Page {
  rows: unknown[]
  next: string | null
  total: unknown
}

let api: TestApp
let records: Records
let lists: Operation[]
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  await buildSecondRecords(api, records)
  lists = operationsOf(await readDocument(api)).filter(({ parameters = [] }) => named(parameters, 'limit'))
})
afterAll(() => api.close())

const named = (parameters: { name: string }[], name: string) => parameters.some((parameter) => parameter.name === name)

/** The address of a list, with a query to extend. */
function addressOf({ name }: Operation): string {
  const row = matrix.find(({ endpoint }) => endpoint === name)!
  const url = urlOf(row, records)
  return url.includes('?') ? `${url}&` : `${url}?`
}

async function read(url: string, token: string): Promise<Page> {
  const answer = await api.call('GET', url, { token })
  if (answer.statusCode !== 200) return { rows: [], next: null, total: `${answer.statusCode} ${answer.body}` }
  const next = /^<(\/[^>]*)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1] ?? null
  return { rows: answer.json<{ data: unknown[] }>().data, next, total: answer.headers['x-total-count'] }
}

/** The reader who sees most of a list. */
async function readerOf(url: string): Promise<{ whole: Page; token: string }> {
  const { everything, school } = records
  const all = []
  for (const { token } of [everything, school.student, school.renter])
    all.push({ token, whole: await read(url, token) })
  return all.reduce((most, one) => (one.whole.rows.length > most.whole.rows.length ? one : most))
}

describe('every list', () => {
  test('takes a cursor and documents it', () => {
    const without = lists.filter(({ parameters = [], responses }) => {
      const headers = (responses['200'] as { headers?: object }).headers ?? {}
      return !named(parameters, 'cursor') || !('Link' in headers)
    })
    expect(without.map(({ name }) => name)).toEqual([])
  })

  test('answers each of its rows once, in its order, in pages of one row', async () => {
    const surprises: string[] = []
    const short: string[] = []
    for (const list of lists) {
      const url = addressOf(list)
      const { whole, token } = await readerOf(url)
      if (whole.rows.length < 2) short.push(list.name)
      const walked: unknown[] = []
      let next: string | null = `${url}limit=1&cursor=`
      while (next !== null && walked.length <= whole.rows.length) {
        const page: Page = await read(next, token)
        if (page.total !== whole.total) surprises.push(`${list.name}: ${page.total} in all, not ${whole.total}`)
        walked.push(...page.rows)
        next = page.next
      }
      if (JSON.stringify(walked) !== JSON.stringify(whole.rows)) {
        surprises.push(`${list.name}: ${JSON.stringify(walked)}, not ${JSON.stringify(whole.rows)}`)
      }
    }
    expect(surprises).toEqual([])
    expect(short).toEqual(['GET /training/candidates', 'GET /reports/stalled'])
  })
})
