import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/api/http/json-schema.ts'
import { operations, type QueryParameter, queryParameters } from './support.ts'

/** Parameters of links and redirects, which other services or this one make; no client filters by them. */
const ofLinks = /^GET \/(integrations|uploads)\//
/** Parameters that say how the answer is made, not which rows it has. */
const ofAnswers = ['order', 'orderBy', 'format', 'groupBy', 'theme', 'period', 'edition', 'limit', 'sort', 'cursor']

const filters = queryParameters.filter(
  ({ operation, name }) => !ofLinks.test(operation) && !ofAnswers.includes(name) && operation.startsWith('GET'),
)

/** Returns the type of a parameter, without its values, bounds and default. */
function typeOf({ type, items }: JsonSchema): unknown {
  return items ? [type, items.type ?? items.anyOf?.map((one) => one.type)] : type
}

const isById = ({ name }: QueryParameter) => /Id$|^signedBy$/.test(name)
const isByMember = ({ name }: QueryParameter) => /orgUserId$/i.test(name) || name === 'signedBy'

/** The filters in bodies: the fields of each `filter`. */
const inBodies = operations.flatMap(({ name: operation, body }) =>
  Object.entries(body?.properties?.filter?.properties ?? {}).map(([name, schema]) => ({ operation, name, schema })),
)

describe('a filter in a body', () => {
  const limits = ['startDate', 'endDate', 'match', 'endedBefore', 'endedAfter']
  /** The filters that have another name in queries. */
  const inQueriesAs: Record<string, string> = { types: 'type', instructorOrgUserIds: 'instructorOrgUserId' }
  const named = inBodies.filter(({ name }) => !limits.includes(name))

  test.each(named)(
    '$operation: $name takes one value, or an array of those that the filter of a query takes',
    (one) => {
      const [single, several] = one.schema.anyOf ?? []
      expect(several).toMatchObject({ type: 'array', items: single })
      const inQueries = filters.filter(({ name }) => name === (inQueriesAs[one.name] ?? one.name))
      expect(inQueries.length).toBeGreaterThan(0)
      for (const { schema } of inQueries) expect(several?.items).toEqual(schema.items)
    },
  )

  test('is one of bulk changes and of batches of invoices', () => {
    expect(named.map(({ operation, name }) => `${operation} ${name}`)).toEqual([
      'POST /reservations/bulk resourceId',
      'POST /reservations/bulk locationId',
      'POST /reservations/bulk orgUserId',
      'POST /reservations/bulk instructorOrgUserIds',
      'POST /reservations/bulk type',
      'POST /reservations/bulk types',
      'POST /invoices/batch orgUserId',
      'POST /invoices/batch resourceId',
    ])
  })
})

describe('a filter in a query', () => {
  test('has one type in all operations', () => {
    const types = Map.groupBy(filters, ({ name }) => name)
    const several = [...types].filter(
      ([, named]) => new Set(named.map(({ schema }) => JSON.stringify(typeOf(schema)))).size > 1,
    )
    expect(several.map(([name]) => name)).toEqual([])
  })

  test.each(filters.filter(isById))('$operation: $name takes a list of ids', ({ schema }) => {
    expect(schema).toMatchObject({ type: 'array' })
  })

  test.each(filters.filter(isByMember))('$operation: $name takes `me`', ({ schema }) => {
    expect(schema.items?.anyOf).toEqual([
      { type: 'integer', minimum: 1 },
      { type: 'string', enum: ['me'] },
    ])
  })

  test('with fixed values takes a list of them', () => {
    expect(filters.filter(({ schema }) => schema.enum).map(({ operation, name }) => `${operation} ${name}`)).toEqual([])
  })

  test('is named in the singular', () => {
    const plural = filters.filter(({ name, schema }) => schema.type === 'array' && /s$/.test(name))
    // `reminderIds` filters no list: it says what work the shop slots are for (§27.1).
    expect(plural.map(({ name }) => name).filter((name) => !['status', 'reminderIds'].includes(name))).toEqual([])
  })
})
