import { describe, expect, test } from 'vitest'
import { queryParameters } from './support.ts'

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

  test('has no other name', () => {
    const named = queryParameters.filter(({ name }) => /^(since|until|from|to)$|(Before|After|Since|Until)$/.test(name))
    expect([...new Set(named.map(({ name }) => name))].sort()).toEqual(others)
  })

  test('is no instant alone', () => {
    expect(queryParameters.filter(({ schema }) => schema.format !== undefined)).toEqual([])
  })
})
