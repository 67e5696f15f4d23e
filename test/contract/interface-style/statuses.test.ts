import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Answered {
  $ref?: string
  content?: Record<string, { schema?: { $ref?: string; properties?: Record<string, unknown> } }>
}
interface Document {
  info: { description: string }
  paths: Record<string, Record<string, { responses: Record<string, Answered> }>>
  components: { responses: Record<string, Answered>; schemas: Record<string, { properties?: Record<string, unknown> }> }
}
const { info, paths, components }: Document = JSON.parse(
  readFileSync(new URL('../../../interface/openapi.json', import.meta.url), 'utf8'),
)

/** The statuses that the interface names, where they differ from the rule. */
const fixed: Record<string, { is: number[]; because: string }> = {
  'POST /auth': { is: [200], because: 'a sign-in answers the envelope and makes no record' },
  'POST /auth/forgot-password': { is: [204], because: 'the answer does not show whether the address is known' },
  'POST /auth/reset-password': { is: [204], because: 'nobody is signed in, so there is no record to answer' },
  'POST /organizations/join/{orgCode}': { is: [200, 201], because: 'joined, or a join request is raised' },
  'POST /organizations/invite': { is: [204], because: 'an invitation is a mail' },
  'POST /invoices': { is: [200, 201], because: 'the payment processor has not answered yet, or has the invoice' },
  'POST /reservations/{id}/invoices': { is: [200, 201], because: 'as above' },
  'POST /notifications': { is: [204], because: 'it deletes all notifications' },
  'POST /notifications/{notificationId}': { is: [204], because: 'a read mark answers nothing' },
  ...Object.fromEntries(
    [
      'POST /training/courses',
      'POST /training/enrollments',
      'POST /training/records',
      'POST /training/endorsements',
      'POST /training/grants',
      'DELETE /training/grants/{grantId}',
      'DELETE /training/versions/{versionId}/stages/{stageId}',
      'DELETE /training/versions/{versionId}/lessons/{lessonId}',
      'DELETE /training/versions/{versionId}/requirements/{requirementId}',
    ].map((name) => [name, { is: [200], because: 'every training operation of the interface answers 200' }]),
  ),
}

/** Our operations whose form is not that of the rule, and why. */
const ours: Record<string, { is: number[]; because: string }> = {
  'POST /auth/verify-email': { is: [204], because: 'as reset-password: nobody is signed in' },
  'POST /auth/verify-email/resend': { is: [204], because: 'as forgot-password' },
  'POST /approvals': { is: [200, 201], because: 'the same approval again replaces its end' },
  'POST /offers/{id}/accept': { is: [200, 201], because: 'accepting again answers the same booking' },
  'POST /packages/{id}/purchases': { is: [200, 201], because: 'as POST /invoices' },
  'POST /maintenance/reminders/copy': { is: [201], because: 'it answers the records that it made' },
  'POST /training/endorsements/batch': { is: [201], because: 'the same' },
  'POST /ledger/{id}/reverse': { is: [201], because: 'it answers the entry that it made' },
  'POST /invoices/{id}/payments': { is: [201], because: 'a payment has no address of its own' },
  'POST /invoices/{id}/payments/{paymentId}/reverse': { is: [200, 202], because: 'reversed, or waits for an admin' },
  'POST /calendar/token': { is: [201], because: 'there is one calendar address' },
  'POST /imports': { is: [202], because: 'it starts an operation' },
  'POST /exports': { is: [202], because: 'it starts an operation' },
  'POST /users/export': { is: [200, 202], because: 'without an organization there is no operation' },
  'POST /reservations/bulk': { is: [202], because: 'it starts an operation' },
  'POST /invoices/batch': { is: [202], because: 'it starts an operation' },
  'POST /reservations': { is: [201, 202], because: 'with `displace` it starts an operation' },
  'POST /recoveries': { is: [202], because: 'it starts an operation' },
  'POST /recoveries/{id}/apply': { is: [202], because: 'it starts an operation' },
  'POST /webhooks/{id}/test': { is: [202], because: 'the event is sent afterwards' },
  'POST /webhooks/{id}/replay': { is: [202], because: 'the events are sent afterwards' },
  'POST /public/offerings/{id}/requests': { is: [202], because: 'the guest confirms the request afterwards' },
  'DELETE /maintenance/completions/{id}': { is: [200], because: 'it answers the reminder, whose history keeps both' },
  'DELETE /orgUsers/{id}': { is: [200, 204], because: 'who was paid for is named in warnings, or there was nobody' },
  'POST /uploads': { is: [204], because: 'it answers as object storage does' },
  'GET /integrations/{provider}/authorize': { is: [200, 302], because: 'JSON is asked for, or a browser is sent on' },
  'GET /integrations/{provider}/begin': { is: [302], because: 'a browser is sent on' },
  'GET /integrations/{provider}/callback': { is: [302], because: 'a browser is sent on' },
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([verb, { responses }]) => {
    const successes = Object.entries(responses).filter(([status]) => status !== '304' && Number(status) < 400)
    return { name: `${verb.toUpperCase()} ${path}`, path, verb, successes }
  }),
)

/** Returns whether a path is a list of records, or the records have addresses right below it. */
function isCollection(path: string): boolean {
  const addresses = Object.keys(paths).filter((other) => other.startsWith(`${path}/{`))
  const isList = paths[path]?.get !== undefined && !path.endsWith('}')
  return isList || addresses.some((other) => !other.slice(path.length + 1).includes('/'))
}

function byRule({ verb, path }: (typeof operations)[number]): number[] {
  if (verb === 'delete') return [204]
  return verb === 'post' && isCollection(path) ? [201] : [200]
}

test('the introduction says in one sentence what the interface fixes otherwise under /training', () => {
  const [, sentence = ''] = /Under `\/training`, ([^;.]*)[;.]/s.exec(info.description) ?? []
  const made = Object.entries(paths).filter(([path, { post }]) => /^\/training/.test(path) && post?.responses['200'])
  const words = made.map(([path]) => path.split('/').findLast((part) => !part.startsWith('{')) ?? '')
  const actions = /^(publish|retire|certify|graduate|end|fee|sign|countersign|amend|reverse|confirm|disown|templates)$/
  const records = words.filter((word) => !actions.test(word)).map((word) => word.replace('credits', 'credit'))
  expect(records.length).toBeGreaterThan(5)
  expect([...records, 'deletions', '200'].filter((word) => !sentence.includes(word))).toEqual([])
})

describe('the status of a success', () => {
  test('is 201 for a new record, 204 for a deletion, and 200 for a read, a change and an action', () => {
    const documented = operations.map(({ name, successes }) => ({
      name,
      is: successes.map(([status]) => Number(status)),
    }))
    const expected = operations.map((one) => ({
      name: one.name,
      is: (fixed[one.name] ?? ours[one.name])?.is ?? byRule(one),
    }))
    const differing = documented.filter(({ is }, at) => `${is}` !== `${expected[at]?.is}`)
    expect(differing).toEqual([])
  })

  test('has no exception that follows the rule, or is of no operation', () => {
    const needless = Object.entries({ ...fixed, ...ours }).filter(([name, { is }]) => {
      const operation = operations.find((one) => one.name === name)
      return !operation || `${byRule(operation)}` === `${is}`
    })
    expect(needless.map(([name]) => name)).toEqual([])
  })
})

test('what is created, changed or done is answered as `data`, and 204 has no body', () => {
  const bodies = operations
    .filter(({ verb, name }) => verb !== 'get' && name !== 'POST /webhooks/stripe')
    .flatMap(({ name, successes }) => successes.map(([status, answer]) => ({ name, status, data: dataOf(answer) })))
  expect(bodies.filter(({ status, data }) => (status === '204') === data).map(({ name }) => name)).toEqual([])
})

/** Returns whether the body of an answer is `{ data }`. */
function dataOf(given: Answered): boolean {
  const answer = components.responses[given.$ref?.split('/').at(-1) ?? ''] ?? given
  const schema = answer.content?.['application/json']?.schema
  const properties = (components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema)?.properties
  return properties !== undefined && 'data' in properties
}
