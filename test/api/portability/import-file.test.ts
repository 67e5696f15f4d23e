import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { purgeExpiredProcessor } from '../../../src/workers/platform/platform.processor.ts'
import { awaitImportFileProcessor } from '../../../src/workers/portability/imports/await-file.processor.ts'
import { NOW, type TestApp } from '../../support/app.ts'
import { buildSchool } from '../../support/builders.ts'
import { exportOf } from '../../support/exports.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { importAs, readImportOf } from '../../support/imports.ts'
import { type OperationAnswer, work } from '../../support/operations.ts'
import { type SignedPost, uploadTo } from '../../support/uploads.ts'

interface Started {
  data: OperationAnswer
  signedUrlData: SignedPost[]
}

function toolsOf({ core }: TestApp): JobTools {
  const transaction: JobTools['transaction'] = async (run) =>
    (await inTransaction(core.database, core.clock, run)).result
  const log = { info: () => undefined }
  return { database: core.database, storage: core.storage, clock: core.clock, transaction, log } as unknown as JobTools
}

const test = schoolTest()
  .extend('start', ({ api, school }) => async (body: object): Promise<Started> => {
    const response = await api.as(school.admin).post('/imports', body)
    expect(response.statusCode, response.body).toBe(202)
    return response.json()
  })
  .extend('lookAt', ({ api, school }) => async (id: number) => {
    const of = { organizationId: school.organizationId, operationId: id }
    await awaitImportFileProcessor(of, toolsOf(api), {} as never)
    await work(api, of)
    return readImportOf(api, school.admin, id)
  })

test.beforeEach(({ api }) => {
  api.clock.now = NOW
})

const csv = 'name,airport\nReid-Hillview,KRHV\nPalo Alto,KPAO\n'

describe('an import of an uploaded file (§Imports)', () => {
  test('waits until the file is there, lets others pass, and is read from the storage', async ({
    api,
    school,
    start,
    lookAt,
  }) => {
    const { data, signedUrlData } = await start({ kind: 'locations', fileName: 'Fields.CSV' })
    expect(data.status).toBe('queued')
    expect((await lookAt(data.id)).operation).toMatchObject({ status: 'queued', progress: { total: 0 } })
    const other = await importAs(api, school.admin, { kind: 'locations', text: 'name\nBefore it\n' })
    expect(other.operation.status).toBe('done')
    expect(await uploadTo(api, signedUrlData[0]!, Buffer.from(csv))).toBe(204)
    expect(await uploadTo(api, signedUrlData[0]!, Buffer.from('name\nReplaced\n'))).toBe(403)
    const { operation, outcomes } = await lookAt(data.id)
    expect([operation.status, outcomes]).toEqual(['done', ['created', 'created']])
    const { rows } = await api.core.database.pool.query(
      "select input #>> '{read,sha256}' as sha, (select count(*)::int from import_file f where f.operation_id = o.id) as left from operation o where id = $1",
      [data.id],
    )
    expect(rows).toEqual([{ sha: createHash('sha256').update(csv).digest('hex'), left: 0 }])
  })

  test('is of JSON as well, which is read object by object', async ({ api, start, lookAt }) => {
    const { data, signedUrlData } = await start({ kind: 'members', fileName: 'members.json' })
    const rows = Array.from({ length: 1_500 }, (_, at) => ({
      name: `Ana Ruiz ${at}`,
      ...(at % 2 && { role: 'renter' }),
    }))
    await uploadTo(api, signedUrlData[0]!, Buffer.from(JSON.stringify(rows, null, 1)))
    const { operation } = await lookAt(data.id)
    expect(operation).toMatchObject({ status: 'done', succeeded: 1_500, failed: 0 })
  })

  test('brings back a file of an export that is larger than a body may be', async ({ api, school, start, lookAt }) => {
    const signed = new Date('2026-01-05T15:00:00Z').getTime()
    // Two hundred texts of 5,000 characters: more than 900 KiB, which are 921,600 bytes.
    const rows = Array.from({ length: 200 }, (_, at) => ({
      member: 'M-1',
      title: `Solo ${at}`,
      text: `${at} ${'may fly alone '.repeat(400)}`.slice(0, 4_999),
      signedAt: new Date(signed + at * 60_000).toISOString(),
      signerName: 'Isabel Soto',
    }))
    const other = await buildSchool(api)
    const member = { kind: 'members', rows: [{ externalId: 'M-1', name: 'Ana Ruiz' }] }
    for (const admin of [school.admin, other.admin]) await importAs(api, admin, member)
    for (const some of [rows.slice(0, 100), rows.slice(100)]) {
      const { outcomes } = await importAs(api, other.admin, { kind: 'endorsements', rows: some })
      expect(outcomes).toEqual(some.map(() => 'created'))
    }
    const { files } = await exportOf(api, other.owner)
    const file = files.get('import/endorsements.csv')!
    expect(file.length).toBeGreaterThan(900 * 1024)
    const { data, signedUrlData } = await start({ kind: 'endorsements', fileName: 'endorsements.csv' })
    await uploadTo(api, signedUrlData[0]!, file)
    expect((await lookAt(data.id)).operation).toMatchObject({
      status: 'done',
      succeeded: 200,
      result: { created: 200 },
    })
    const texts = async (organizationId: number) => {
      const read =
        'select title, rendered_text, signed_at, signer_name from endorsement where organization_id = $1 order by signed_at'
      return (await api.core.database.pool.query(read, [organizationId])).rows
    }
    expect(await texts(school.organizationId)).toEqual(await texts(other.organizationId))
    const second = await start({ kind: 'endorsements', fileName: 'endorsements.csv' })
    await uploadTo(api, second.signedUrlData[0]!, file)
    expect((await lookAt(second.data.id)).operation).toMatchObject({ result: { created: 0, unchanged: 200 } })
  })

  test('fails when an hour passes without the file', async ({ api, start, lookAt }) => {
    const { data } = await start({ kind: 'locations', fileName: 'fields.csv' })
    api.clock.now = new Date(NOW.getTime() + 3_599_000)
    expect((await lookAt(data.id)).operation.status).toBe('queued')
    api.clock.now = new Date(NOW.getTime() + 3_601_000)
    const { operation } = await lookAt(data.id)
    expect(operation).toMatchObject({ status: 'failed', result: { error: { code: 'FILE_MISSING' } } })
  })

  test('is refused for a file of another type, and for more than one of rows, text and fileName', async ({
    api,
    school,
  }) => {
    const status = async (body: object) => {
      const response = await api.as(school.admin).post('/imports', { kind: 'locations', ...body })
      return [response.statusCode, response.json().message]
    }
    expect(await status({ fileName: 'fields.xlsx' })).toEqual([400, 'fileName: must end in .csv or .json'])
    expect((await status({ fileName: 'fields.csv', text: csv }))[0]).toBe(400)
    expect((await status({}))[0]).toBe(400)
  })

  test.for([
    ['objects that are 21 deep', `[{"name":${'['.repeat(20)}1${']'.repeat(20)}}]`, 'TOO_DEEP'],
    ['a nest without an end', `[{"name":${'['.repeat(100_000)}`, 'TOO_DEEP'],
    ['one object', '{"name":"Hayward"}', 'NOT_JSON'],
    ['half an array', '[{"name":"Hayward"},', 'NOT_JSON'],
    ['numbers', '[1,2]', 'NOT_JSON'],
    ['a key with a control character', '[{"name":"Hayward","a\\u0000":1}]', 'COLUMNS_DO_NOT_FIT'],
    ['half a character as a key', '[{"name":"Hayward","\\ud800":1}]', 'COLUMNS_DO_NOT_FIT'],
    ['201 keys', JSON.stringify(Array.from({ length: 201 }, (_, at) => ({ [`c${at}`]: 1 }))), 'TOO_MANY_COLUMNS'],
    ['lists of nothing', `[{"name":[${'{},'.repeat(20_000)}{}]}]`, 'ROW_TOO_LARGE'],
    ['text', 'name,airport', 'NOT_JSON'],
  ] as const)('of JSON is refused cleanly: %s', async ([, text, code], { api, start, lookAt }) => {
    const { data, signedUrlData } = await start({ kind: 'locations', fileName: 'fields.json' })
    await uploadTo(api, signedUrlData[0]!, Buffer.from(text))
    expect((await lookAt(data.id)).operation).toMatchObject({ status: 'failed', result: { error: { code } } })
  })

  test('a cell that is too long, or holds control characters, refuses its row, also in a column that is not read', async ({
    api,
    school,
    start,
    lookAt,
  }) => {
    const { data, signedUrlData } = await start({ kind: 'locations', fileName: 'fields.csv' })
    const file = `name,paint\nLivermore,${'x'.repeat(33_000)}\nByron,\u0000\nTracy,${'x'.repeat(32_768)}\n`
    await uploadTo(api, signedUrlData[0]!, Buffer.from(file))
    const { rows } = await lookAt(data.id)
    expect(rows.map(({ outcome, problems }) => [outcome, ...problems])).toEqual([
      ['refused', { column: 'paint', message: 'has more than 32 KiB' }],
      [
        'refused',
        {
          column: 'paint',
          message: 'must be text: it holds control characters, marks that turn the direction of text, or an object',
        },
      ],
      ['created'],
    ])
    const errors = await api.as(school.admin).get(`/imports/${data.id}/errors`)
    expect(errors.body).toContain(`Livermore,${'x'.repeat(32_769)},paint: has more than 32 KiB\r\n`)
  })

  test('fails when the storage has other bytes at the second reading, and nothing of either is written', async ({
    api,
    school,
    start,
  }) => {
    const { data, signedUrlData } = await start({ kind: 'locations', fileName: 'fields.json' })
    await uploadTo(api, signedUrlData[0]!, Buffer.from('[{"name":"First"}]'))
    await awaitImportFileProcessor(
      { organizationId: school.organizationId, operationId: data.id },
      toolsOf(api),
      {} as never,
    )
    let reads = 0
    const { storage } = api.core
    const replaced: typeof storage = Object.assign(Object.create(storage), {
      read: async (key: string) =>
        reads++ === 0 ? storage.read(key) : Readable.from([Buffer.from('[{"name":"Other"}]')]),
    })
    const between = { ...api, core: { ...api.core, storage: replaced } }
    await work(between, { organizationId: school.organizationId, operationId: data.id })
    const { operation, rows } = await readImportOf(api, school.admin, data.id)
    expect(operation).toMatchObject({ status: 'failed', result: { error: { code: 'FILE_CHANGED' } } })
    expect([reads, rows]).toEqual([2, []])
  })

  test('that the storage lost fails, and says so', async ({ api, school, start }) => {
    const { data, signedUrlData } = await start({ kind: 'locations', fileName: 'fields.csv' })
    await uploadTo(api, signedUrlData[0]!, Buffer.from(csv))
    const of = { organizationId: school.organizationId, operationId: data.id }
    await awaitImportFileProcessor(of, toolsOf(api), {} as never)
    await api.core.storage.removeAll(school.organizationId)
    await work(api, of)
    const { operation } = await readImportOf(api, school.admin, data.id)
    expect(operation).toMatchObject({ status: 'failed', result: { error: { code: 'FILE_MISSING' } } })
    expect(operation.result?.error).toMatchObject({ message: expect.stringContaining('no longer in the storage') })
  })

  test('what was sent, and the rows with their cells, are deleted after a day', async ({ api, school, start }) => {
    const { data } = await start({ kind: 'locations', fileName: 'late.csv' })
    const done = await importAs(api, school.admin, { kind: 'locations', text: 'name\nShort-lived\n' })
    const left = async () => {
      const { rows } = await api.core.database.pool.query<{ files: number; cells: number }>(
        `select (select count(*)::int from import_file where operation_id = $1) as files,
          (select count(*)::int from import_row where operation_id = $2) as cells`,
        [data.id, done.operation.id],
      )
      return rows[0]
    }
    api.clock.now = new Date(NOW.getTime() + 23 * 3_600_000)
    await purgeExpiredProcessor({}, toolsOf(api), {} as never)
    expect(await left()).toEqual({ files: 1, cells: 1 })
    api.clock.now = new Date(NOW.getTime() + 25 * 3_600_000)
    await purgeExpiredProcessor({}, toolsOf(api), {} as never)
    expect(await left()).toEqual({ files: 0, cells: 0 })
  })
})
