import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { emptyDatabase } from '../support/database.ts'
import { runSome } from '../support/migrations-folder.ts'

const files = readdirSync(migrationsFolder).filter((file) => /^Migration.*\.ts$/.test(file))
const moves = files.findIndex((file) => file.endsWith('_booking_history.ts'))

/** A booking without people, as the release before would have it. */
const booking = `
  with school as (
    insert into organization (name, organization_type, time_zone_name, code, settings, details, show_in_directory, private)
    values ('School', 'flight_school', 'UTC', 'ABCDEF', '{}', '{}', false, false) returning id),
  somebody as (
    insert into account (name, email, password_hash, tokens_valid_from) values ('Ana', 'a@example.com', '', now())
    returning id),
  member as (
    insert into membership (organization_id, account_id, owner, admin)
    select school.id, somebody.id, true, true from school, somebody returning id)
  insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by)
  select school.id, 'Ground', 'ground', now(), now() + interval '1 hour', 'UTC', member.id from school, member
  returning id, organization_id`

test('the history of bookings is in the event log: what was there, and what the release before still writes', async () => {
  const url = await emptyDatabase()
  await runSome(url, files.slice(0, moves))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(booking)
    const add = (action: string, reason: string) =>
      client.query(
        `insert into reservation_event (organization_id, reservation_id, action, reason, after)
         values ($1, $2, $3, $4, '{"side": "students"}')`,
        [rows[0].organization_id, rows[0].id, action, reason],
      )
    await add('moved', 'first')
    await add('confirmed', 'second')
    await runSome(url, files)
    await add('cancelled', 'third')
    const events = await client.query(
      'select kind, actor_kind, subject_kind, subject_id, reason, after from event order by sequence',
    )
    const same = {
      actor_kind: 'system',
      subject_kind: 'reservation',
      subject_id: rows[0].id,
      after: { side: 'students' },
    }
    expect(events.rows).toEqual([
      { ...same, kind: 'reservation.changed', reason: 'first' },
      { ...same, kind: 'reservation.confirmed', reason: 'second' },
      { ...same, kind: 'reservation.cancelled', reason: 'third' },
    ])
  } finally {
    await client.end()
  }
})
