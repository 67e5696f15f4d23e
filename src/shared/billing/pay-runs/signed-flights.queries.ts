import { type RawBuilder, sql } from 'kysely'
import { isLongBriefing } from '../../dispatch/meters.rules.ts'
import type { ReservationType, ResourceKind } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import { instructorHours } from '../flight-bill/charges.rules.ts'
import type { PaidLine, SignedFlight } from './pay.rules.ts'

/** A flight that is signed off, with its instructor. */
export interface SignedFlightRow {
  reservationId: number
  orgUserId: number | null
  name: string | null
  type: ReservationType
  startsAt: Date
  endsAt: Date
  resourceKind: ResourceKind | null
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  briefing: Tenths | null
  signedOffAt: Date
  onBehalf: boolean
  corrected: boolean
  flightPay: Cents | null
  groundPay: Cents | null
  simPay: Cents | null
}

/** Returns the facts that the pay of a flight depends on. */
export function signedFlightOf(row: SignedFlightRow): SignedFlight {
  const booked = { start: row.startsAt, end: row.endsAt }
  const { reservationId, orgUserId, onBehalf, corrected, signedOffAt } = row
  return {
    reservationId,
    orgUserId,
    onBehalf,
    corrected,
    signedOffAt,
    hours: instructorHours({
      type: row.type,
      booked,
      resource: row.resourceKind && { kind: row.resourceKind },
      readings: { hobbsOut: row.hobbsOut, hobbsIn: row.hobbsIn, tachOut: null, tachIn: null },
      briefing: row.briefing,
    }),
    rates: { flight: row.flightPay, ground: row.groundPay, sim: row.simPay },
    longBriefing: row.briefing !== null && isLongBriefing(row.briefing, booked),
  }
}

const ended = sql`coalesce(r.ramped_in_at, r.ends_at)`
const over = sql`(r.ramped_in_at is not null or r.briefing_tenths is not null)`

/** When the figures of a flight were signed off, or corrected after that while the signatures stood. */
const settled = sql`coalesce(r.corrected_at, r.signed_off_at)`

function selectSigned(organizationId: number, where: RawBuilder<unknown>): RawBuilder<SignedFlightRow> {
  return sql<SignedFlightRow>`
    select r.id as "reservationId", m.id as "orgUserId", m.search_name as name, r.type, r.starts_at as "startsAt",
      r.ends_at as "endsAt", x.kind as "resourceKind", r.hobbs_out as "hobbsOut", r.hobbs_in as "hobbsIn",
      r.briefing_tenths as briefing, ${settled} as "signedOffAt", r.corrected_at is not null as corrected, m.flight_pay_cents as "flightPay",
      m.ground_pay_cents as "groundPay", m.sim_pay_cents as "simPay",
      exists (select from confirmation c where c.organization_id = r.organization_id and c.reservation_id = r.id
        and c.recorded_by is not null) as "onBehalf"
    from reservation r
    left join seat s on s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'instructors'
    left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where r.organization_id = ${organizationId} and r.live and r.signed_off_at is not null and ${where}
    order by ${ended}, r.id`
}

/**
 * Selects the flights with an instructor that ended in a window and are signed off, in the order in which they ended. The
 * end is the ramp-in, and the booked end of lessons that have none.
 */
export function selectTaught(organizationId: number, { start, end }: Interval): RawBuilder<SignedFlightRow> {
  return selectSigned(
    organizationId,
    sql`${over} and ${ended} >= ${start} and ${ended} < ${end} and s.membership_id is not null`,
  )
}

/** Returns the flights of `selectTaught` that are in no pay run. */
export async function findUnpaid(db: Db, organizationId: number, { start, end }: Interval): Promise<SignedFlight[]> {
  const unpaid = sql`${over} and ${ended} >= ${start} and ${ended} < ${end} and s.membership_id is not null
    and not exists (select from pay_line p where p.organization_id = r.organization_id and p.reservation_id = r.id)`
  const { rows } = await selectSigned(organizationId, unpaid).execute(db)
  return rows.map(signedFlightOf)
}

/** Returns the flights that were corrected or signed off again after a run paid them. `paid`: the lines of earlier runs, oldest first. */
export async function findSignedAgain(
  db: Db,
  organizationId: number,
): Promise<{ flight: SignedFlight; paid: PaidLine[] }[]> {
  const again = sql`r.id in (select p.reservation_id from pay_line p where p.organization_id = ${organizationId})
    and not exists (select from pay_line p where p.organization_id = r.organization_id and p.reservation_id = r.id
      and p.signed_off_at = ${settled})`
  const { rows } = await selectSigned(organizationId, again).execute(db)
  if (rows.length === 0) return []
  const lines = await db
    .selectFrom('pay_line')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(
      'reservation_id',
      'in',
      rows.map(({ reservationId }) => reservationId),
    )
    .orderBy('id')
    .execute()
  const paidOf = Map.groupBy(lines, (line) => line.reservation_id)
  return rows.map((row) => ({
    flight: signedFlightOf(row),
    paid: (paidOf.get(row.reservationId) ?? []).map((line) => ({
      orgUserId: line.membership_id,
      hours: { flight: line.flight_tenths, ground: line.ground_tenths, sim: line.sim_tenths },
      rates: { flight: line.flight_pay_cents, ground: line.ground_pay_cents, sim: line.sim_pay_cents },
      amountCents: line.amount_cents,
    })),
  }))
}
