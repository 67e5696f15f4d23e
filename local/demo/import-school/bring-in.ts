import { importKindNames } from '../../../src/shared/portability/imports/find-import-kind.ts'
import { createDemoReporter, type DemoReporter } from '../main-job/client.ts'
import { foundSchool } from '../main-job/people.ts'
import { readExampleFiles } from './example-files.ts'

/** The time limit of an import. It is long because each of several hundred bookings is checked against the scheduling rules. */
const WITHIN_MS = 180_000
const DAY_MS = 86_400_000

interface Import {
  id: number
  status: string
  result: { created: number; updated: number; unchanged: number; refused: number } | null
}

/**
 * Creates a school, publishes a course and imports the files of `examples/import`, with real requests to the API at
 * `apiUrl`. Prints each step. Returns the token of the owner.
 * @throws UnexpectedAnswer when an answer has another status than expected, or an import takes too long
 * @throws Error when an import fails or refuses a row
 */
export async function bringSchoolIn(apiUrl: string, inboxUrl: string, print: (text: string) => void): Promise<string> {
  const reporter = createDemoReporter(apiUrl, print)
  const { token } = await foundSchool(reporter, inboxUrl)
  await publishCourse(reporter, token)
  const files = readExampleFiles(new Date())
  for (const kind of importKindNames) {
    const text = files.get(kind)
    if (text !== undefined) await importFile(reporter, token, { kind, text })
  }
  const [from, to] = [0, 100 * DAY_MS].map((ahead) => new Date(Date.now() + ahead).toISOString())
  await reporter.call<unknown[]>('GET', `/reservations?startDate=${from}&endDate=${to}&limit=1000`, {
    step: 'The owner looks three months ahead',
    token,
    expect: 200,
    summarize: (bookings) => `${bookings.length} bookings`,
  })
  return token
}

async function publishCourse(reporter: DemoReporter, token: string): Promise<void> {
  const course = await reporter.call<{ name: string; versions: { id: number }[] }>(
    'POST',
    '/training/templates/private',
    {
      step: 'A course is made from a template',
      token,
      body: {},
      expect: 200,
      summarize: ({ name }) => name,
    },
  )
  await reporter.call('POST', `/training/versions/${course.versions[0]!.id}/publish`, {
    step: 'and published',
    token,
    body: {},
    expect: 200,
    summarize: () => 'students can be enrolled',
  })
}

async function importFile(
  reporter: DemoReporter,
  token: string,
  { kind, text }: { kind: string; text: string },
): Promise<void> {
  const { id } = await reporter.call<Import>('POST', '/imports', {
    step: `${kind}.csv`,
    token,
    body: { kind, text },
    expect: 202,
    summarize: () => `${text.split('\n').length - 2} rows`,
  })
  await reporter.callUntil<Import>(
    'GET',
    `/operations/${id}`,
    { step: 'is brought in', token, expect: 200, withinMs: WITHIN_MS, summarize: inWords },
    ({ status }) => status === 'done' || status === 'failed',
  )
}

function inWords({ status, result }: Import): string {
  if (status !== 'done' || !result) throw new Error(`the import is ${status}`)
  const { created, updated, unchanged, refused } = result
  if (refused > 0) throw new Error(`${refused} rows are refused`)
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`
}
