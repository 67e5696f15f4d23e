import { expect, test } from 'vitest'
import { z } from 'zod'
import { validatorCompiler } from '../../../src/api/http/validation.ts'

function validated(schema: z.ZodType, data: unknown) {
  const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
  return validate(data) as { value?: unknown; error?: Error & { details: { problems: unknown[] } } }
}

function list(most: number) {
  const read: unknown[] = []
  const item = z.strictObject({ name: z.string() }).refine((value) => read.push(value) > 0)
  return { read, schema: z.object({ within: z.object({ guests: z.array(item).max(most).optional() }) }) }
}

const guests = (count: number) => ({ within: { guests: Array.from({ length: count }, () => ({ name: 'Ana' })) } })

test('a list that is too long is one problem, and none of its items is read', () => {
  const { read, schema } = list(2)
  const { error } = validated(schema, guests(3))
  expect(error?.details.problems).toEqual([
    { field: 'within.guests', message: 'within.guests: must have at most 2 entries' },
  ])
  expect(read).toEqual([])
})

test('a list of the greatest length is read', () => {
  const { read, schema } = list(2)
  expect(validated(schema, guests(2))).toEqual({ value: guests(2) })
  expect(read).toHaveLength(2)
})

test('the other rules of a list do not look at one that is too long', () => {
  const noDoubles = z.array(z.object({ id: z.string() })).max(1)
  const schema = z.object({
    list: noDoubles.refine((items) => new Set(items.map(({ id }) => id)).size === items.length),
  })
  const { error } = validated(schema, { list: [null, null] })
  expect(error?.details.problems).toHaveLength(1)
})
