import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildMember, buildSchool, type Member } from '../support/builders.ts'
import { expectOk } from '../support/flights.ts'
import { startImportAs } from '../support/imports.ts'
import type { OperationAnswer } from '../support/operations.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess, type TestProcess } from '../support/processes.ts'
import { type SignedPost, uploadTo } from '../support/uploads.ts'
import { hasTimeFor } from './drill-time.ts'
import { mostMemory } from './most-memory.ts'

const MEMBERS = Number(process.env.DRILL_MEMBERS ?? 10_000)
const MOST_BYTES = 25 * 1024 * 1024
const KILLS = Number(process.env.DRILL_KILLS ?? 5)
/** Rows of the largest files: with 20,000 a reader that kept them all would not fit. */
const WIDE = Number(process.env.DRILL_WIDE ?? 20_000)
const MOST_SECONDS = 60
const MOST_MEBIBYTES = 256
const failedBy = (code: string) => ({ status: 'failed', result: { error: { code } } })
/** The heap of the worker: without a bound it is cleaned up late, not because more is needed. */
const inside = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=4' }

describe('an import of members', () => {
  let postgres: OwnPostgres
  let api: TestApp
  let worker: TestProcess
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    api = await startTestApp({ databaseUrl: postgres.url, realTime: true })
    worker = await startWorkerProcess(api.config, inside)
  })
  afterAll(async () => {
    await worker?.terminate()
    await api.close()
    await postgres.stop()
  })

  const start = async () => {
    const { organizationId } = await buildSchool(api)
    const owner = await buildMember(api, organizationId, ['owner', 'admin'])
    return { owner, ...(await startImportAs(api, owner, { kind: 'members', text: fileOf(MEMBERS) })) }
  }
  const progress = async (owner: Member, id: number) =>
    expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${id}`)
  const end = async (owner: Member, id: number) => {
    for (;;) {
      const operation = await progress(owner, id)
      if (operation.status === 'done' || operation.status === 'failed') return operation
      await pause(100)
    }
  }

  test(`of ${MEMBERS} rows takes a minute and ${MOST_MEBIBYTES} MiB at most`, async () => {
    const idle = mostMemory(worker.pid)
    const before = performance.now()
    const { owner, id } = await start()
    const operation = await end(owner, id)
    const seconds = (performance.now() - before) / 1_000
    const mebibytes = mostMemory(worker.pid)
    console.log(
      `${MEMBERS} members: ${seconds.toFixed(1)} s, at most ${mebibytes} MiB in the worker, which had ${idle} MiB before`,
    )
    expect(operation).toMatchObject({ status: 'done', result: { created: MEMBERS, refused: 0 } })
    const again = performance.now()
    const second = await startImportAs(api, owner, { kind: 'members', text: fileOf(MEMBERS) })
    expect(await end(owner, second.id)).toMatchObject({ result: { created: 0, updated: 0, unchanged: MEMBERS } })
    console.log(`the same file again: ${((performance.now() - again) / 1_000).toFixed(1)} s`)
    expect(seconds).toBeLessThanOrEqual(MOST_SECONDS)
    expect(mebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES)
  })

  test(`whose worker is killed ${KILLS} times writes every row once`, async () => {
    const { owner, id } = await start()
    for (let kill = 1; kill <= KILLS && hasTimeFor(`kills ${kill} to ${KILLS}`); kill += 1) {
      const share = (kill / (KILLS + 1)) * MEMBERS
      while ((await progress(owner, id)).progress.done < share) await pause(50)
      await worker.kill()
      worker = await startWorkerProcess(api.config, inside)
    }
    expect(await end(owner, id)).toMatchObject({ status: 'done', succeeded: MEMBERS, failed: 0 })
    const { rows } = await api.core.database.pool.query<{ members: number; names: number; profiles: number }>(
      `select count(*)::int as members, count(distinct m.external_id)::int as names, count(p.id)::int as profiles
       from membership m left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
       where m.organization_id = $1 and m.account_id is null`,
      [owner.organizationId],
    )
    expect(rows).toEqual([{ members: MEMBERS, names: MEMBERS, profiles: MEMBERS }])
  })
})

describe('an uploaded file of 25 MiB', () => {
  let postgres: OwnPostgres
  let api: TestApp
  let worker: TestProcess | undefined
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    api = await startTestApp({ databaseUrl: postgres.url, realTime: true })
  })
  afterAll(async () => {
    await worker?.kill()
    await api.close()
    await postgres.stop()
  })

  const pad = (text: string, filler: string, end: string) =>
    text + filler.repeat(Math.floor((MOST_BYTES - text.length - end.length) / filler.length)) + end
  const header = 'externalId,name,notes\n'
  /** Rows of some 1,200 bytes, most of them in a column that is not read. */
  const wide = Array.from({ length: WIDE }, (_, at) => ({
    externalId: `M-${at}`,
    name: `Ana Ruiz ${at}`,
    notes: 'He said "go" '.repeat(70),
  }))
  const inCsv = ({ externalId, name, notes }: (typeof wide)[0]) =>
    `${externalId},${name},"${notes.replaceAll('"', '""')}"\n`

  test.for([
    ['many members', 'm.csv', () => header + wide.map(inCsv).join(''), { status: 'done', succeeded: WIDE }],
    ['many members in JSON', 'm.json', () => JSON.stringify(wide), { status: 'done', succeeded: WIDE }],
    [
      'control characters',
      'm.csv',
      () => pad(header, `1,a,${'\u0001'.repeat(32_000)}\n`, ''),
      { status: 'done', succeeded: 0 },
    ],
    ['one cell', 'm.csv', () => pad(`${header}1,`, 'x', '\n'), failedBy('ROW_TOO_LARGE')],
    ['one text of JSON', 'm.json', () => pad('[{"name":"', 'x', '"}]'), failedBy('ROW_TOO_LARGE')],
    ['one key of JSON', 'm.json', () => pad('[{"', 'x', '":1}]'), failedBy('ROW_TOO_LARGE')],
    ['one number of JSON', 'm.json', () => pad('[{"name":', '1', '}]'), failedBy('ROW_TOO_LARGE')],
    ['empty objects in one', 'm.json', () => pad('[{"name":[', '{},', '{}]}]'), failedBy('ROW_TOO_LARGE')],
    ['empty objects', 'm.json', () => pad('[{"name":"a"},', '{},', '{}]'), failedBy('TOO_MANY_ROWS')],
    ['levels', 'm.json', () => pad('[{"name":', '[', ''), failedBy('TOO_DEEP')],
    ['delimiters', 'm.csv', () => pad(header, ',', '\n'), failedBy('TOO_MANY_COLUMNS')],
    ['blank lines', 'm.csv', () => pad(header, '\n', '1,Ana Ruiz,\n'), { status: 'done', succeeded: 1 }],
  ] as const)(`of %s is read in ${MOST_MEBIBYTES} MiB`, async ([what, fileName, text, expected]) => {
    if (!hasTimeFor(`a file of ${what}`)) return
    const { organizationId } = await buildSchool(api)
    const owner = await buildMember(api, organizationId, ['owner', 'admin'])
    const response = await api.as(owner).post('/imports', { kind: 'members', fileName })
    const { data, signedUrlData } = response.json() as { data: OperationAnswer; signedUrlData: SignedPost[] }
    const bytes = Buffer.from(text())
    expect(bytes.length).toBeLessThanOrEqual(MOST_BYTES)
    expect(await uploadTo(api, signedUrlData[0]!, bytes)).toBe(204)
    worker = await startWorkerProcess(api.config, inside)
    try {
      const before = performance.now()
      let operation: OperationAnswer
      do {
        await pause(200)
        operation = await expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${data.id}`)
      } while (worker.isAlive() && ['queued', 'running'].includes(operation.status))
      expect(worker.isAlive()).toBe(true)
      const mebibytes = mostMemory(worker.pid)
      const seconds = ((performance.now() - before) / 1_000).toFixed(1)
      console.log(`${(bytes.length / 1_048_576).toFixed(1)} MiB of ${what}: ${seconds} s, at most ${mebibytes} MiB`)
      expect(operation).toMatchObject(expected)
      expect(mebibytes).toBeLessThanOrEqual(MOST_MEBIBYTES)
    } finally {
      await worker.kill()
    }
  })
})

/** Returns a file of members, each with roles and a profile. */
function fileOf(members: number): string {
  const rows = Array.from(
    { length: members },
    (_, at) => `M-${at},Ana Ruiz ${at},m${at}@example.com,student renter,1994-03-14,private,Luis Ruiz`,
  )
  return ['externalId,name,email,roles,birthDate,certificateGrade,emergencyContactName', ...rows, ''].join('\n')
}
