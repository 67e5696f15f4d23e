import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { dualBody } from '../support/flights.ts'
import { CLONE, TEMPLATE } from '../support/global-setup.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { printTable, report } from './report.ts'

const HOUR = 3_600_000
/** Room for the migrated database, and little more. */
const DISK_MIB = 96
/** Booked before the disk is full, and tried again as often while it is. */
const BOOKINGS = 20

let folder: string
let postgres: OwnPostgres
let api: TestApp
let school: School

// Only root may mount a small disk of its own.
const asRoot = process.getuid?.() === 0

beforeAll(async () => {
  if (!asRoot) return
  folder = await mkdtemp(join(tmpdir(), 'flightline-disk-'))
  postgres = await startOwnPostgres()
  const [postmaster] = await postgres.pids()
  const { uid } = await stat(`/proc/${postmaster}`)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,uid=${uid}`, 'none', folder])
  api = await startTestApp({ databaseUrl: await onSmallDisk(postgres.adminUrl, postgres.url) })
  school = await buildSchool(api)
})
afterAll(async () => {
  if (!asRoot) return
  await api.close()
  await postgres.stop()
  execFileSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
  printTable()
})

/** Makes the migrated database on the small disk, the log of changes elsewhere. Returns the address of the database. */
async function onSmallDisk(adminUrl: string, serviceUrl: string): Promise<string> {
  const name = `${CLONE}disk`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create tablespace small location '${folder}'`)
  await admin.query(`create database ${name} template ${TEMPLATE} tablespace small`)
  await admin.end()
  return serviceUrl.replace(TEMPLATE, name)
}

test.runIf(asRoot)('F10: the disk of the database is full', async () => {
  const statuses: number[] = []
  for (let slot = 0; slot < BOOKINGS; slot++) statuses.push(await book(slot))
  const { bavail, bsize } = await statfs(folder)
  await writeFile(join(folder, 'filler'), Buffer.alloc(bavail * bsize))
  for (let slot = BOOKINGS; slot < 2 * BOOKINGS; slot++) statuses.push(await book(slot))
  const readable = (await api.call('GET', '/locations', { token: school.admin.token })).statusCode
  const accepted = statuses.filter((status) => status === 201).length

  await rm(join(folder, 'filler'))
  const freed = performance.now()
  const after = await book(2 * BOOKINGS)
  const { rows } = await api.core.database.pool.query<{ count: string }>('select count(*) from reservation')
  const result = report({
    fault: `F10: a full disk, ${statuses.filter((status) => status === 503).length} requests refused`,
    load: `${accepted} bookings accepted`,
    lost: accepted + 1 - Number(rows[0]!.count),
    doubled: 0,
    inWindow: 0,
    recoverySeconds: (performance.now() - freed) / 1_000,
  })
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  expect([readable, after, result.lost]).toEqual([200, 201, 0])
})

/** Books the slot. A refusal is in the envelope. */
async function book(slot: number): Promise<number> {
  const start = Date.UTC(2027, 0, 1) + slot * HOUR
  const [from, to] = [start, start + HOUR].map((at) => new Date(at).toISOString())
  const answer = await api.call('POST', '/reservations', {
    token: school.dispatcher.token,
    body: dualBody(school, { start: from!, end: to! }),
  })
  if (answer.statusCode === 503) expect(answer.json()).toHaveProperty('message')
  return answer.statusCode
}
