import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { tables } from '../../../src/shared/composition/tables.ts'
import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { newStorageKey } from '../../../src/shared/platform/adapters/storage/file-types.ts'
import type { ObjectStorage } from '../../../src/shared/platform/adapters/storage/storage.port.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { dropFiles } from '../../../src/shared/platform/operations/operation-file.access.ts'
import { unexportedColumns } from '../../../src/shared/portability/exports/export.queries.ts'
import { importFiles } from '../../../src/shared/portability/exports/import-files.queries.ts'
import { importKindNames, importKinds } from '../../../src/shared/portability/imports/find-import-kind.ts'
import type { TestApp } from '../../support/app.ts'
import { buildAccount, type Member } from '../../support/builders.ts'
import { exportOf } from '../../support/exports.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs } from '../../support/imports.ts'
import { type OperationAnswer, work } from '../../support/operations.ts'
import { buildTraining } from '../../support/training.ts'

const test = schoolTest()

const withStorage = (api: TestApp, storage: ObjectStorage): TestApp => ({ ...api, core: { ...api.core, storage } })

const csvOf = (rows: string[][]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')

/** What a school brings in, of each kind at least one record. */
const brought: [string, string][] = [
  ['locations', 'externalId,name,airportIdentifier,timeZoneName\nL-1,"=Hayward",KHWD,America/Los_Angeles\n'],
  [
    'resources',
    'name,tailNumber,make,model,location,hobbsTime,wetRateCents,pool\nSkyhawk,N5240T,Cessna,172S,L-1,4213.55,18500,Skyhawks\n',
  ],
  ['currencies', 'name,kind,roles\nClub check,expiring,renter\nCertificate,instructor_certificate,instructor\n'],
  [
    'members',
    'externalId,name,email,roles,birthDate,certificateGrade,taxExempt,flightPayCents,groundPayCents,simPayCents\n' +
      'M-1,Ana Ruiz,ana@example.com,student|renter,1994-03-14,student,yes,,,\n' +
      'M-2,Ina Soto,ina@example.com,instructor,,,,4500,3000,1\n,Cy Dow,,renter,,,,,,\n',
  ],
  ['approvals', 'member,resource,make,model\nM-1,N5240T,,\nM-2,,Cessna,172S\n'],
  [
    'currency_records',
    'member,currency,completedAt,expiresAt\nM-1,Club check,2026-02-10,never\nM-2,Club check,2026-02-11,2028-02-11\n',
  ],
  [
    'reminders',
    'resource,name,basis,intervalMonths,intervalHours,lastDoneAt,lastDoneReading,grounding\nN5240T,Annual,calendar,12,,2026-03-14,,yes\nN5240T,Oil,hobbs,,50,,4200,no\n',
  ],
  ['balances', 'member,amountCents\nM-1,-4200\nM-2,100000\n'],
  [
    'endorsements',
    'member,code,title,text,signedAt,signerName,signerCertificateNumber\nM-1,,Solo,"May fly\nalone",2026-02-10,Isabel Soto,3141592CFI\n',
  ],
  [
    'courses',
    csvOf([
      ['course', 'label', 'state', 'requirements', 'stages'],
      [
        '{"name":"Tailwheel","targetDays":30}',
        'Rev C',
        'published',
        '[{"id":7,"code":"LANDINGS","label":"Landings","minCount":10}]',
        '[{"name":"Wheels","lessons":[{"name":"Three points","kind":"flight","credits":[{"requirementId":7,"count":5}],"tasks":[{"name":"Flare"}]}]}]',
      ],
    ]),
  ],
  [
    'enrollments',
    'member,course,enrolledAt,requirementCode,deciHours,count,source,notes\nM-1,Private pilot,2026-01-12,HOURS,42,,transfer_61,\nM-1,Private pilot,2026-01-12,LANDINGS,,2,manual,Old book\n',
  ],
  [
    'reservations',
    'title,type,start,end,resource,instructors,students\nLesson 4,dual,2027-03-14T17:00:00Z,2027-03-14T19:00:00Z,N5240T,M-2,M-1\n',
  ],
]

const columns = {
  training_course: 'name, regulatory_part, target_days',
  syllabus_version: 'label, state, grading_scale',
  syllabus_requirement: 'code, label, min_tenths, min_count, source, max_transfer_bps',
  syllabus_stage: 'name, position, requires_stage_check',
  syllabus_lesson: 'name, position, kind, requires_signoff, requires_notes, is_stage_check',
  syllabus_task: 'name, position',
  syllabus_credit: 'clock, count',
  location: 'name, airport_identifier, time_zone_name',
  resource: 'name, tail_number, make, model, pool, hobbs_hundredths, wet_rate_cents',
  currency: 'name, kind, roles::text',
  membership:
    'search_name, search_email, student, renter, instructor, tax_exempt, flight_pay_cents, ground_pay_cents, sim_pay_cents',
  member_profile: "facts ->> 'birthDate', facts #>> '{pilotCertificate,grade}'",
  resource_approval: 'make, model, expires_at',
  currency_record: 'completed_at, expires_at, ended_on',
  maintenance_item: 'name, grounding',
  maintenance_limit: 'basis, interval_months, interval_hundredths, last_done_at, last_done_hundredths',
  ledger_entry: 'kind, amount_cents, balance_cents',
  endorsement: 'title, rendered_text, signed_at, signer_name, signer_certificate_number, template_code, expires_at',
  enrollment: 'status, created_at',
  credit_entry: 'source, tenths, count, occurred_at, notes',
  reservation: 'title, type, starts_at, ends_at, time_zone_name',
  seat: 'side, position',
}

/** Returns the records of an organization as the school knows them, without ids, and without the owner of the other one. */
async function recordsOf(api: TestApp, { organizationId }: Member, but: Member) {
  const records: Record<string, unknown[]> = {}
  for (const [table, read] of Object.entries(columns)) {
    const besides = table === 'membership' ? 'account_id is null and search_email <> $2' : "$2 <> ''"
    const { rows } = await api.core.database.pool.query(
      `select ${read} from ${table} where organization_id = $1 and ${besides} order by 1, 2`,
      [organizationId, but.email],
    )
    records[table] = rows
  }
  return records
}

/** Returns how far each student of an organization is in each course, by the names of both. */
async function standingsOf(api: TestApp, owner: Member) {
  const enrollments = await expectOk<{ id: number }[]>(api, owner, 'GET', '/training/enrollments')
  const standings: [string, object][] = []
  for (const { id } of enrollments) {
    const path = `/training/enrollments/${id}`
    const { student, course, standing } = await expectOk<{
      student: { name: string }
      course: { name: string }
      standing: { requirementId: number }[]
    }>(api, owner, 'GET', path)
    const withoutIds = standing.map(({ requirementId, ...rest }) => rest)
    standings.push([`${student.name}, ${course.name}`, withoutIds])
  }
  return standings.sort()
}

/** Founds an organization that has its owner and a course, and nothing else. */
async function found(api: TestApp): Promise<Member> {
  const account = await buildAccount(api)
  const founded = await expectOk<{ token: string; user: { orgUserId: number } }>(
    ...([api, account, 'POST', '/organizations'] as const),
    {
      name: 'Skyway',
      organizationType: 'flight_school',
      details: { email: 'desk@skyway.example', phone: '+1 555 0100', address: {} },
      location: { name: 'North Field', address: {}, timeZoneName: 'America/New_York' },
    },
  )
  const { rows } = await api.core.database.pool.query(
    'select organization_id as "organizationId" from membership where id = $1',
    [founded.user.orgUserId],
  )
  return { ...account, ...rows[0], token: founded.token, orgUserId: founded.user.orgUserId }
}

test('every table of an organization is exported or left out, and no exported column gives access to anything', async ({
  api,
}) => {
  const { rows } = await api.core.database.pool.query<{ name: string; columns: string[] }>(`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'public' group by 1 having 'organization_id' = any(array_agg(column_name::text))`)
  const withheld = new Map(tables.map((table) => [table.name, table.withheld]))
  const owned = tables.filter(({ columns }) => columns.includes('organization_id'))
  expect(owned.map(({ name }) => name).sort()).toEqual(rows.map(({ name }) => name).sort())
  const leaving = rows.flatMap(({ name, columns }) => {
    const left = withheld.get(name)
    if (!left) return []
    return columns.filter((one) => ![...unexportedColumns, ...left].includes(one)).map((one) => `${name}.${one}`)
  })
  const secret = /token|secret|seed|hash|password|_key|url|\.address$/
  expect(leaving.filter((column) => secret.test(column))).toEqual(['location.address'])
})

test.for(importKindNames)('the file of %s has the columns that its import reads', async (kind, { api }) => {
  const { db, pool } = api.core.database
  const { sql, parameters } = importFiles[kind](0, new Date()).compile(db)
  const { fields } = await pool.query(sql, [...parameters])
  expect(fields.map(({ name }) => name)).toEqual(Object.keys(importKinds[kind].columns))
})

describe('an export (§Exports)', () => {
  test('brings a school into an empty organization as it was', async ({ api }) => {
    const [first, second] = [await found(api), await found(api)]
    await buildTraining(api, { admin: first })
    for (const [kind, text] of brought) {
      const { rows } = await importAs(api, first, { kind, text })
      expect([kind, rows.filter(({ outcome }) => outcome === 'refused')]).toEqual([kind, []])
    }
    // What the end of a certificate that stands in the profile alone leaves.
    await api.core.database.pool.query(
      `insert into currency_record (organization_id, currency_id, membership_id, completed_at, ended_on, recorded_by, ended_by)
       select c.organization_id, c.id, m.id, '2026-11-20T05:00:00Z', '2026-11-20', m.id, m.id from currency c
       join membership m on m.organization_id = c.organization_id and m.search_name = 'Ina Soto'
       where c.organization_id = $1 and c.name = 'Certificate'`,
      [first.organizationId],
    )
    const { files } = await exportOf(api, first)
    const manifest = JSON.parse(String(files.get('manifest.json')))
    for (const { path, sha256 } of manifest.files) {
      expect([path, createHash('sha256').update(files.get(path)!).digest('hex')]).toEqual([path, sha256])
    }
    expect(manifest.importOrder).toEqual(brought.map(([kind]) => kind))
    for (const kind of manifest.importOrder) {
      const { rows } = await importAs(api, second, { kind, text: String(files.get(`import/${kind}.csv`)) })
      expect([kind, rows.filter(({ outcome }) => outcome === 'refused')]).toEqual([kind, []])
    }
    const records = await recordsOf(api, first, first)
    expect(Object.entries(records).filter(([, rows]) => rows.length === 0)).toEqual([])
    expect(await recordsOf(api, second, first)).toEqual(records)
    const standings = await standingsOf(api, first)
    // Of 4.2 hours that were brought in a quarter of the required ten counts: 2.5.
    const credited = expect.arrayContaining([expect.objectContaining({ code: 'HOURS', credited: 25 })])
    expect(standings).toEqual([[expect.stringMatching('Ana Ruiz'), credited]])
    expect(await standingsOf(api, second)).toEqual(standings)
    const members = String(files.get('records/membership.jsonl')).trim().split('\n')
    expect(members.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ searchName: 'Ana Ruiz', externalId: 'M-1' }),
    )
    expect(String(files.get('records/location.csv'))).toContain(",'=Hayward,")
  })

  test('is for owners, one at a time, told to all of them, and gone with its file', async ({ api, school }) => {
    const { owner, organizationId } = school
    const { id } = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
    const again = await api.as(owner).post('/exports', {})
    expect([again.statusCode, again.json().code]).toEqual([409, 'EXPORT_RUNNING'])
    const download = () => api.as(owner).post(`/exports/${id}/download`, {})
    expect((await download()).statusCode).toBe(404)
    await work(api, { organizationId, operationId: id })
    expect((await download()).statusCode).toBe(200)
    const { rows } = await api.core.database.pool.query(
      "select payload ->> 'what' as what from outbox where job = 'exports.mail-export' and organization_id = $1 order by created_at",
      [organizationId],
    )
    expect(rows.map(({ what }) => what)).toEqual(['started', 'ready', 'downloaded'])
    await inTransaction(api.core.database, api.core.clock, (tx) => dropFiles(tx, { organizationId }))
    expect((await download()).statusCode).toBe(404)
  })

  test('of a school whose storage lost a file is made without it, and names it', async ({ api, school }) => {
    const { organizationId, owner, plane } = school
    const [kept, lost] = [newStorageKey(organizationId, 'poh.pdf'), newStorageKey(organizationId, 'weight.pdf')]
    const { storage, database } = api.core
    await storage.write(kept, Readable.from([Buffer.from('%PDF-1.7')]))
    for (const key of [kept, lost]) {
      await database.pool.query(
        `insert into resource_file
           (organization_id, resource_id, file_name, storage_key, upload, content_type, category, visibility, uploaded_by)
         values ($1, $2, 'poh.pdf', $3, 'stored', 'application/pdf', 'poh', 'staff', $4)`,
        [organizationId, plane.id, key, owner.orgUserId],
      )
    }
    const { files } = await exportOf(api, owner)
    const manifest = JSON.parse(String(files.get('manifest.json')))
    expect(manifest.missing).toEqual([{ path: expect.stringMatching(/^files\//), kind: 'file' }])
    expect(files.has(manifest.missing[0].path)).toBe(false)
    const stored = manifest.files.filter(({ kind }: { kind: string }) => kind === 'file')
    expect(stored.map(({ path }: { path: string }) => String(files.get(path)))).toEqual(['%PDF-1.7'])
  })

  test('that killed its worker twice is not tried a third time, and says so', async ({ api }) => {
    const owner = await found(api)
    const { id } = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
    const of = { organizationId: owner.organizationId, operationId: id }
    for (const _ of [1, 2]) await expect(work(api, of, 1)).rejects.toThrow('killed')
    await work(api, of)
    const operation = await expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${id}`)
    expect(operation).toMatchObject({
      status: 'failed',
      result: { error: { code: 'WORKER_KILLED' } },
    })
    const another = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
    await work(api, { ...of, operationId: another.id })
    expect((await expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${another.id}`)).status).toBe('done')
  })

  test('whose runs fail with an error, and whose worker lives, is tried as often as any job', async ({ api }) => {
    const owner = await found(api)
    const { id } = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
    const of = { organizationId: owner.organizationId, operationId: id }
    const { storage } = api.core
    const away = { ...storage, write: () => Promise.reject(new Error('the storage is away')) }
    for (const _ of [1, 2, 3]) await expect(work(withStorage(api, away), of)).rejects.toThrow('the storage is away')
    await Promise.all([work(api, of), work(api, of)])
    expect((await expectOk<OperationAnswer>(api, owner, 'GET', `/operations/${id}`)).status).toBe('done')
  })

  test('of four organizations run at a time; a fifth is tried again until one of them is over', async ({ api }) => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => found(api)))
    const started: { owner: Member; of: { organizationId: number; operationId: number } }[] = []
    for (const owner of owners) {
      const { id } = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
      started.push({ owner, of: { organizationId: owner.organizationId, operationId: id } })
    }
    const statusOf = async ({ owner, of }: (typeof started)[number]) =>
      (await expectOk<{ status: string }>(api, owner, 'GET', `/operations/${of.operationId}`)).status
    // Each is begun, and its worker killed.
    for (const { of } of started.slice(0, 4)) await work(api, of, 1).catch(() => undefined)
    await work(api, started[4]!.of)
    expect(await Promise.all(started.map(statusOf))).toEqual(['running', 'running', 'running', 'running', 'queued'])
    await work(api, started[0]!.of)
    await work(api, started[4]!.of)
    expect(await Promise.all(started.map(statusOf))).toEqual(['done', 'running', 'running', 'running', 'done'])
    for (const { of } of started) await work(api, of)
  })

  test('asks for the password again once the sign-in is fifteen minutes old, at its start and at each download', async ({
    api,
    school,
  }) => {
    const { owner, organizationId } = school
    const password = 'clear-prop-runway-28'
    const password_hash = await hashPassword(password)
    const { db } = api.core.database
    await db.updateTable('account').set({ password_hash }).where('id', '=', owner.accountId).execute()
    const signedIn = api.clock.now
    try {
      api.clock.now = new Date(signedIn.getTime() + 15 * 60_000 + 1)
      const begin = (body: object) => api.as(owner).post('/exports', body)
      expect((await begin({})).json().code).toBe('REAUTHENTICATE')
      const started = await begin({ password })
      expect(started.statusCode).toBe(202)
      const { id } = started.json().data
      await work(api, { organizationId, operationId: id })
      const download = (body: object) => api.as(owner).post(`/exports/${id}/download`, body)
      expect((await download({})).json().code).toBe('REAUTHENTICATE')
      expect((await download({ password: 'another' })).statusCode).toBe(400)
      expect((await download({ password })).statusCode).toBe(200)
    } finally {
      api.clock.now = signedIn
    }
  })
})
