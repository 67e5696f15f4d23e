import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { tablesOf } from './support/database-state.ts'
import { buildRecords, type Records } from './support/records.ts'
import {
  bareReferences,
  foreignKeys,
  looseReferences,
  mappedColumns,
  storedColumns,
  tenantTables,
} from './support/schema.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  api = await startTestApp()
  records = await buildRecords(api)
})
afterAll(() => api.close())

async function rowsOf<Row>(query: string, values: unknown[] = []): Promise<Row[]> {
  return (await api.core.database.pool.query(query, values)).rows as Row[]
}

async function namesOf(query: string): Promise<string[]> {
  return (await rowsOf<{ name: string }>(query)).map(({ name }) => name).sort()
}

/** What stands above the organizations, and so belongs to none. */
const aboveOrganizations = ['account', 'mail_token', 'organization', 'processor_event', 'push_device']
/** What may belong to one: jobs and keys of accounts without an organization belong to none. */
const sometimesOf = ['idempotency_key', 'outbox']

test('entities and tables have the same columns, of the same types, empty or not alike', async () => {
  expect(mappedColumns(api.core.database).sort()).toEqual(await namesOf(storedColumns))
})

describe('a table of a tenant', () => {
  test('says whose each row is, and goes with its organization', async () => {
    const owned = await rowsOf<{ table: string; nullable: boolean; cascades: boolean }>(tenantTables)
    const tables = await tablesOf(api.core.database.pool)
    expect(owned.map(({ table }) => table).sort()).toEqual(
      tables.filter((table) => !aboveOrganizations.includes(table)),
    )
    expect(owned.filter(({ table, nullable }) => nullable !== sometimesOf.includes(table))).toEqual([])
    expect(owned.filter(({ cascades }) => !cascades).map(({ table }) => table)).toEqual([])
  })

  test('refers to other tables of tenants by organization and id together', async () => {
    const keys = await rowsOf<{ name: string; table: string; target: string; columns: string }>(foreignKeys)
    const between = keys.filter(
      ({ table, target }) => !aboveOrganizations.includes(table) && !aboveOrganizations.includes(target),
    )
    expect(between.length).toBeGreaterThan(20)
    expect(between.filter(({ columns }) => !columns.startsWith('organization_id,'))).toEqual([])
  })

  test('refers to something with every column that is named like a reference', async () => {
    // A series has a number of its own and no record behind it.
    expect(await namesOf(looseReferences)).toEqual(['reservation.series_id'])
  })

  test('has an index for every reference', async () => {
    expect(await namesOf(bareReferences)).toEqual([])
  })
})

describe('an append-only table', () => {
  test.each(['reservation_event', 'ledger_entry'])('%s takes no change and loses no row', async (table) => {
    const { organization, school } = records
    await rowsOf(
      `insert into ledger_entry (organization_id, membership_id, kind, amount_cents, balance_cents)
       values ($1, $2, 'deposit', 100, 100)`,
      [organization, school.student.orgUserId],
    )
    const [row] = await rowsOf<{ id: number }>(`select id from ${table} where organization_id = $1`, [organization])
    expect(row).toBeDefined()
    const append = /append-only/
    await expect(rowsOf(`update ${table} set updated_at = now() where id = $1`, [row?.id])).rejects.toThrow(append)
    await expect(rowsOf(`delete from ${table} where id = $1`, [row?.id])).rejects.toThrow(append)
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
