import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../src/shared/composition/tables.ts'
import type { TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { tablesOf } from './support/database-state.ts'
import { buildRecords, type Records } from './support/records.ts'
import { startOnRecords } from './support/records-database.ts'
import {
  bareReferences,
  looseReferences,
  mappedColumns,
  storedColumns,
  tenantReferences,
  tenantTables,
} from './support/schema.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  const certificate = `/training/enrollments/${records.enrollment}/certificates/enrollment`
  expect((await api.as(records.school.admin).get(certificate)).statusCode).toBe(200)
})
afterAll(() => api.close())

async function rowsOf<Row>(query: string, values: unknown[] = []): Promise<Row[]> {
  return (await api.core.database.pool.query(query, values)).rows as Row[]
}

async function namesOf(query: string): Promise<string[]> {
  return (await rowsOf<{ name: string }>(query)).map(({ name }) => name).sort()
}

/** The tables that belong to no organization. */
const aboveOrganizations = [
  'backup_mark',
  'account',
  'mail_count',
  'mail_token',
  'deleted_organization',
  'organization',
  'gateway_event',
  'push_device',
  'service_uptime',
  'sign_in_network',
  'weather_call',
  'weather_station',
  'webhook_rate',
]
/** What may belong to one: jobs and keys of accounts without an organization, and the service's own account, belong to none. */
const sometimesOf = ['delivery', 'idempotency_key', 'outbox', 'gateway_event_sweep']
/** Series have a number and no record, ratings are a catalog, keys and events outlive what they were for. */
const numbers = [
  'event.subject_id',
  'closure.series_id',
  'operation_row.subject_id',
  // A foreign key would wait for whoever changes the booking.
  'reservation_at_risk.reservation_id',
  'reservation.series_id',
  'training_course.rating_id',
  'booking_request.rating_id',
  'idempotency_key.organization_id',
  // A seal has the ids of its signature: it stays when the record is deleted, and when a merge moves it to another member.
  'seal.subject_id',
  'seal.member_id',
  'seal.signer_id',
]

test('entities and tables have the same columns, of the same types, empty or not alike', async () => {
  const stored = await namesOf(storedColumns)
  const mapped = stored.filter((column) => !/\.transaction_id /.test(column))
  expect(mappedColumns(api.core.database).sort()).toEqual(mapped)
})

describe('a table of a tenant', () => {
  test('says whose each row is, and goes with its organization', async () => {
    const owned = await rowsOf<{ table: string; nullable: boolean; cascades: boolean }>(tenantTables)
    const tables = await tablesOf(api.core.database.pool)
    expect(owned.map(({ table }) => table).sort()).toEqual(
      tables.filter((table) => !aboveOrganizations.includes(table)),
    )
    expect(owned.filter(({ table, nullable }) => nullable !== sometimesOf.includes(table))).toEqual([])
    const staying = owned.filter(({ cascades }) => !cascades).map(({ table }) => table)
    expect(staying).toEqual(['idempotency_key'])
  })

  test('refers to other tables of tenants by organization and id together, without exception', async () => {
    const keys = await rowsOf<{ name: string; within: boolean }>(tenantReferences)
    expect(keys.length).toBeGreaterThan(100)
    expect(keys.filter(({ within }) => !within).map(({ name }) => name)).toEqual([])
  })

  test('refers to something with every column that is named like a reference', async () => {
    expect((await namesOf(looseReferences)).filter((name) => !numbers.includes(name))).toEqual([])
  })

  test('has an index for every reference', async () => {
    expect(await namesOf(bareReferences)).toEqual([])
  })
})

const appendOnly = tables.filter(({ rights }) => rights === 'append only').map(({ name }) => name)

describe('an append-only table', () => {
  test('is declared so, and has the trigger', async () => {
    expect(appendOnly).toContain('ledger_entry')
    const guarded = `select tgrelid::regclass::text as name from pg_trigger where tgname = 'append_only'`
    expect(await namesOf(guarded)).toEqual([...appendOnly].sort())
  })

  test.each(appendOnly)('%s takes no change and loses no row', async (table) => {
    const { organization } = records
    const [row] = await rowsOf<{ id: number | string }>(`select id from ${table} where organization_id = $1`, [
      organization,
    ])
    expect(row).toBeDefined()
    const append = /append-only/
    await expect(
      asOwner(api, `update ${table} set organization_id = organization_id where id = $1`, [row?.id]),
    ).rejects.toThrow(append)
    await expect(asOwner(api, `delete from ${table} where id = $1`, [row?.id])).rejects.toThrow(append)
  })
})

describe('signed training', () => {
  test('is never changed in place: not a signed record, an endorsement, or anything of a published version', async () => {
    const { signed, endorsement, published, lesson, requirement } = records
    const changes: [string, number][] = [
      ["update training_record set grade = 'U' where id = $1", signed],
      ['delete from training_record where id = $1', signed],
      ["update endorsement set rendered_text = 'May do anything.' where id = $1", endorsement],
      ['delete from endorsement where id = $1', endorsement],
      ["update syllabus_version set label = 'Rev Z' where id = $1", published],
      ["update syllabus_lesson set name = 'Nothing' where id = $1", lesson],
      ['delete from syllabus_lesson where id = $1', lesson],
      ['update syllabus_requirement set min_tenths = 1 where id = $1', requirement],
    ]
    const allowed: string[] = []
    for (const [change, id] of changes) {
      await asOwner(api, change, [id]).then(
        () => allowed.push(change),
        () => {},
      )
    }
    expect(allowed).toEqual([])
  })
})

describe('the database itself', () => {
  test('refuses a second booking of an aircraft, of a person and of a guest at one time', async () => {
    await expect(bookAgain({ resourceId: records.plane })).rejects.toThrow(/reservation_resource_clash/)
    await expect(bookAgain({ memberId: records.school.student.orgUserId })).rejects.toThrow(/seat_person_clash/)
    await bookAgain({ guestId: records.guest })
    await expect(bookAgain({ guestId: records.guest })).rejects.toThrow(/seat_guest_clash/)
  })

  test('refuses a reference across organizations', async () => {
    const other = await buildRecords(api)
    const across = rowsOf('update resource set location_id = $1 where id = $2', [other.location, records.plane])
    await expect(across).rejects.toThrow(/foreign key/)
  })
})

/** Books over the student's flight by bare SQL, with the aircraft or one seat of it. */
async function bookAgain(seated: { resourceId?: number; memberId?: number; guestId?: number }): Promise<void> {
  const { resourceId = null, memberId = null, guestId = null } = seated
  const [made] = await rowsOf<{ id: number }>(
    `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by, resource_id)
     select organization_id, $2, type, starts_at, ends_at, time_zone_name, created_by, $3 from reservation where id = $1
     returning id`,
    [records.booked, randomUUID(), resourceId],
  )
  if (memberId === null && guestId === null) return
  await rowsOf(
    `insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at)
     select organization_id, id, $2, 0, $3, $4, starts_at, ends_at from reservation where id = $1`,
    [made?.id, guestId === null ? 'students' : 'guests', memberId, guestId],
  )
}
