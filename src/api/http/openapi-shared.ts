import { errorCodes } from '../../shared/platform/kernel/error-codes.ts'
import { errorAnswer, generalErrors } from './openapi-errors.ts'
import type { Schemas } from './openapi-schema.ts'

/** The descriptions of successful answers by status. */
export const meaning: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  302: 'Go there',
}

/** The schemas of every document. */
export const firstSchemas: Schemas = {
  Error: {
    type: 'object',
    required: ['message'],
    properties: {
      message: { type: 'string', description: 'Safe to show to a user' },
      code: {
        type: 'string',
        enum: Object.keys(errorCodes),
        description:
          'For a client to act on; `docs/errors.md` says what each stands for. Codes are added without notice: treat an ' +
          'unknown one as if there were none',
      },
      details: { type: 'object', additionalProperties: true },
    },
  },
}

/** Returns a reference to a shared error, or to the 304 answer of a read. */
export function sharedError(name: keyof typeof generalErrors | 'NotModified') {
  return { $ref: `#/components/responses/${name}` }
}

/** Returns references to shared headers by their names in HTTP. */
function headers(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name.replaceAll('-', '')}` }]))
}

/** The headers of a read that has an ETag. */
export const readHeaders = headers('ETag', 'Cache-Control', 'Vary')
/** The headers of an answer to a body. */
export const bodyHeaders = headers('X-Ignored-Fields')

const limitHeaders = headers('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy')
const ownHeaders: Record<string, object> = {
  SignInAgain: headers('WWW-Authenticate'),
  TooMany: { ...headers('Retry-After'), ...limitHeaders },
  Away: headers('Retry-After'),
}

const notModified = {
  description: 'The answer is what `If-None-Match` names; no body',
  headers: readHeaders,
}

/** The components besides schemas that operations reference. */
export const sharedComponents = {
  securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  parameters: {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of an answer that the client has: 304 without a body when it would be the same',
      schema: { type: 'string', maxLength: 1000 },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the record as the caller read it at this address, or at that of the record for a command: 412 when somebody has changed it since, and nothing is ' +
        'done',
      schema: { type: 'string', maxLength: 1000 },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key answers the same within 24 hours and does the work once; then `Idempotency-Replayed: true`',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      example: 'b1f0c6f2-6b7a-4a58-9d6e-0c5a0a3b9f11',
    },
  },
  headers: {
    TotalCount: {
      description: 'How many rows there are before the page is cut; 10000 when there are more',
      schema: { type: 'integer', minimum: 0, maximum: 10000 },
      example: 42,
    },
    TotalCountExact: {
      description: '`false` when there are more rows than `X-Total-Count` says; else left out',
      schema: { type: 'boolean', const: false },
      example: false,
    },
    RetryAfter: { description: 'Seconds', schema: { type: 'integer', minimum: 1 }, example: 30 },
    ETag: {
      description:
        'Of the answered bytes, for `If-None-Match` and `If-Match`; one more for each compression. Lists that are sent as they ' +
        'are read have none',
      schema: { type: 'string' },
      example: '"mSgrHlS1uqb0wVz0fX1dGmC8oPk"',
    },
    CacheControl: {
      description:
        '`private, no-cache`: for the reader’s own cache, which asks each time. Without an ETag, and with signed links, `no-store`',
      schema: { type: 'string' },
      example: 'private, no-cache',
    },
    Vary: {
      description: 'What of the request the answer depends on',
      schema: { type: 'string' },
      example: 'authorization, accept, accept-language, accept-encoding',
    },
    XIgnoredFields: {
      description:
        'The dot paths of the body’s keys that the endpoint does not know and did not use; at most 20 plain names, then ' +
        '`...3 more`. Left out when it knows all',
      schema: { type: 'string' },
      example: 'adress, lines.amout',
    },
    WWWAuthenticate: {
      description: 'The scheme of the credentials; `error="invalid_token"` when those sent do not hold',
      schema: { type: 'string' },
      example: 'Bearer realm="Flightline", error="invalid_token"',
    },
    RateLimitLimit: {
      description: 'The requests of the tightest limit that counted this one',
      schema: { type: 'integer', minimum: 0 },
      example: 300,
    },
    RateLimitRemaining: { description: 'What is left of it', schema: { type: 'integer', minimum: 0 }, example: 299 },
    RateLimitReset: {
      description: 'Seconds until the limit is reset',
      schema: { type: 'integer', minimum: 0 },
      example: 60,
    },
    RateLimitPolicy: {
      description: 'All limits that counted this request, each as requests and seconds',
      schema: { type: 'string' },
      example: '300;w=60, 5000;w=3600',
    },
  },
  responses: {
    NotModified: notModified,
    ...Object.fromEntries(
      Object.entries(generalErrors).map(([name, reasons]) => {
        const { description, content } = errorAnswer(reasons)
        return [name, { description, ...(ownHeaders[name] && { headers: ownHeaders[name] }), content }]
      }),
    ),
  } as Record<string, Record<string, unknown>>,
}
