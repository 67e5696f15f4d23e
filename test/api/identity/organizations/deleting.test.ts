import { describe, expect } from 'vitest'
import { buildSchool, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol, gradeAndSign } from '../../../support/training.ts'

const test = apiTest()
  .extend(
    'remove',
    ({ api }) =>
      (token: string) =>
        api.call('DELETE', '/organizations', { token }),
  )
  /** Every table that belongs to a tenant, and how many rows of one organization it holds. */
  .extend('rowsOf', ({ api }) => async (organizationId: number): Promise<Record<string, number>> => {
    const { pool } = api.core.database
    const { rows } = await pool.query<{ table_name: string }>(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'",
    )
    const counts: Record<string, number> = {}
    for (const { table_name: table } of rows) {
      const counted = await pool.query(`select count(*)::int as n from ${table} where organization_id = $1`, [
        organizationId,
      ])
      counts[table] = counted.rows[0].n
    }
    const own = await pool.query('select count(*)::int as n from organization where id = $1', [organizationId])
    return { ...counts, organization: own.rows[0].n }
  })
  /** A student on a course, with everything that training keeps of them. */
  .extend('train', ({ api }) => async (school: School): Promise<void> => {
    const { admin, instructor, student } = school
    const course = await buildTraining(api, school)
    const enrollmentId = await enrol(api, school, course, student)
    const signed = await gradeAndSign(api, instructor, enrollmentId, course.lesson)
    await expectOk(api, student, 'POST', `/training/records/${signed}/countersign`)
    await expectOk(api, instructor, 'POST', `/training/records/${signed}/amend`, { reason: 'Typo' })
    const body = { orgUserId: student.orgUserId, enrollmentId, title: 'Solo', renderedText: 'Ready.' }
    const { id: supersedesId } = await expectOk<{ id: number }>(api, instructor, 'POST', '/training/endorsements', body)
    await expectOk(api, instructor, 'POST', '/training/endorsements', { ...body, supersedesId })
    const grant = { orgUserId: instructor.orgUserId, grant: 'checkInstructor', courseId: course.courseId }
    await expectOk(api, admin, 'POST', '/training/grants', grant)
  })
  /** Puts something into every domain that stands now: through the interface where it is short, else by hand. */
  .extend('fill', ({ api, train }) => async (school: School): Promise<void> => {
    const { admin, owner, student, instructor, plane, organizationId: organization } = school
    const post = async (url: string, body: object, token = admin.token) => {
      const response = await api.call('POST', url, { token, body, headers: { 'idempotency-key': url } })
      if (response.statusCode >= 300) throw new Error(`${url}: ${response.body}`)
    }
    await post('/organizations/invite', { email: `somebody${organization}@example.com` })
    await post('/groups', { name: 'All', orgUserIds: [student.orgUserId] })
    await post('/availability/timeOff', { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' })
    await api
      .as(instructor)
      .patch('/users/availability', { availability: [{ dayOfWeek: 1, startMinute: 0, endMinute: 1440 }] })
    const { pool } = api.core.database
    const run = (sql: string, ...values: unknown[]) => pool.query(sql, [organization, ...values])
    await run("insert into guest (organization_id, name) values ($1, 'Gus')")
    await run('insert into join_request (organization_id, account_id) values ($1, $2)', owner.accountId)
    await run(
      "insert into notification (organization_id, membership_id, kind, title, body, dedupe_key) values ($1, $2, 'x', 'x', 'x', 'x')",
      student.orgUserId,
    )
    await run(
      'insert into resource_approval (organization_id, resource_id, membership_id, approved_by) values ($1, $2, $3, $4)',
      plane.id,
      student.orgUserId,
      admin.orgUserId,
    )
    const { rows } = await run(
      `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, resource_id, created_by)
     values ($1, 'Pattern work', 'solo', '2026-12-03T10:00Z', '2026-12-03T12:00Z', 'UTC', $2, $3) returning id`,
      plane.id,
      student.orgUserId,
    )
    const booking = rows[0].id
    await run(
      `insert into seat (organization_id, reservation_id, side, position, membership_id, starts_at, ends_at)
     values ($1, $2, 'students', 0, $3, '2026-12-03T10:00Z', '2026-12-03T12:00Z')`,
      booking,
      student.orgUserId,
    )
    await run(
      "insert into confirmation (organization_id, reservation_id, membership_id, side, confirmed_at) values ($1, $2, $3, 'students', now())",
      booking,
      student.orgUserId,
    )
    await run(
      "insert into payer_stake (organization_id, reservation_id, position, membership_id, kind) values ($1, $2, 0, $3, 'waived')",
      booking,
      student.orgUserId,
    )
    const invoices = await run(
      "insert into invoice (organization_id, membership_id, total_cents, currency, reservation_id) values ($1, $2, 100, 'usd', $3) returning id",
      student.orgUserId,
      booking,
    )
    await run(
      `insert into invoice_item (organization_id, invoice_id, position, kind, description, quantity_hundredths, unit, unit_price, amount_cents)
     values ($1, $2, 0, 'other', 'x', 100, 'each', 100, 100)`,
      invoices.rows[0].id,
    )
    await run(
      "insert into ledger_entry (organization_id, membership_id, kind, amount_cents, balance_cents, invoice_id) values ($1, $2, 'deposit', 1, 1, $3)",
      student.orgUserId,
      invoices.rows[0].id,
    )
    await run(
      `with paid as (insert into pay_run (organization_id, start_date, end_date, currency, flights, amount_cents, own, created_by)
         values ($1, '2026-12-01', '2026-12-31', 'usd', 1, 1, false, $2) returning id)
       insert into pay_line (organization_id, pay_run_id, reservation_id, membership_id, adjustment, flight_tenths, ground_tenths,
         sim_tenths, amount_cents, long_briefing, on_behalf, signed_off_at)
       select $1, id, $3, $2, false, 1, 0, 0, 1, false, false, now() from paid`,
      admin.orgUserId,
      booking,
    )
    await run(
      "insert into gateway_customer (organization_id, membership_id, customer_id) values ($1, $2, 'cus_1')",
      student.orgUserId,
    )
    await train(school)
  })

describe('deleting an organization (§Organizations, DELETE)', () => {
  test('removes every record in it and none of another, append-only ones and stored answers included', async ({
    api,
    remove,
    rowsOf,
    fill,
  }) => {
    const [gone, stays] = [await buildSchool(api), await buildSchool(api)]
    for (const school of [gone, stays]) await fill(school)
    const before = await rowsOf(stays.organizationId)
    expect(await rowsOf(gone.organizationId)).toEqual(before)

    expect((await remove(gone.owner.token)).statusCode).toBe(204)
    const after = await rowsOf(gone.organizationId)
    expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([])
    expect(await rowsOf(stays.organizationId)).toEqual(before)
  })

  test('leaves a row for operators: who, when, its name and how much it had', async ({ api, remove, fill }) => {
    const school = await buildSchool(api)
    const { owner, organizationId } = school
    await fill(school)
    await remove(owner.token)
    const { rows } = await api.core.database.pool.query('select * from deleted_organization where id = $1', [
      organizationId,
    ])
    const counts = { members: 7, resources: 1, bookings: 1, invoices: 1 }
    expect(rows).toEqual([
      expect.objectContaining({
        ...counts,
        name: expect.any(String),
        deleted_by: owner.accountId,
        deleted_at: api.clock.now,
      }),
    ])
  })

  test('reaches every table of a tenant by its foreign key', async ({ api }) => {
    const { rows } = await api.core.database.pool.query(`
      select c.table_name from information_schema.columns c
       where c.table_schema = 'public' and c.column_name = 'organization_id' and c.table_name <> 'idempotency_key'
         and not exists (select 1 from pg_constraint k
           where k.conrelid = c.table_name::regclass and k.confrelid = 'organization'::regclass and k.confdeltype = 'c')`)
    expect(rows).toEqual([])
  })

  test('ends the tokens for it, and the accounts stay', async ({ api, remove }) => {
    const school = await buildSchool(api)
    await remove(school.owner.token)
    expect((await api.call('GET', '/auth/session', { token: school.student.token })).statusCode).toBe(401)
    const { rows } = await api.core.database.pool.query('select deleted_at from account where id = $1', [
      school.student.accountId,
    ])
    expect(rows).toEqual([{ deleted_at: null }])
  })

  test('enqueues the removal of stored files and of jobs that wait, and a mail to each owner', async ({
    api,
    remove,
  }) => {
    const school = await buildSchool(api)
    await remove(school.owner.token)
    const { rows } = await api.core.database.pool.query(
      `select job from outbox where organization_id is null
         and (payload::text like $1 or payload::jsonb @> jsonb_build_object('accountId', $2::int))`,
      [`%: ${school.organizationId}%`, school.owner.accountId],
    )
    expect(rows.map((row) => row.job).sort()).toEqual([
      'organizations.clear-queues',
      'organizations.mail-organization-deleted',
      'storage.drop-stored-folder',
      'storage.drop-stored-folder',
    ])
  })
})
