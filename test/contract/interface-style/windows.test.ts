import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import { operations, queryParameters } from './support.ts'

/** The names of the fields of bodies that could bound a window. */
const bounds = operations.flatMap(({ name: operation, body }) =>
  fieldsOf(body)
    .filter((name) => /^(since|until|startDate|endDate)$/.test(name.split('.').at(-1) ?? ''))
    .map((name) => `${operation} ${name}`),
)

function fieldsOf({ properties = {}, anyOf = [] }: JsonSchema = {}): string[] {
  const own = Object.entries(properties).flatMap(([name, part]) => [
    name,
    ...fieldsOf(part).map((one) => `${name}.${one}`),
  ])
  return [...own, ...anyOf.flatMap(fieldsOf)]
}

const limits = queryParameters.filter(({ name }) => name === 'startDate' || name === 'endDate')

/** Names of limits that are not those of a window. Each bounds one instant of the row, which its name says. */
const others = ['endedBefore', 'expiringBefore']

describe('a window of time in a query', () => {
  test('has the two limits `startDate` and `endDate`', () => {
    expect(limits.length).toBeGreaterThan(50)
    const of = (limit: string) => limits.filter(({ name }) => name === limit).map(({ operation }) => operation)
    expect(of('startDate')).toEqual(of('endDate'))
  })

  test.each(limits)('$operation: $name is a day or an instant, and says so', ({ schema, name, description }) => {
    expect(schema).toEqual({ type: 'string' })
    expect(description).toMatch(/\bday\b.*\binstant\b/)
    if (name === 'endDate') expect(description).toMatch(/a day, which is included, or an instant, which is not/)
  })

  test('is the same in a body; a recurrence, which is no window, has its end', () => {
    expect(bounds.sort()).toEqual([
      'PATCH /reports/views/{id} parameters.endDate',
      'PATCH /reports/views/{id} parameters.startDate',
      'POST /closures recurrence.until',
      'POST /payRuns endDate',
      'POST /payRuns startDate',
      'POST /recoveries endDate',
      'POST /recoveries startDate',
      'POST /reports/views parameters.endDate',
      'POST /reports/views parameters.startDate',
      'POST /reservations recurrence.until',
      'POST /reservations/bulk filter.endDate',
      'POST /reservations/bulk filter.startDate',
      'POST /reservations/check recurrence.until',
      'POST /webhooks/{id}/replay endDate',
      'POST /webhooks/{id}/replay startDate',
    ])
  })

  test('has no other name', () => {
    const named = queryParameters.filter(({ name }) => /^(since|until|from|to)$|(Before|After|Since|Until)$/.test(name))
    expect([...new Set(named.map(({ name }) => name))].sort()).toEqual(others)
  })

  test('is no instant alone', () => {
    expect(queryParameters.filter(({ schema }) => schema.format !== undefined)).toEqual([])
  })
})
