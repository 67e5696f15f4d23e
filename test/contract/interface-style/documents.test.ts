import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Format, mediaOf } from '../../../src/api/http/answers.ts'
import { formatOf } from '../../../src/api/http/formats.ts'
import { type Document, operationsOf } from '../support/document.ts'

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../interface/openapi.json'), 'utf8'),
)
const operations = operationsOf(document)
const formatsOf = (parameters: (typeof operations)[number]['parameters']) =>
  parameters?.find(({ name, in: place }) => name === 'format' && place === 'query')?.schema.enum as Format[] | undefined

/** Forms that another program asks for, and that have no second form. */
const otherForms = ['text/event-stream', 'text/calendar', 'text/html', 'application/octet-stream']

describe('a document or a table', () => {
  test('is asked for by `format` where it is answered, and nowhere else', () => {
    const wrong = operations.flatMap(({ name, parameters, responses }) => {
      const media = Object.keys(responses[200]?.content ?? {}).filter((one) => !otherForms.includes(one))
      const asked = (formatsOf(parameters) ?? ['json']).map((format) => mediaOf[format])
      return media.length === 0 || media.toSorted().join() === asked.toSorted().join() ? [] : [`${name}: ${media}`]
    })
    expect(wrong).toEqual([])
  })

  test('has no path of its own beside that of its record', () => {
    expect(operations.map(({ path }) => path).filter((path) => /[./](pdf|csv)$/.test(path))).toEqual([])
  })

  test('is refused with 406 where `Accept` names no format of it', () => {
    const tables = operations.filter(({ parameters }) => formatsOf(parameters))
    expect(tables.length).toBeGreaterThan(15)
    expect(tables.filter(({ responses }) => !responses[406]).map(({ name }) => name)).toEqual([])
  })
})

describe('the format of an answer (RFC 9110 §12.5.1)', () => {
  const all: Format[] = ['json', 'csv', 'pdf']

  test.for<[accept: string | undefined, asked: Format | undefined, format: Format | undefined]>([
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['*/*', undefined, undefined],
    ['text/csv', undefined, 'csv'],
    ['TEXT/CSV; charset=utf-8', undefined, 'csv'],
    ['application/pdf, */*;q=0.1', undefined, 'pdf'],
    ['application/json, text/plain, */*', undefined, 'json'],
    ['application/json, text/csv', undefined, 'json'],
    ['application/json;q=0.5, text/csv', undefined, 'csv'],
    ['text/html, application/xhtml+xml, image/webp, */*;q=0.8', undefined, undefined],
    ['text/*', undefined, 'csv'],
    ['application/json;q=0, */*', undefined, 'csv'],
    ['application/json;q=0.1, */*;q=0.5', undefined, 'csv'],
    ['application/json, */*', undefined, 'json'],
    ['application/problem+json', undefined, undefined],
    ['application/problem+json, text/csv;q=', 'csv', 'csv'],
    ['application/problem+json', 'pdf', 'pdf'],
    [undefined, 'pdf', 'pdf'],
    ['*/*', 'csv', 'csv'],
    ['application/json, */*;q=0.5', 'pdf', 'pdf'],
    ['nonsense', 'csv', 'csv'],
  ])('is for Accept %s and format %s: %s', ([accept, asked, format]) => {
    expect(formatOf(all, asked, accept)).toBe(format)
  })

  test.for<[accept: string, asked: Format | undefined]>([
    ['image/png', undefined],
    ['text/html, application/xhtml+xml', undefined],
    ['text/csv;q=0', undefined],
    ['application/json', 'csv'],
    ['text/csv', 'pdf'],
    ['application/pdf;q=0, */*', 'pdf'],
  ])('is 406 for Accept %s and format %s', ([accept, asked]) => {
    expect(() => formatOf(all, asked, accept)).toThrow(/^Accept names none of the types/)
  })
})
