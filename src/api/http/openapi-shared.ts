import { errorCodes } from '../../shared/platform/kernel/error-codes.ts'
import { cursorExample } from './cursors.ts'
import { entryOf, errorAnswer, generalErrors } from './openapi-errors.ts'
import type { Schemas } from './openapi-schema.ts'
import { id } from './schemas.ts'

/** The descriptions of successful answers by status. */
export const meaning: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, without a body',
  302: 'A redirect to the address in `Location`',
}

/** The schemas of every document. */
export const firstSchemas: Schemas = {
  IdOrMe: { anyOf: [id, { type: 'string', enum: ['me'], choices: 'Me' }] },
  ApiError: {
    type: 'object',
    required: ['message'],
    example: { message: 'N172SP was given to somebody else.', code: 'NOT_PENDING' },
    properties: {
      message: { type: 'string', description: 'Text for people; it can be shown to a user' },
      code: {
        type: 'string',
        enum: Object.keys(errorCodes),
        description:
          'A code that clients can act on; `docs/errors.md` explains each one. New codes are added without notice: treat ' +
          'an unknown code as if there were none',
      },
      details: { type: 'object', additionalProperties: true },
    },
  },
}

/** Returns a reference to the shared response of an error, or to the 304 response of a read. */
export function sharedError(name: keyof typeof generalErrors | 'NotModified') {
  return { $ref: `#/components/responses/${name}` }
}

/** Returns references to shared headers by their names in HTTP. */
function headers(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]))
}

/** The header of a read that has an ETag. The introduction names the headers of every answer. */
export const readHeaders = headers('ETag')

const limitHeaders = headers('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy')
/** The headers of a 400 about what the endpoint does not know. */
const ignoredHeaders = headers('X-Ignored-Fields', 'Preference-Applied')

/** The headers of an error, by its status. */
export const errorHeaders: Record<number, object> = {
  401: headers('WWW-Authenticate'),
  429: { ...headers('Retry-After'), ...limitHeaders },
  503: headers('Retry-After'),
}

const notModified = {
  description: 'The answer is the one that `If-None-Match` names; no body',
  headers: headers('ETag', 'Cache-Control', 'Vary'),
}

/** The components, other than schemas, that operations reference. */
export const sharedComponents = {
  securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description:
        'The `ETag` of an answer that the client already has. If the answer would be the same, it is 304 without a body',
      schema: { type: 'string', maxLength: 1000 },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The `ETag` of the record. Read it at this address, or for `confirmReview` at the address of the booking. ' +
        'If somebody has changed the record since, the answer is 412 and nothing is changed',
      schema: { type: 'string', maxLength: 1000 },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      description:
        '`handling=strict` refuses query parameters and keys of the body that the endpoint does not know (400). ' +
        'Without it they are ignored, and named in `X-Ignored-Fields`',
      schema: { type: 'string', maxLength: 1000 },
      example: 'handling=strict',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes it safe to repeat the request. Within 24 hours, requests with the same key do the work once and get the ' +
        'same answer, with `Idempotency-Replayed: true`',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      example: 'b1f0c6f2-6b7a-4a58-9d6e-0c5a0a3b9f11',
    },
  },
  headers: {
    TotalCount: {
      description: 'The number of rows on all pages; 10000 when there are more',
      schema: { type: 'integer', minimum: 0, maximum: 10000 },
      example: 42,
    },
    TotalCountExact: {
      description: '`false` when there are more rows than `X-Total-Count` says; otherwise absent',
      schema: { type: 'boolean', const: false },
      example: false,
    },
    NextPage: {
      description:
        'The address of the next page: an absolute path with all parameters. Present only with `cursor`, and ' +
        'absent on the last page',
      schema: { type: 'string' },
      example: `</reservations?limit=50&cursor=${cursorExample}>; rel="next"`,
    },
    RetryAfter: {
      description: 'Seconds to wait before the next request',
      schema: { type: 'integer', minimum: 1 },
      example: 30,
    },
    ETag: {
      description:
        'Identifies the bytes of the answer, for `If-None-Match` and `If-Match`. Each content encoding has its ' +
        'own. Streamed lists have none',
      schema: { type: 'string' },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    CacheControl: {
      description:
        '`private, no-cache`: only the caller’s own cache may store the answer, and must revalidate it each time. ' +
        '`no-store`: for answers without an ETag and for answers with signed links',
      schema: { type: 'string' },
      example: 'private, no-cache',
    },
    Vary: {
      description: 'The request headers that the answer depends on',
      schema: { type: 'string' },
      example: 'authorization, accept, accept-language, accept-encoding',
    },
    XIgnoredFields: {
      description:
        'The query parameters, and the dot paths of keys in the body, that the endpoint does not know and ignores: ' +
        'at most 20 names, then for example `...3 more`. Absent when all are known',
      schema: { type: 'string' },
      example: 'adress, lines.amout',
    },
    PreferenceApplied: {
      description: '`handling=strict` when the request asks for it; otherwise absent',
      schema: { type: 'string', const: 'handling=strict' },
      example: 'handling=strict',
    },
    WWWAuthenticate: {
      description: 'The authentication scheme, with `error="invalid_token"` when the token is not valid',
      schema: { type: 'string' },
      example: 'Bearer realm="Flightline", error="invalid_token"',
    },
    RateLimitLimit: {
      description: 'The number of requests that the limit allows in its window, for the limit with the least remaining',
      schema: { type: 'integer', minimum: 0 },
      example: 300,
    },
    RateLimitRemaining: {
      description: 'The number of requests that this limit still allows',
      schema: { type: 'integer', minimum: 0 },
      example: 299,
    },
    RateLimitReset: {
      description: 'Seconds until the limit is reset',
      schema: { type: 'integer', minimum: 0 },
      example: 60,
    },
    RateLimitPolicy: {
      description: 'All limits that counted this request, each as a number of requests and a window (`w`) in seconds',
      schema: { type: 'string' },
      example: '300;w=60, 5000;w=3600',
    },
  },
  responses: {
    NotModified: notModified,
    ...Object.fromEntries(
      Object.entries(generalErrors).map(([name, reasons]) => {
        const { description, content } = errorAnswer(reasons)
        const own = name === 'Invalid' ? ignoredHeaders : errorHeaders[entryOf(reasons[0]).status ?? 400]
        return [name, { description, ...(own && { headers: own }), content }]
      }),
    ),
  } as Record<string, Record<string, unknown>>,
}
