import { describe, expect } from 'vitest'
import { currencyKinds } from '../../src/shared/qualification/currencies/currency.rules.ts'
import { ruleCatalogue } from '../../src/shared/scheduling/rules/rule-catalogue.rules.ts'
import type { TestApp } from '../support/app.ts'
import { buildBusySchool, flaggedAndFound } from '../support/at-risk.ts'
import { apiTest } from '../support/fixtures.ts'
import { countStatements } from '../support/statements.ts'

const test = apiTest()

/** What is read for its name alone, and what is not asked of a booking that stands: what is paid ahead, and the weather. */
const noFacts = [
  ...['account', 'autopay_charge', 'guest', 'invoice', 'ledger_entry', 'package_purchase', 'pilot_minimums'],
  // The desk, for whom bookings are judged, books over offers.
  'offer',
]
/** What never changes once a lesson of it is planned: to which course a lesson of a published syllabus belongs, and what it credits. */
const neverChanges = ['syllabus_credit', 'syllabus_lesson', 'syllabus_version']
/** What a booking is read of: it, its seats and overrides. The statement reads what the answer shows besides. */
const ofTheBooking = ['reservation', 'seat', 'rule_override']
const readsBookings = /^\s*with page as materialized/

interface Plan {
  'Relation Name'?: string
  Plans?: Plan[]
}

function relationsOf({ 'Relation Name': relation, Plans = [] }: Plan): string[] {
  return [...(relation ? [relation] : []), ...Plans.flatMap(relationsOf)]
}

test('whatever the rules read of a booking ahead is marked to be judged when it changes', async ({ api }) => {
  const { pool } = api.core.database
  const { organizationId } = await buildBusySchool(api, { planes: 2, bookings: 60 })
  const rules = Object.keys(ruleCatalogue).map((key) => [key, { enforcement: 'block' }])
  const settings = { rules: Object.fromEntries(rules), requiredDocuments: { student: ['medical'] } }
  await pool.query('update organization set settings = settings || $2 where id = $1', [organizationId, settings])
  await pool.query(
    `insert into currency (organization_id, name, kind, enforcement, flight_count, flight_days, privilege, deci_hours, scope_of_hours)
     select $1, kind, kind, 'block', case kind when 'recent_flights' then 3 end, case kind when 'recent_flights' then 90 end,
       case kind when 'medical' then 'private' end, case kind when 'hours_in_model' then 50 end,
       case kind when 'hours_in_model' then 'make_model' end from unnest($2::text[]) kind`,
    [organizationId, currencyKinds],
  )
  const { statements, result } = await countStatements(api, () => flaggedAndFound(api, organizationId))
  expect(result.found.length).toBeGreaterThan(0)
  const read = new Set(ofTheBooking)
  for (const statement of statements.filter((one) => !readsBookings.test(one) && !/reservation_at_risk/.test(one))) {
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (generic_plan, format json) ${statement}`,
    )
    for (const relation of relationsOf(rows[0]!['QUERY PLAN'][0]!.Plan)) read.add(relation)
  }
  const { rows: marked } = await pool.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger where tgname like 'booking\\_fact\\_%'`,
  )
  const declared = api.core.database.tables.filter(({ readByBookingRules }) => readByBookingRules)
  expect([...read].filter((table) => ![...noFacts, ...neverChanges].includes(table)).sort()).toEqual(
    marked.map(({ table }) => table).sort(),
  )
  expect(declared.map(({ name }) => name).sort()).toEqual(marked.map(({ table }) => table).sort())
})

/** Runs statements in a transaction that is rolled back. Returns the marks that they wrote. */
async function marksOf({ core: { database } }: TestApp, text: string): Promise<Record<string, unknown>[]> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('delete from job_mark')
    await client.query(text)
    const { rows } = await client.query<{ about: Record<string, unknown> }>(
      'select about from job_mark order by about::text',
    )
    return rows.map(({ about }) => about)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('a statement (decision 26)', () => {
  test('marks what it concerns once, however many rows it changes', async ({ api }) => {
    const { organizationId } = await buildBusySchool(api, { planes: 1, bookings: 1 })
    const { pool } = api.core.database
    const { rows } = await pool.query<{ id: number }>('select id from reservation where organization_id = $1', [
      organizationId,
    ])
    const id = rows[0]!.id
    const seats = `seat where organization_id = ${organizationId} and reservation_id = ${id}`
    const seated = (await pool.query(`select membership_id from ${seats}`)).rows.map((row) => row.membership_id)
    expect(seated.length).toBeGreaterThan(1)
    const marks = await marksOf(api, `delete from ${seats}`)
    expect(marks.filter((about) => 'reservationId' in about)).toEqual([{ reservationId: id }])
    expect(marks.flatMap(({ memberId = [] }) => memberId).sort()).toEqual(seated.sort())
  })

  test('marks what a row concerned before and what it concerns now', async ({ api }) => {
    const { organizationId } = await buildBusySchool(api, { planes: 2, bookings: 1 })
    const of = `organization_id = ${organizationId}`
    const planes = `select id from resource where ${of} order by id limit 2`
    const moved = `with made as (select id from resource where ${of} order by id limit 1)
      insert into squawk (organization_id, resource_id, title, description, severity, reported_by)
      select ${organizationId}, made.id, 'Flat strut', 'Left', 'observation', (select min(id) from membership where ${of}) from made`
    const { rows } = await api.core.database.pool.query<{ id: number }>(planes)
    expect(
      await marksOf(
        api,
        `${moved}; delete from job_mark; update squawk set resource_id = (select max(id) from (${planes}) two) where ${of}`,
      ),
    ).toEqual(rows.map(({ id }) => ({ resourceId: id })))
  })

  test('marks the bookings of a member whose currency is ended, or who is grounded as pilot in command', async ({
    api,
  }) => {
    const { organizationId } = await buildBusySchool(api, { planes: 1, bookings: 1 })
    const { pool } = api.core.database
    const { rows } = await pool.query<{ id: number }>(
      `with medical as (insert into currency (organization_id, name, kind, privilege) values ($1, 'Medical', 'medical', 'private') returning id)
       insert into currency_record (organization_id, currency_id, membership_id, completed_at, medical_class, recorded_by)
       select $1, medical.id, one.id, '2026-01-10', 'third', one.id
         from medical, (select min(id) as id from membership where organization_id = $1) one returning membership_id as id`,
      [organizationId],
    )
    const memberId = rows[0]!.id
    const ended = `update currency_record set ended_on = '2026-11-20', ended_by = membership_id where membership_id = ${memberId}`
    expect(await marksOf(api, ended)).toEqual([{ memberId }])
    const grounded = `update membership set grounded = true, grounded_for = 'pic' where id = ${memberId}`
    expect(await marksOf(api, grounded)).toEqual([{ memberId }])
    expect(await marksOf(api, `${grounded}; delete from job_mark; ${grounded.replace('pic', 'all')}`)).toEqual([
      { memberId },
    ])
  })

  test('marks nothing when it changes no row, or only columns that no rule reads', async ({ api }) => {
    const { organizationId } = await buildBusySchool(api, { planes: 1, bookings: 1 })
    const of = `organization_id = ${organizationId}`
    expect(await marksOf(api, `update reservation set starts_at = starts_at where ${of}`)).toEqual([])
    expect(await marksOf(api, `update reservation set title = title || '!' where ${of}`)).toEqual([])
    expect(await marksOf(api, `update seat set starts_at = now() where ${of} and false`)).toEqual([])
    expect(
      await marksOf(
        api,
        `update organization set last_invoice_number = 7, name = 'Other' where id = ${organizationId}`,
      ),
    ).toEqual([])
    expect(
      await marksOf(api, `update organization set settings = settings || '{"a": 1}' where id = ${organizationId}`),
    ).toEqual([{}])
  })
})

test('the marks of an update of many rows do not compare each row with each other', async ({ api }) => {
  const { rows } = await api.core.database.pool.query(
    `select proname from pg_proc where proname like 'booking\\_fact\\_%\\_update' and prosrc not like '%before full join after%'`,
  )
  expect(rows).toEqual([])
})

test('the triggers of marks run once for a statement', async ({ api }) => {
  const { rows } = await api.core.database.pool.query(
    `select tgname, tgrelid::regclass::text from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.prosrc like '%insert into job_mark%' and t.tgtype & 1 = 1`,
  )
  expect(rows).toEqual([])
})
