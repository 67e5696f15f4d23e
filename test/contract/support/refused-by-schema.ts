import type { FastifyError } from 'fastify'
import type { z } from 'zod'
import { endpoints } from '../../../src/api/app.ts'
import { toAnswer } from '../../../src/api/http/error-handler.ts'
import { ignoredFields } from '../../../src/api/http/ignored-fields.ts'
import { unfit, validatorCompiler } from '../../../src/api/http/validation.ts'
import { nameless } from './route-table.ts'

/** A refusal as it is answered: status, and the body as text. */
export interface Refusal {
  statusCode: number
  body: string
}

/** What an endpoint takes in each part of a request, by the endpoint without names of parameters. */
const declared = new Map(
  endpoints.map(({ method, url, declaration: { body, query, params } }) => [
    nameless(`${method} ${url}`),
    { body, querystring: query, params } as Record<Part, z.ZodType | undefined>,
  ]),
)

type Part = 'body' | 'querystring' | 'params'

/**
 * Returns what an endpoint's schema alone answers to a part of a request, or undefined when it takes it. A request that the
 * schema refuses reaches neither use case nor database, so this costs a twentieth of sending one. `endpoint` is as in the
 * document: `GET /users/{id}`.
 */
export function refusalBySchema(endpoint: string, part: Part, value: unknown): Refusal | undefined {
  const schema = declared.get(nameless(endpoint))?.[part]
  if (!schema) return undefined
  // Before the refusal, an endpoint looks for fields that it ignores.
  if (part === 'body') ignoredFields({ query: { schema: undefined, value: undefined }, body: { schema, value } })
  const validate = validatorCompiler({ schema, method: '', url: '', httpPart: part })
  const { error } = validate(value) as { error?: Error }
  if (!error) return undefined
  const { status, body } = toAnswer(unfit(error) as unknown as FastifyError)
  return { statusCode: status, body: JSON.stringify(body) }
}
