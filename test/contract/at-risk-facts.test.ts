import { expect } from 'vitest'
import { currencyKinds } from '../../src/shared/qualification/currencies/currency.rules.ts'
import { ruleCatalogue } from '../../src/shared/scheduling/rules/rule-catalogue.rules.ts'
import { buildBusySchool, flaggedAndFound } from '../support/at-risk.ts'
import { apiTest } from '../support/fixtures.ts'
import { countStatements } from '../support/statements.ts'

const test = apiTest()

/** What is read for its name alone, and what is not asked of a booking that stands: what is paid ahead, and the weather. */
const noFacts = ['account', 'autopay_charge', 'guest', 'invoice', 'ledger_entry', 'package_purchase', 'pilot_minimums']
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
    `insert into currency (organization_id, name, kind, enforcement, flight_count, flight_days, privilege)
     select $1, kind, kind, 'block', case kind when 'recent_flights' then 3 end, case kind when 'recent_flights' then 90 end,
       case kind when 'medical' then 'private' end from unnest($2::text[]) kind`,
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
    `select distinct tgrelid::regclass::text as table from pg_trigger where tgfoid = 'booking_fact_changed'::regproc`,
  )
  const declared = api.core.database.tables.filter(({ readByBookingRules }) => readByBookingRules)
  expect([...read].filter((table) => !noFacts.includes(table)).sort()).toEqual(marked.map(({ table }) => table).sort())
  expect(declared.map(({ name }) => name).sort()).toEqual(marked.map(({ table }) => table).sort())
})
