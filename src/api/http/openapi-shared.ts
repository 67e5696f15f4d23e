import { type ErrorCode, errorCodes } from '../../shared/platform/kernel/error-codes.ts'
import type { JsonSchema, Schemas } from './openapi-schema.ts'

/** The descriptions of successes by status. */
export const meaning: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  302: 'Go there',
}

/** A reference to the error envelope. */
export const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }

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

/** What every endpoint of its kind raises besides what it lists itself. */
export const alsoRaised = {
  keyed: '`IDEMPOTENCY_MISMATCH`: the Idempotency-Key was used for another request',
  verified: '`EMAIL_NOT_VERIFIED`: the address is not verified',
}

const errors = {
  Invalid: ['A field or parameter is wrong; the message names it', 'title: is required'],
  SignInAgain: ['The token is missing, expired or malformed: sign in again', 'Please sign in.'],
  NotAllowed: ['The answer is no for this caller', 'You are not allowed to do this.'],
  NotVerified: [
    `The answer is no for this caller, or ${alsoRaised.verified}`,
    'Please confirm your email address first: open the link that we mailed you.',
    'EMAIL_NOT_VERIFIED',
  ],
  NotFound: ['No such record in the organization of the token', 'There is no such record.'],
  KeyMismatch: [alsoRaised.keyed, 'This Idempotency-Key was used for another request.', 'IDEMPOTENCY_MISMATCH'],
  TooSlow: ['The body did not arrive within 30 seconds', 'The request took too long to arrive.'],
  TooLarge: ['The body is larger than 1 MiB', 'The request is larger than 1 MiB.'],
  NotJson: ['The body does not claim to be JSON', 'Please send JSON with the header Content-Type: application/json.'],
  TooMany: ['Too many requests; `Retry-After` says when to come back', 'Too many requests. Please wait and try again.'],
  Away: [
    'Something that the service depends on is away; trying again can help',
    'The service is not available right now. Please try again in a moment.',
  ],
} satisfies Record<string, [description: string, message: string, code?: ErrorCode]>

/** Returns a reference to a shared error. */
export function sharedError(name: keyof typeof errors) {
  return { $ref: `#/components/responses/${name}` }
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** The components besides schemas that operations reference. */
export const sharedComponents = {
  securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  parameters: {
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
  },
  responses: Object.fromEntries(
    Object.entries(errors as Record<string, string[]>).map(([name, [description, message, code]]) => [
      name,
      {
        description,
        ...((name === 'TooMany' || name === 'Away') && { headers: retryAfter }),
        content: {
          'application/json': { schema: errorSchema, example: code ? { message, code } : { message } },
        },
      },
    ]),
  ),
}
