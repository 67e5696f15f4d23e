import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { purgeExpiredProcessor } from '../../../src/workers/platform/platform.processor.ts'
import { NOW } from '../../support/app.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { importAs } from '../../support/imports.ts'

const DAY_MS = 86_400_000

const test = schoolTest()
  .extend('purgeAfter', ({ api }) => async (days: number) => {
    const { database, storage } = api.core
    const clock = () => new Date(NOW.getTime() + days * DAY_MS)
    const transaction: JobTools['transaction'] = async (run) => (await inTransaction(database, clock, run)).result
    const log = { info: () => undefined }
    await purgeExpiredProcessor({}, { database, storage, clock, transaction, log } as unknown as JobTools, {} as never)
  })
  .extend('tablesWith', ({ api }) => async (mark: string) => {
    const { pool } = api.core.database
    const { rows } = await pool.query<{ name: string }>(`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
    const found = await Promise.all(
      rows.map(async ({ name }) => {
        const { rowCount } = await pool.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [`%${mark}%`])
        return rowCount ? [name.replace('public.', '')] : []
      }),
    )
    return found.flat().sort()
  })

const header =
  'externalId,name,email,phone,roles,birthDate,certificateGrade,certificateNumber,emergencyContactName,emergencyContactPhone,notes'

describe('what an import of members keeps of a profile (§Imports)', () => {
  test('of a row that is refused: nothing after a day, not even in what is wrong with it', async ({
    api,
    school,
    purgeAfter,
    tablesWith,
  }) => {
    const mark = 'quokka'
    const long = mark.repeat(100)
    const rows = [
      `R-1,Ana,ana@,1,student,${mark}-1994,private,1,Luis,1,`,
      `R-2,Bea,${mark} at home,1,student,1994-03-14,private,1,Luis,1,`,
      `R-3,Cy,cy@example.com,${long},student,1994-03-14,private,1,Luis,1,`,
      `R-4,Di,di@example.com,1,student,1994-03-14,${mark},1,Luis,1,`,
      `R-5,Ed,ed@example.com,1,student,1994-03-14,private,${long},Luis,1,`,
      `R-6,Flo,flo@example.com,1,student,1994-03-14,private,1,${long},1,`,
      `R-7,Gus,gus@example.com,1,student,1994-03-14,private,1,Luis,${long},`,
      `R-8,${long},hal@example.com,1,student,1994-03-14,private,1,Luis,1,`,
      `R-9,Ida,ida@example.com,1,${mark},1994-03-14,private,1,Luis,1,`,
      `R-10,Jo,${mark}@example.com,1,owner,1994-03-14,private,1,Luis,1,`,
      `R-11,Kim,kim@example.com,1,student,2994-03-14,private,1,Luis,1,${mark}`,
      `R-12,Lou,${mark}@example.com,1,student,1994-03-14,private,1,Luis,1,`,
    ]
    const text = [header, ...rows, ''].join('\n')
    const { outcomes } = await importAs(api, school.admin, { kind: 'members', text })
    expect(outcomes).toEqual(rows.map(() => 'refused'))
    expect(await tablesWith(mark)).toEqual(['import_row'])
    await purgeAfter(23 / 24)
    expect(await tablesWith(mark)).toEqual(['import_row'])
    await purgeAfter(25 / 24)
    expect(await tablesWith(mark)).toEqual([])
  })

  test('of a row that is done: its cells go after a day, and the member has the only copy of a profile', async ({
    api,
    school,
    purgeAfter,
    tablesWith,
  }) => {
    const marks = { contact: 'Wombat Ruiz', phone: '+1 510 555 7319', certificate: '7319731' }
    const text = `${header}\nD-1,Ana Ruiz,,,student,1994-03-14,private,${marks.certificate},${marks.contact},${marks.phone},\n`
    const { outcomes } = await importAs(api, school.admin, { kind: 'members', text })
    expect(outcomes).toEqual(['created'])
    const where = () => Promise.all(Object.values(marks).map(tablesWith))
    expect(await where()).toEqual(Object.keys(marks).map(() => ['import_row', 'member_profile']))
    await purgeAfter(25 / 24)
    expect(await where()).toEqual(Object.keys(marks).map(() => ['member_profile']))
  })

  test('of a file that could not be read: nothing after a day', async ({ api, school, purgeAfter, tablesWith }) => {
    const headless = 'Numbat Ruiz,numbat@example.com\nNumbat Lund,numbat@example.com\n'
    const { operation } = await importAs(api, school.admin, { kind: 'members', text: headless })
    expect(operation).toMatchObject({ status: 'failed', result: { error: { code: 'COLUMNS_DO_NOT_FIT' } } })
    expect(await tablesWith('numbat')).toEqual(['import_file'])
    await purgeAfter(25 / 24)
    expect(await tablesWith('numbat')).toEqual([])
  })
})
