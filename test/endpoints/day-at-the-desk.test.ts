import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { buildDemoSchool } from '../../src/local/demo/school/build-school.ts'
import { root } from '../support/command-line.ts'
import { workersTest } from '../support/fixtures.ts'

const run = promisify(execFile)
const test = workersTest({ realTime: true })

test('the commands of the guide work one after another on the demo school', async ({ api }) => {
  const { database, clock } = api.core
  const keys = JSON.parse(api.config.AUTH_KEYS ?? '')
  await buildDemoSchool({ database, clock, keys, invoices: true, receiverUrl: 'http://127.0.0.1:12112', files: true })
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const guide = await readFile(join(root, 'docs/guides/day-at-the-desk.md'), 'utf8')
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  const script = commands.join('\n').replace('http://localhost:3000', url)
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env: { ...process.env, PATH } })
  expect(stdout).toMatch(/^grounded: \d+$/m)
  expect(stdout).toMatch(/^\d+ moved, \d+ refused$/m)
  expect(stdout).toMatch(/^(released|advisory|blocked)$/m)
})
