import { sql } from 'kysely'
import { personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import type { Cents, Tenths } from '../../platform/kernel/units.ts'

/** An instructor's time in tenths of an hour, and the pay in cents. Both are signed in adjustments. */
interface Figures {
  flightDeciHours: Tenths
  groundDeciHours: Tenths
  simulatorDeciHours: Tenths
  amountCents: Cents
}

/** The pay of one instructor in a run, adjustments included. */
export interface InstructorRow extends Figures {
  orgUserId: number
  name: string
  /** The rates of the flights that the run pays for the first time; null when it only has adjustments. */
  payRates: { flight: Cents | null; ground: Cents | null; sim: Cents | null } | null
  reservationIds: number[]
  adjustments: (Figures & { reservationId: number; paidInRunId: number })[]
}

/** A flight of a run, and its instructor. */
export interface FlightOfRun {
  reservationId: number
  orgUserId: number
}

const figures = sql`'flightDeciHours', l.flight_tenths, 'groundDeciHours', l.ground_tenths, 'simulatorDeciHours', l.sim_tenths,
  'amountCents', l.amount_cents`

const instructors = sql<InstructorRow[]>`(
  select coalesce(json_agg(one order by one.name collate natural_order, one."orgUserId"), '[]') from (
    select m.id as "orgUserId", m.search_name as name, sum(l.flight_tenths) as "flightDeciHours",
      sum(l.ground_tenths) as "groundDeciHours", sum(l.sim_tenths) as "simulatorDeciHours", sum(l.amount_cents) as "amountCents",
      (array_agg(json_build_object('flight', l.flight_pay_cents, 'ground', l.ground_pay_cents, 'sim', l.sim_pay_cents))
        filter (where not l.adjustment))[1] as "payRates",
      coalesce(json_agg(l.reservation_id order by l.id) filter (where not l.adjustment), '[]') as "reservationIds",
      coalesce(json_agg(json_build_object('reservationId', l.reservation_id, 'paidInRunId', (
          select p.pay_run_id from pay_line p where p.organization_id = l.organization_id
            and p.reservation_id = l.reservation_id and not p.adjustment), ${figures}) order by l.id)
        filter (where l.adjustment), '[]') as adjustments
    from pay_line l
    join membership m on m.organization_id = l.organization_id and m.id = l.membership_id
    where l.organization_id = pay_run.organization_id and l.pay_run_id = pay_run.id
    group by m.id) one)`

const flightsWith = (flag: 'long_briefing' | 'on_behalf' | 'corrected') => sql<FlightOfRun[]>`(
  select coalesce(json_agg(json_build_object('reservationId', l.reservation_id, 'orgUserId', l.membership_id)
    order by l.id), '[]')
  from pay_line l
  where l.organization_id = pay_run.organization_id and l.pay_run_id = pay_run.id and ${sql.ref(`l.${flag}`)})`

function selectRuns(db: Db, organizationId: number) {
  return db
    .selectFrom('pay_run')
    .selectAll()
    .select([
      instructors.as('rows'),
      flightsWith('long_briefing').as('long_briefings'),
      flightsWith('on_behalf').as('signed_on_behalf'),
      flightsWith('corrected').as('corrected_after_signing'),
      personJson('pay_run.created_by').as('maker'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
}

export type PayRunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number]

/** Returns the pay runs of an organization as a list source, newest first. */
export function listPayRuns(db: Db, organizationId: number) {
  return pageable(db, selectRuns(db, organizationId))
}

/** Returns one pay run; null when the organization has none with this id. */
export async function findPayRun(db: Db, organizationId: number, id: number): Promise<PayRunRow | null> {
  return (await selectRuns(db, organizationId).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns the names of members by orgUserId. */
export async function findNames(
  db: Db,
  organizationId: number,
  orgUserIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('membership')
    .select(['id', 'search_name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...orgUserIds])
    .execute()
  return new Map(rows.map((row) => [row.id, row.search_name]))
}
