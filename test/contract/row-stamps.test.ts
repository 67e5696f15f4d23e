import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tables } from '../../src/shared/composition/tables.ts'
import type { TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import type { Records } from './support/records.ts'
import { startOnRecords } from './support/records-database.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
})
afterAll(() => api.close())

/** Tables whose rows are only added: an update is refused. */
const appendOnly = tables.filter(({ rights }) => rights === 'append only').map(({ name }) => name)
/** Tables above the organizations whose rows clients see. */
const alsoStamped = ['account', 'mail_token', 'organization']

/** Returns each stamped table with the events on which its trigger fires, and the last trigger that fires before a row. */
const stamps = `
  select tgrelid::regclass::text as table,
         concat_ws(' ', case when tgtype & 4 > 0 then 'insert' end, case when tgtype & 16 > 0 then 'update' end) as events,
         (select max(o.tgname::text collate "C") from pg_trigger o
           where o.tgrelid = t.tgrelid and not o.tgisinternal and o.tgtype & 3 = 3) as last
    from pg_trigger t
   where tgfoid = 'stamp_row'::regproc and tgenabled = 'O' and tgtype & 3 = 3 order by 1`

/** Returns the tables of organizations' records: each row belongs to exactly one organization. */
const tenantTables = `
  select attrelid::regclass::text as table from pg_attribute join pg_class t on t.oid = attrelid
   where attname = 'organization_id' and attnotnull and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`

describe('every table of an organization', () => {
  test('has the trigger that stamps its rows, and it fires after those that refuse a change', async () => {
    const { pool } = api.core.database
    const { rows } = await pool.query<{ table: string; events: string; last: string }>(stamps)
    const tenants = (await pool.query<{ table: string }>(tenantTables)).rows.map(({ table }) => table)
    const expected = [...tenants, ...alsoStamped].sort().map((table) => ({
      table,
      events: appendOnly.includes(table) ? 'insert' : 'insert update',
      last: 'write_stamp',
    }))
    expect(expected.length).toBeGreaterThan(50)
    expect(rows.sort((a, b) => (a.table < b.table ? -1 : 1))).toEqual(expected)
  })

  test('stamps an inserted row and an updated row with the time and the id of the transaction', async () => {
    const { pool } = api.core.database
    const client = await pool.connect()
    const stamped = `created_at, updated_at = now()::timestamptz(3) as timed, transaction_id = pg_current_xact_id() as same`
    try {
      await client.query('begin')
      const { rows: inserted } = await client.query(
        `insert into member_group (organization_id, name, updated_at)
         select id, 'Stamped', '2001-01-01' from organization limit 1 returning id, ${stamped}`,
      )
      expect(inserted).toEqual([expect.objectContaining({ timed: true, same: true })])
      await client.query('commit; begin; select pg_sleep(0.002)')
      const { rows: updated } = await client.query(
        `update member_group set name = 'Stamped again', updated_at = '2001-01-01', transaction_id = null
          where id = $1 returning id, ${stamped}, updated_at > created_at as later`,
        [inserted[0].id],
      )
      expect(updated).toEqual([expect.objectContaining({ timed: true, same: true, later: true })])
      await client.query('rollback')
    } finally {
      client.release()
    }
  })

  test('still refuses a change of a signed record that stamps alone would hide', async () => {
    const update = (table: string) => asOwner(api, `update ${table} set transaction_id = null, updated_at = now()`)
    await expect(update('ledger_entry')).rejects.toThrow(/append-only/)
    await expect(
      asOwner(api, `update training_record set transaction_id = '3' where signed_at is not null`),
    ).rejects.toThrow(/signed training record cannot change/)
    await expect(asOwner(api, `update endorsement set transaction_id = '3'`)).rejects.toThrow(/cannot change/)
  })
})

test('the answer of a change shows the same updatedAt as the next read', async () => {
  const { school, location, group, plane, squawk, document, announcement, course, booked } = records
  const changes: [string, object][] = [
    [`/locations/${location}`, { name: 'Stamped' }],
    [`/groups/${group}`, { name: 'Renamed' }],
    [`/resources/${plane}`, { name: 'N5STAMP', type: { plane: {} } }],
    [`/maintenance/squawks/${squawk}`, { description: 'Stamped' }],
    [`/documents/${document}`, { title: 'Stamped' }],
    [`/announcements/${announcement}`, { title: 'Stamped' }],
    [`/training/courses/${course}`, { name: 'Stamped' }],
    [`/reservations/${booked}`, { title: 'Stamped' }],
  ]
  const { token } = school.admin
  for (const [path, body] of changes) {
    const before = (await api.call('GET', path, { token })).json().data
    const answer = await api.call('PATCH', path, { token, body })
    expect(answer.statusCode, `${path} ${answer.body}`).toBe(200)
    const { updatedAt } = (await api.call('GET', path, { token })).json().data
    expect(answer.json().data.updatedAt, path).toBe(updatedAt)
    expect(updatedAt > before.updatedAt, path).toBe(true)
  }
})
