import { describe, expect } from 'vitest'
import { importKindNames, kindOf, templateOf } from '../../../src/shared/portability/imports/find-import-kind.ts'
import { readRow } from '../../../src/shared/portability/reading/columns.rules.ts'
import { matchHeader } from '../../../src/shared/portability/reading/header.rules.ts'
import { buildMember } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs, readImportOf, startImportAs } from '../../support/imports.ts'
import { work } from '../../support/operations.ts'

const test = schoolTest()

const twoFields =
  'externalId;Name;Airport;Zip;Country\r\nL-1;Livermore Municipal;klvk;94551;us\r\n;Reid-Hillview;KRHV;;\r\n'

interface Named {
  id: number
  name: string
}

describe('an import (§Imports)', () => {
  test('creates, updates and leaves records, and the same file twice changes nothing', async ({ api, school }) => {
    const { admin } = school
    const first = await importAs(api, admin, { kind: 'locations', text: twoFields })
    expect(first.operation).toMatchObject({
      kind: 'import',
      status: 'done',
      progress: { done: 2, total: 2 },
      succeeded: 2,
      failed: 0,
      result: {
        kind: 'locations',
        dryRun: false,
        applied: true,
        created: 2,
        updated: 0,
        refused: 0,
        dateFormat: 'iso',
      },
    })
    const all = await expectOk<Named[]>(api, admin, 'GET', '/locations')
    expect(all).toContainEqual(
      expect.objectContaining({
        id: first.rows[0]!.id,
        name: 'Livermore Municipal',
        airportIdentifier: 'KLVK',
        address: { postalCode: '94551', country: 'US' },
      }),
    )
    const again = await importAs(api, admin, { kind: 'locations', text: twoFields })
    expect(again.rows).toMatchObject([
      { row: 1, outcome: 'unchanged', id: first.rows[0]!.id, externalId: 'L-1', problems: [] },
      { row: 2, outcome: 'unchanged', id: first.rows[1]!.id, externalId: null },
    ])
    const rows = [
      { externalId: 'L-1', name: 'Livermore' },
      { name: 'reid-hillview', airport: '' },
    ]
    const changed = await importAs(api, admin, { kind: 'locations', rows })
    expect(changed.outcomes).toEqual(['updated', 'updated'])
    expect(await expectOk<Named[]>(api, admin, 'GET', '/locations')).toHaveLength(all.length)
  })

  test('refuses rows in plain words and does the rest; they come back to be mended', async ({ api, school }) => {
    const { admin } = school
    const text = 'name,airport,Paint,problem\nHayward,KHWD,red,\n,Airport!,blue,old\nHAYWARD,KHWD,,\n=1+1,KPAO,,\n'
    const { operation, rows } = await importAs(api, admin, { kind: 'locations', text })
    expect(rows.map(({ outcome, problems }) => [outcome, problems])).toEqual([
      ['created', []],
      [
        'refused',
        [
          { column: 'name', message: 'is missing' },
          { column: 'airportIdentifier', message: 'must be an airport code such as KHWD' },
        ],
      ],
      ['refused', [{ column: null, message: 'is the same as in row 1; a file can have each record only once' }]],
      ['created', []],
    ])
    expect(operation).toMatchObject({ succeeded: 2, failed: 2, result: { refused: 2, ignoredColumns: ['Paint'] } })
    const file = await api.as(admin).get(`/imports/${operation.id}/errors`)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(file.body.trim().split('\r\n')).toEqual([
      'name,airport,Paint,problem',
      ',Airport!,blue,name: is missing; airportIdentifier: must be an airport code such as KHWD',
      'HAYWARD,KHWD,,is the same as in row 1; a file can have each record only once',
    ])
    expect((await importAs(api, admin, { kind: 'locations', text: file.body })).outcomes).toEqual([
      'refused',
      'updated',
    ])
  })

  test('shows in a dry run what it would do, and writes nothing', async ({ api, school }) => {
    const { admin } = school
    const before = await expectOk<Named[]>(api, admin, 'GET', '/locations')
    const { operation, rows } = await importAs(api, admin, { kind: 'locations', text: twoFields, dryRun: true })
    expect(rows).toMatchObject([
      { outcome: 'created', id: null },
      { outcome: 'created', id: null },
    ])
    expect(operation.result).toMatchObject({ dryRun: true, applied: false, created: 2 })
    expect(await expectOk<Named[]>(api, admin, 'GET', '/locations')).toHaveLength(before.length)
  })

  test('writes all or nothing when it is atomic', async ({ api, school }) => {
    const { admin } = school
    const rows = [{ name: 'Livermore' }, { name: 'Skyhawk', airport: '?' }]
    const { operation, outcomes } = await importAs(api, admin, { kind: 'locations', rows, atomic: true })
    expect(outcomes).toEqual(['unchanged', 'refused'])
    expect(operation.result).toMatchObject({ applied: false })
    const late = [
      { name: 'A', kind: 'room' },
      { name: 'B', location: 'Nowhere' },
    ]
    const resources = await importAs(api, admin, { kind: 'resources', rows: late, atomic: true })
    expect(resources.rows).toMatchObject([
      { outcome: 'unchanged', id: null },
      { outcome: 'refused', problems: [{ column: 'location', message: expect.stringContaining('import locations') }] },
    ])
    const names = (await expectOk<Named[]>(api, admin, 'GET', '/resources')).map(({ name }) => name)
    expect(names).not.toContain('A')
  })

  test('begins again where a killed worker left it, every row once', async ({ api, school }) => {
    const { admin } = school
    const rows = Array.from({ length: 250 }, (_, at) => ({ name: `Field ${at}` }))
    const { id } = await startImportAs(api, admin, { kind: 'locations', rows })
    const of = { organizationId: admin.organizationId, operationId: id }
    for (const transactions of [1, 3, 4]) await expect(work(api, of, transactions)).rejects.toThrow('killed')
    await work(api, of)
    const { outcomes } = await readImportOf(api, admin, id)
    expect(outcomes).toHaveLength(100 + 150)
    expect(new Set(outcomes)).toEqual(new Set(['created']))
    const all = await expectOk<Named[]>(api, admin, 'GET', '/locations?limit=1000')
    expect(all.filter(({ name }) => name.startsWith('Field '))).toHaveLength(250)
  })
})

describe('a file that cannot be read fails as a whole, in words', () => {
  test.for([
    ['NO_HEADER', { text: '\n\n' }, 'The file is empty'],
    ['COLUMNS_DO_NOT_FIT', { text: 'airport\nKHWD\n' }, 'These columns are missing: name.'],
    ['QUOTE_NOT_CLOSED', { text: 'name\n"Hayward\n' }, 'in the row of line 2'],
    ['NOT_JSON', { format: 'json', text: '{"name":' }, 'not a JSON array'],
    ['TOO_MANY_ROWS', { text: `name\n${'a\n'.repeat(50_001)}` }, 'more than 50000 rows'],
  ] as const)('%s', async ([code, body, words], { api, school }) => {
    const { operation, rows } = await importAs(api, school.admin, { kind: 'locations', ...body })
    expect(operation).toMatchObject({ status: 'failed', progress: { total: 0 }, result: { error: { code } } })
    expect((operation.result as { error: { message: string } }).error.message).toContain(words)
    expect(rows).toEqual([])
  })

  test('AMBIGUOUS_DATES, with the two readings', async ({ api, school }) => {
    const text = 'name,birth date\nAna Ruiz,03/04/1994\n'
    const { operation } = await importAs(api, school.admin, { kind: 'members', text })
    expect(operation).toMatchObject({
      status: 'failed',
      result: {
        error: {
          code: 'AMBIGUOUS_DATES',
          message: expect.stringContaining('“03/04/1994” is 1994-03-04 with the month first and 1994-04-03'),
          details: {
            readings: [
              { format: 'mdy', example: '1994-03-04' },
              { format: 'dmy', example: '1994-04-03' },
            ],
          },
        },
      },
    })
    const mixed = `${text}Bea Lund,14/03/1994\nCy Dow,03/14/1994\n`
    expect((await importAs(api, school.admin, { kind: 'members', text: mixed })).operation.result).toMatchObject({
      error: { code: 'AMBIGUOUS_DATES', message: expect.stringContaining('Some dates') },
    })
    const said = await importAs(api, school.admin, { kind: 'members', text, dateFormat: 'dmy' })
    expect(said.outcomes).toEqual(['created'])
  })
})

describe('imports', () => {
  test('have a template for each kind', async ({ api, school }) => {
    const template = await api.as(school.admin).get('/imports/templates/members')
    expect(template.body).toContain(
      'externalId,name,email,phone,roles,birthDate,certificateGrade,certificateNumber,emergencyContactName,emergencyContactPhone,taxExempt,flightPayCents,groundPayCents,simPayCents,billTo\r\n',
    )
    expect(
      (await importAs(api, school.admin, { kind: 'members', text: template.body, dryRun: true })).outcomes,
    ).toEqual(['created'])
    for (const kind of importKindNames) {
      const [names, cells] = templateOf(kind)
      const { columns } = kindOf(kind)
      const header = matchHeader(columns, names)
      if ('problem' in header) throw new Error(header.problem)
      expect(readRow(columns, header, cells, { order: 'iso', zone: 'UTC' }), kind).toHaveProperty('row')
    }
    const unknown = await api.as(school.admin).get('/imports/templates/boats')
    expect(unknown.json()).toMatchObject({ message: expect.stringContaining('There are: locations, resources,') })
  })

  test('take exactly one of rows, text and fileName, and at most a thousand rows', async ({ api, school }) => {
    const both = await api.as(school.admin).post('/imports', { kind: 'locations', rows: [{}], text: 'name' })
    expect(both.json()).toMatchObject({ message: 'rows: give exactly one of rows, text and fileName' })
    const rows = Array.from({ length: 1_001 }, () => ({ name: 'a' }))
    expect((await api.as(school.admin).post('/imports', { kind: 'locations', rows })).statusCode).toBe(400)
  })

  test('wait for one another, ten at most; rows are for who started it, and owners', async ({ api, school }) => {
    const { admin, organizationId } = school
    const rows = [{ name: 'Livermore' }]
    const { id } = await startImportAs(api, admin, { kind: 'locations', rows })
    for (let at = 0; at < 10; at++) await startImportAs(api, admin, { kind: 'locations', rows })
    const more = await api.as(admin).post('/imports', { kind: 'locations', rows })
    expect(more.json()).toMatchObject({
      message: '10 imports are already waiting. Please try again when some are done.',
    })
    const other = await buildMember(api, organizationId, ['admin'])
    const owner = await buildMember(api, organizationId, ['owner', 'admin'])
    expect((await api.as(other).get(`/operations/${id}`)).statusCode).toBe(200)
    for (const url of [`/operations/${id}/rows`, `/imports/${id}/errors`]) {
      expect((await api.as(other).get(url)).statusCode).toBe(404)
      expect((await api.as(owner).get(url)).statusCode).toBe(200)
    }
  })
})
