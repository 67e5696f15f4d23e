import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { PURGED_AT_ONCE, purgeBatch } from '../../../src/shared/platform/retention/purge-batch.access.ts'
import { purgeExpired } from '../../../src/shared/platform/retention/retention.jobs.ts'
import { NOW } from '../../support/app.ts'
import { buildAccount, buildSchool, type School } from '../../support/builders.ts'
import { workersTest } from '../../support/fixtures.ts'

const test = workersTest()
  .extend('school', { scope: 'file' }, ({ api }) => buildSchool(api))
  .extend('query', { scope: 'file' }, ({ api }) => {
    return async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
      (await api.core.database.pool.query(text, values)).rows
  })
  .extend(
    'purge',
    { scope: 'file' },
    ({ workers }) =>
      () =>
        workers.run((tx) => tx.enqueue(purgeExpired, {})),
  )

/** So many days before the tests' time, and one moment more. */
const before = (days: number) => new Date(NOW.getTime() - days * 86_400_000 - 1)
/** So many days before the tests' time, to the moment. */
const at = (days: number) => new Date(NOW.getTime() - days * 86_400_000)

type Purged = {
  insert: string
  values: (when: Date, mark: string, school: School) => unknown[]
  kept: Date[]
  gone: Date[]
}

/** A row of each table at some instant, with a mark to know it by; and which instants are kept, and which are gone. */
const cases: Record<string, Purged> = {
  'idempotency_key.key': {
    insert: `insert into idempotency_key (owner, fingerprint, locked_until, key, created_at) values ('account:1', '', now(), $1, $2)`,
    values: (when, mark) => [mark, when],
    kept: [at(1), NOW],
    gone: [before(1)],
  },
  'mail_token.token_hash': {
    insert: `insert into mail_token (account_id, purpose, seed, token_hash, expires_at) values ($3, 'verify_email', '', $1, $2)`,
    values: (when, mark, school) => [mark, when, school.student.accountId],
    kept: [at(7), new Date(NOW.getTime() + 3_600_000)],
    gone: [before(7)],
  },
  'sign_in_network.network': {
    insert: 'insert into sign_in_network (account_id, network, updated_at) values ($3, $1, $2)',
    values: (when, mark, school) => [mark, when, school.student.accountId],
    kept: [at(30), NOW],
    gone: [before(30)],
  },
  'invitation.token_hash': {
    insert: `insert into invitation (organization_id, invited_by, email, seed, token_hash, expires_at) values ($3, $4, $1, '', $1, $2)`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.admin.orgUserId],
    kept: [at(30), new Date(NOW.getTime() + 3_600_000)],
    gone: [before(30)],
  },
  'connection_state.state_hash': {
    insert: `insert into connection_state (organization_id, membership_id, provider, code_verifier, state_hash, expires_at)
      values ($3, $4, 'zoom', '', $1, $2)`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.instructor.orgUserId],
    kept: [at(1), NOW],
    gone: [before(1)],
  },
  'delivery.subject': {
    insert: `insert into delivery (kind, subject, attempts, outcome, sent_at, created_at) values ('mail', $1, 1, 'delivered', $2, $2)`,
    values: (when, mark) => [mark, when],
    kept: [at(30), NOW],
    gone: [before(30)],
  },
  'outbox.id': {
    insert: `insert into outbox (id, job, payload, available_at, failed_at) values ($1, 'later.release', '{}', $2, $2)`,
    values: (when, mark) => [mark, when],
    kept: [at(90), NOW],
    gone: [before(90)],
  },
  'notification.dedupe_key': {
    insert: `insert into notification (organization_id, membership_id, kind, title, body, dedupe_key, created_at)
      values ($3, $4, 'announcement', '', '', $1, $2)`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.student.orgUserId],
    kept: [at(400), before(180), NOW],
    gone: [before(400)],
  },
  'notification.dedupe_key, read': {
    insert: `insert into notification (organization_id, membership_id, kind, title, body, dedupe_key, created_at, read_at)
      values ($3, $4, 'announcement', '', '', $1, $2, now())`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.student.orgUserId],
    kept: [at(180), NOW],
    gone: [before(180)],
  },
  'booking_request.title': {
    insert: `insert into booking_request (organization_id, status, type, starts_at, ends_at, time_zone_name, title,
      guest_name, guest_email, created_at)
      values ($3, 'awaiting_confirmation', 'guest', $4::timestamptz, $4::timestamptz + interval '1 hour', 'UTC', $1, 'Gia', 'gia@visitors.example', $2)`,
    values: (when, mark, school) => [mark, when, school.organizationId, NOW],
    kept: [at(7), NOW],
    gone: [before(7)],
  },
  'operation_file.storage_key': {
    insert: `with made as (insert into operation (organization_id, kind, started_by, atomic, input, total)
        values ($3, 'export', $4, false, '{}', 0) returning id)
      insert into operation_file (organization_id, operation_id, storage_key, created_at) select $3, id, $1, $2 from made`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.admin.orgUserId],
    kept: [at(7), NOW],
    gone: [before(7)],
  },
  'import_file.content': {
    insert: `with sent as (insert into operation (organization_id, kind, started_by, atomic, input, total)
        values ($3, 'import', $4, false, '{}', 0) returning id)
      insert into import_file (organization_id, operation_id, content, created_at) select $3, id, $1, $2 from sent`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.admin.orgUserId],
    kept: [at(1), NOW],
    gone: [before(1)],
  },
  'import_row.cells': {
    insert: `with sent as (insert into operation (organization_id, kind, started_by, atomic, input, total)
        values ($3, 'import', $4, false, '{}', 0) returning id)
      insert into import_row (organization_id, operation_id, number, cells, created_at)
      select $3, id, 1, to_jsonb($1::text), $2 from sent`,
    values: (when, mark, school) => [mark, when, school.organizationId, school.admin.orgUserId],
    kept: [at(1), NOW],
    gone: [before(1)],
  },
  'event.id': {
    insert: `insert into event (organization_id, id, at, kind, actor_kind, subject_kind, subject_id)
      values ($3, $1, $2, 'squawk.opened', 'system', 'squawk', 1)`,
    values: (when, mark, school) => [mark, when, school.organizationId],
    kept: [at(2557), NOW],
    gone: [before(2557 + 30)],
  },
  'gateway_event.event_id': {
    insert: `insert into gateway_event (event_id, type, occurred_at, created_at) values ($1, 'invoice.paid', $2, $2)`,
    values: (when, mark) => [mark, when],
    kept: [at(400), before(30)],
    gone: [before(400)],
  },
}

describe('what was kept long enough is deleted, to the moment', () => {
  test.for(Object.entries(cases))('%s', async ([name, { insert, values, kept, gone }], { school, query, purge }) => {
    const [table, column] = name.replace(/,.*/, '').split('.')
    const add = async (when: Date) => {
      const mark: string = crypto.randomUUID()
      await query(insert, values(when, mark, school))
      return mark
    }
    const staying = await Promise.all(kept.map(add))
    const going = await Promise.all(gone.map(add))
    await purge()
    const left = await query(
      `select trim('"' from ${column}::text) as mark from ${table} where trim('"' from ${column}::text) = any($1)`,
      [[...staying, ...going]],
    )
    expect(left.map(({ mark }) => mark).sort()).toEqual(staying.sort())
  })
})

test('what is kept of the profile of an erased person goes when its time is over', async ({ school, query, purge }) => {
  const add = ({ orgUserId }: { orgUserId: number }, until: Date) =>
    query(
      `insert into member_profile (organization_id, membership_id, facts, verified, kept_until) values ($1, $2, '{}', '{}', $3)`,
      [school.organizationId, orgUserId, until],
    )
  await add(school.student, before(0))
  await add(school.renter, at(0))
  await purge()
  expect(await query('select membership_id as id from member_profile')).toEqual([{ id: school.renter.orgUserId }])
})

test('an invitation that was accepted stays, as the record of who let whom in', async ({ school, query, purge }) => {
  const hash = crypto.randomUUID()
  await query(
    `insert into invitation (organization_id, invited_by, email, seed, token_hash, expires_at, accepted_at)
     values ($1, $2, $3, '', $3, $4, $4)`,
    [school.organizationId, school.admin.orgUserId, hash, before(300)],
  )
  await purge()
  expect(await query('select 1 from invitation where token_hash = $1', [hash])).toHaveLength(1)
})

test('devices of accounts that are deleted go, those of others stay', async ({ api, query, purge }) => {
  const [gone, here] = [await buildAccount(api), await buildAccount(api)]
  await query("insert into push_device (account_id, token) values ($1, 'of-the-gone'), ($2, 'of-the-living')", [
    gone.accountId,
    here.accountId,
  ])
  await query('update account set deleted_at = now() where id = $1', [gone.accountId])
  await purge()
  expect(await query("select token from push_device where token like 'of-the-%'")).toEqual([{ token: 'of-the-living' }])
})

test('operations go 90 days after they were started, with their rows', async ({ school, query, purge }) => {
  const add = async (when: Date) => {
    const [operation] = await query(
      `insert into operation (organization_id, kind, started_by, atomic, total, input, created_at)
       values ($1, 'reservation_bulk', $2, false, 1, '{}', $3) returning id`,
      [school.organizationId, school.admin.orgUserId, when],
    )
    await query('insert into operation_row (organization_id, operation_id, number, subject_id) values ($1, $2, 1, 1)', [
      school.organizationId,
      operation?.id,
    ])
    return operation?.id
  }
  const [, kept] = [await add(before(90)), await add(at(90))]
  await purge()
  expect(await query('select operation_id as id from operation_row where number = 1')).toEqual([{ id: kept }])
  expect(await query("select id from operation where kind = 'reservation_bulk'")).toEqual([{ id: kept }])
})

test('more than fits into one transaction goes in several, also with two workers at it', async ({ api, query }) => {
  await query(
    `insert into idempotency_key (owner, key, fingerprint, locked_until, created_at)
     select 'account:2', n::text, '', now(), $1 from generate_series(1, $2::int) n`,
    [before(2), PURGED_AT_ONCE * 2 + 10],
  )
  const batch = async () =>
    (await inTransaction(api.core.database, api.core.clock, (tx) => purgeBatch(tx, 'idempotency_key'))).result
  expect((await Promise.all([batch(), batch()])).sort()).toEqual([PURGED_AT_ONCE, PURGED_AT_ONCE])
  expect(await batch()).toBe(10)
})
