import { expect, test } from 'vitest'
import { z } from 'zod'
import { sentenceFor } from '../../../src/api/http/wording.ts'

/** What the service says of the first problem of a value. */
const saidOf = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value, { reportInput: true })
  return sentenceFor(error?.issues[0] as Parameters<typeof sentenceFor>[0])
}

test.each([
  [z.number().lt(5), 'must be less than 5'],
  [z.number().max(5), 'must be at most 5'],
  [z.string().max(0), 'must have at most 0 characters'],
])('a value beyond its most is told how far it may go: %#', (schema, sentence) => {
  expect(saidOf(schema, schema instanceof z.ZodString ? 'too long' : 5.5)).toBe(sentence)
})
