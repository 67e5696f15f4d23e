import { expect, test } from 'vitest'
import { z } from 'zod'
import { serializerCompiler } from '../../../src/api/http/serializer.ts'

test.for([90_000, 'anyone', null])('a union that may be null is answered in each of its forms: %s', (value) => {
  const schema = z.object({ value: z.union([z.int(), z.enum(['staff', 'anyone'])]).nullable() })
  const serialize = serializerCompiler({ schema } as never)
  expect(JSON.parse(serialize({ value, secret: 'x' }))).toEqual({ value })
})
