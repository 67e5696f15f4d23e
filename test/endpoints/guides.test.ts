import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { buildDemoSchool } from '../../local/demo/school/build-school.ts'
import { root } from '../support/command-line.ts'
import { workersTest } from '../support/fixtures.ts'

const run = promisify(execFile)
const test = workersTest({ realTime: true }).extend('url', { scope: 'file' }, async ({ api }) => {
  const { database, clock } = api.core
  const keys = JSON.parse(api.config.AUTH_KEYS ?? '')
  await buildDemoSchool({ database, clock, keys, invoices: true, receiverUrl: 'http://127.0.0.1:12112', files: true })
  return api.app.listen({ port: 0, host: '127.0.0.1' })
})

/** Runs the commands of a guide one after another in one shell. Returns what they print. */
async function runGuide(name: string, url: string, adapt = (script: string) => script): Promise<string> {
  const guide = await readFile(join(root, `docs/guides/${name}.md`), 'utf8')
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  const script = adapt(commands.join('\n').replace('http://localhost:3000', url))
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env: { ...process.env, PATH } })
  return stdout
}

describe('the commands of a guide work one after another on the demo school', () => {
  // Before the guides that ground the aircraft of the test.
  test('before the practical test', async ({ url }) => {
    const stdout = await runGuide('before-the-practical-test', url)
    expect(stdout).toMatch(/^not_ready, 2 open$/m)
    expect(stdout).toMatch(/^missing \| endorsement:A\.37 \| instructor \| A\.37 is not signed\.$/m)
    expect(stdout).toMatch(/^1 open: aircraft:hundred_hour$/m)
    expect(stdout).toMatch(/^Theo Marsh: not_ready, 1 open$/m)
    expect(stdout).toContain('a file of the kind %PDF-')
    expect(stdout).toContain('discontinued for weather')
    expect(stdout).toMatch(/, Isabel [^:]+: \d tests$/m)
    expect(stdout).toMatch(/^endorsement:A\.1: A\.1 is good to \d{4}-\d\d-\d\d; the application is on /m)
  })

  test('a day at the desk', async ({ url }) => {
    const stdout = await runGuide('day-at-the-desk', url)
    expect(stdout).toMatch(/^grounded: \d+$/m)
    expect(stdout).toMatch(/^\d+ moved, \d+ refused$/m)
    expect(stdout).toMatch(/^waived$/m)
    expect(stdout).toMatch(/^(released|advisory|blocked)$/m)
    expect(stdout).toMatch(/^Dana Whitfield: cashier$/m)
    expect(stdout).toMatch(/^receipt \d+$/m)
    expect(stdout).toMatch(/^paid: receipt \d+$/m)
    expect(stdout).toMatch(/^cash: 1323$/m)
  })

  test('when an aircraft goes down', async ({ url }) => {
    const log = join(await mkdtemp(join(tmpdir(), 'guide-')), 'requests')
    const counted = (script: string) => script.replace('api() {', `api() { echo "$1 $2" >> ${log};`)
    const stdout = await runGuide('when-an-aircraft-goes-down', url, counted)
    const requests = (await readFile(log, 'utf8')).trim().split('\n')
    // A client knows the id of the aircraft, and waits by reading the plan again.
    const needed = new Set(
      requests.map((line) => line.replace(/\d+/, '{id}')).filter((line) => line !== 'GET /resources'),
    )
    expect(needed.size, [...needed].join()).toBeLessThanOrEqual(5)
    expect(stdout).toMatch(/^[1-9]\d* displaced, [1-9]\d* kept, gap 0 %$/m)
    expect(stdout).toMatch(/^\d+ aircraft$/m)
    expect(stdout).toMatch(/^[1-9]\d* moved, 0 refused$/m)
  })

  test('planning maintenance', async ({ url }) => {
    const stdout = await runGuide('planning-maintenance', url)
    expect(stdout.match(/, \d+ displaced, \d+ lost, \d+ points$/gm)).toHaveLength(10)
    expect(stdout).toMatch(/^[1-9]\d* displaced, \d+ without a place$/m)
    expect(stdout).toContain('100-hour inspection is booked')
  })

  test('paying instructors', async ({ url }) => {
    const stdout = await runGuide('paying-instructors', url)
    expect(stdout).toContain('{"flight":4500,"ground":3100,"sim":3500}')
    expect(stdout).toMatch(/^Ivan Petrov: \d+ flights, \d+ cents$/m)
    expect(stdout).toMatch(/^pay Ivan Petrov \d+, 0 adjustments$/m)
    expect(stdout).toMatch(/^again: 0$/m)
  })

  test('ending a month', async ({ url }) => {
    const stdout = await runGuide('ending-a-month', url)
    expect(stdout).toContain('Sales tax: 10.25 %')
    expect(stdout).toMatch(/^receipt \d+: 100000$/m)
    expect(stdout).toContain('active: 5 hours')
    expect(stdout).toMatch(/^\d+ invoices to raise$/m)
    // 10.25 % of 4,000; a quarter of the 4,410 is credited, 1,103 rounded, with 103 of the tax.
    expect(stdout).toContain('4000 + 410 of tax = 4410')
    expect(stdout).toMatch(/^credit note \d+: 1103, of this 103 of tax$/m)
    expect(stdout).toMatch(/^\d+ cents to credit$/m)
    const [, owed, closing] = /^owed: (-?\d+), on the statement: (-?\d+)$/m.exec(stdout) ?? []
    expect([owed, Number(owed)]).toEqual([closing, expect.any(Number)])
  })

  test('bringing a school in', async ({ url, workers }) => {
    // Of the 468 bookings the first 39: each is judged by all rules.
    const files = 'npm run -s demo:files -- "$FILES"'
    const fewer = `${files}; sed -i '41,$d' "$FILES/reservations.csv"`
    const stdout = await runGuide('bringing-a-school-in', url, (script) => script.replace(files, fewer))
    const lines = stdout.split('\n').filter((line) => / created, /.test(line))
    expect(lines).toEqual([
      'locations: 1 created, 0 updated, 1 unchanged, 0 refused',
      'currencies: 2 created, 0 updated, 0 unchanged, 0 refused',
      'members: 120 created, 0 updated, 0 unchanged, 0 refused',
      'members: 120 created, 0 updated, 0 unchanged, 0 refused',
      'resources: 8 created, 0 updated, 0 unchanged, 0 refused',
      'balances: 88 created, 0 updated, 22 unchanged, 0 refused',
      'currency_records: 216 created, 0 updated, 0 unchanged, 0 refused',
      'balances: 0 created, 0 updated, 1 unchanged, 2 refused',
      'approvals: 46 created, 0 updated, 0 unchanged, 0 refused',
      'reminders: 24 created, 8 updated, 0 unchanged, 0 refused',
      'endorsements: 36 created, 0 updated, 0 unchanged, 0 refused',
      'enrollments: 48 created, 76 updated, 0 unchanged, 0 refused',
      'reservations: 39 created, 0 updated, 0 unchanged, 0 refused',
      'members: 0 created, 0 updated, 120 unchanged, 0 refused',
    ])
    expect(stdout).toContain('M-1013,15.00,"amountCents: must be whole cents, such as 18500 for 185.00"')
    expect(stdout).toMatch(/invited\n$/)
    // Nobody of the school is mailed but who is invited at the end.
    const mailed = () => workers.mails().flatMap(({ to }) => to.map(({ address }) => address))
    await expect.poll(() => mailed().filter((address) => address.endsWith('@example.com'))).toHaveLength(1)
  })
})
