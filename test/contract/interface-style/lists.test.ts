import { describe, expect, test } from 'vitest'
import { operations } from './support.ts'

const listParameters = ['limit', 'offset', 'sort', 'order', 'cursor']
const reads = operations.filter(({ method }) => method === 'get')
const arrays = reads.filter(({ data }) => data?.type === 'array')
const queryOf = ({ parameters }: (typeof operations)[number]) =>
  parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
const isList = (operation: (typeof operations)[number]) =>
  listParameters.every((name) => queryOf(operation).includes(name))

/** What the description of an array says that is not a list of stored rows. */
const COMPUTED = /Computed for each request, without list parameters\./

describe('an array that an operation answers', () => {
  test.each(arrays)('$name takes all parameters of lists, or says that it is computed', (operation) => {
    const taken = listParameters.filter((name) => queryOf(operation).includes(name))
    expect(taken.length === 0 || isList(operation)).toBe(true)
    expect(COMPUTED.test(operation.description)).toBe(!isList(operation))
  })

  test('takes them in more than sixty operations', () => {
    expect(arrays.filter(isList).length).toBeGreaterThan(60)
  })
})

describe('an operation of an account or member', () => {
  test('takes `Prefer`, except those that others call', () => {
    const without = operations.filter(({ parameters }) => !parameters.some(({ name }) => name === 'Prefer'))
    expect(without.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "GET /health",
        "GET /health/ready",
        "GET /health/live",
        "GET /",
        "POST /webhooks/stripe",
        "POST /uploads",
        "GET /uploads/{organizationId}/{name}",
      ]
    `)
  })
})
