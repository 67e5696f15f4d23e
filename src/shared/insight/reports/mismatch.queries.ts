import { type RawBuilder, sql } from 'kysely'
import { asTenths } from '../../platform/db/tenths.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { TOLERATED_TENTHS } from '../../training/records/record-figures.rules.ts'
import { flownIn, type ReportScope } from './flown.queries.ts'

/** A time that differs between the records of a student and the booking. */
export interface MismatchRow {
  reservationId: number
  start: Date
  orgUserId: number
  name: string
  recordIds: string
  clock: 'flight' | 'instruction' | 'simulator' | 'ground'
  recordedDeciHours: Tenths
  bookedDeciHours: Tenths
}

/** The time of a flight by its Hobbs, or of a device without meters by its briefing. */
const total = sql`case when r.hobbs_in is not null and r.hobbs_out is not null then ${asTenths(sql`r.hobbs_in - r.hobbs_out`)}
  when r.type = 'sim' then r.briefing_tenths end`

/**
 * Selects the times in which a student's records differ from the booking by more than 0.2 hours, latest first. A new
 * record gets a warning by the same rule. A student's records of one booking are added up; amended records do not
 * count.
 * Implements interface §Training record and ledger: warnings.
 */
export function selectMismatches(scope: ReportScope): RawBuilder<MismatchRow> {
  const { organizationId } = scope
  return sql<MismatchRow>`
    select r.id as "reservationId", r.starts_at as start, c.membership_id as "orgUserId", m.search_name as name,
      c.ids as "recordIds", t.clock, t.recorded as "recordedDeciHours", t.booked as "bookedDeciHours"
    from ${flownIn(scope)} f
    join reservation r on r.organization_id = ${organizationId} and r.id = f.id
    join (select d.reservation_id, e.membership_id, string_agg(d.id::text, ' ' order by d.id) as ids,
        coalesce(sum(d.flight_tenths), 0)::int as flight, coalesce(sum(d.instruction_tenths), 0)::int as instruction,
        coalesce(sum(d.simulator_tenths), 0)::int as simulator, coalesce(sum(d.ground_tenths), 0)::int as ground
      from training_record d
      join enrollment e on e.organization_id = d.organization_id and e.id = d.enrollment_id
      where d.organization_id = ${organizationId} and d.amended_at is null and d.reservation_id is not null
      group by d.reservation_id, e.membership_id) c on c.reservation_id = r.id
    join membership m on m.organization_id = ${organizationId} and m.id = c.membership_id
    cross join lateral (values
      ('flight', c.flight, case when r.type not in ('ground', 'sim') then ${total} end),
      ('instruction', c.instruction, case when r.type = 'dual' then ${total} end),
      ('simulator', c.simulator, case when r.type = 'sim' then ${total} end),
      ('ground', c.ground, case when r.type in ('dual', 'ground') then r.briefing_tenths end)) t (clock, recorded, booked)
    where abs(t.recorded - t.booked) > ${TOLERATED_TENTHS}
    order by r.starts_at desc, r.id desc, m.search_name, c.membership_id, t.clock`
}
