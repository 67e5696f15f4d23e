import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/shared/platform/kernel/error-codes.ts'

interface Refused {
  $ref?: string
  description?: string
  headers?: Record<string, unknown>
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Refused> }>>
  components: { responses: Record<string, Refused> }
}
const { paths, components }: Document = JSON.parse(
  readFileSync(new URL('../../../interface/openapi.json', import.meta.url), 'utf8'),
)

/** Every refusal of every operation that the document names: its status, its code or null, and its sentence. */
const refusals = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([verb, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([status, given]) => {
        const { description = '' } = components.responses[given.$ref?.split('/').at(-1) ?? ''] ?? given
        return description.split('\n').map((line) => {
          const [, code = null, sentence = ''] = /^(?:- )?(?:`([A-Z_]+)`: )?(.*)$/.exec(line) ?? []
          return { operation: `${verb.toUpperCase()} ${path}`, status: Number(status), code, sentence }
        })
      }),
  ),
)

/** What is refused because it is so already. */
const already = /\balready\b|\b(?:another|other) \w+ has\b|\bno \w+ left\b/

/** The refusals of this kind whose status, 400, the interface names. */
const fixed: readonly [operation: string, sentence: RegExp][] = [
  ['POST /users', /this address is already registered/],
  ['POST /organizations/join/{orgCode}', /You are a member of this organization already/],
  ['POST /organizations/invite', /already invited|is a member already/],
  ['DELETE /reservations/{id}', /cancelled already/],
  ['POST /reservations/{id}/rampOut', /ramped out already/],
  ['POST /reservations/{id}/rampIn', /ramped in already/],
  ['PUT /reservations/{id}/payers', /invoiced already/],
  ['POST /reservations/{id}/invoices', /already invoiced|invoiced already/],
  ['POST /reservations/{id}/prepaid/record-offline', /paid already/],
  ['POST /invoices/{id}/remind', /paid already/],
]

/** Sentences with one of the words that are about something else. */
const otherwise: readonly [sentence: RegExp, because: string][] = [
  [/has expired or was used already/, 'a link that no longer works: the same as an unknown one'],
  [/This upload was used already/, 'a form that no longer works'],
  [/is already booked|already booked at this time/, 'a clash: the interface has 400'],
  [/another limit counts by|the task is graded already|has a lesson already/, 'the body says it twice'],
  [/the meter reads .* already|would be expired already/, 'a value that does not fit'],
  [/imports are already waiting/, 'a limit of the rate'],
]

const alreadySo = refusals.filter(
  ({ sentence }) => already.test(sentence) && !otherwise.some(([other]) => other.test(sentence)),
)

describe('what is already so', () => {
  test('is 409 with a code, except where the interface has 400', () => {
    const lawful = (one: (typeof refusals)[number]) =>
      one.status === 400 && fixed.some(([operation, words]) => one.operation === operation && words.test(one.sentence))
    const strange = alreadySo.filter((one) => !(one.status === 409 && one.code !== null) && !lawful(one))
    expect(strange).toEqual([])
    expect(alreadySo.filter(({ status }) => status === 409).length).toBeGreaterThan(30)
  })

  test('has no exception that no operation documents', () => {
    const unused = fixed.filter(
      ([operation, words]) => !alreadySo.some((one) => one.operation === operation && words.test(one.sentence)),
    )
    const unsaid = otherwise.filter(([words]) => !refusals.some(({ sentence }) => words.test(sentence)))
    expect([...unused, ...unsaid]).toEqual([])
  })
})

test('a 409 has a code, unless the same request can simply be sent again', () => {
  const again = /changed (?:this )?at the same time\. Please try again$/
  const bare = refusals.filter(({ status, code, sentence }) => status === 409 && code === null && !again.test(sentence))
  expect(bare).toEqual([])
})

test('a code has one status, except where the interface has another for the same thing', () => {
  const several = Object.entries(errorCodes).filter(([, { status }]) => status.length > 1)
  expect(several.map(([code]) => code).sort()).toEqual([
    // A booking that the rules refuse is 400; the same balance refuses a purchase with 409.
    'BALANCE_TOO_LOW',
    // Roles that leave no owner are 400; so are those of PATCH /orgUsers.
    'LAST_OWNER',
    // A ramp-out that finds its aircraft out is 400, as the second ramp-out of a booking.
    'RESOURCE_OUT',
  ])
})

test.each([
  [401, ['WWW-Authenticate']],
  [429, ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']],
  [503, ['Retry-After']],
])('each %i names its headers', (status, names) => {
  const answers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, { responses }]) => {
      const given = responses[status]
      const answer = given && (components.responses[given.$ref?.split('/').at(-1) ?? ''] ?? given)
      return answer ? [{ operation: `${verb.toUpperCase()} ${path}`, headers: Object.keys(answer.headers ?? {}) }] : []
    }),
  )
  const bare = answers.filter(({ headers }) => names.some((name) => !headers.includes(name)))
  // The service answers these itself.
  const service = ['GET /', 'GET /health', 'GET /health/ready']
  expect(bare.map(({ operation }) => operation).filter((operation) => !service.includes(operation))).toEqual([])
})
