import { sql } from 'kysely'
import { typeRules } from '../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../platform/db/database.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { type Block, blocksOtherwise, type PayingSide } from './own-blocks.rules.ts'

type PaidRow = Pick<ReservationRow, 'id' | 'type' | 'seats'>

/** Returns the members who pay for a booking, and which of them have changed their own papers since it was made. */
export async function findPayingSide(
  db: Db,
  organizationId: number,
  { id, type, seats }: PaidRow,
): Promise<PayingSide> {
  const { pays } = typeRules[type]
  const orgUserIds = seats.flatMap(({ side, orgUserId }) => (side === pays ? (orgUserId ?? []) : []))
  const { rows } = await sql<{ orgUserId: number }>`
    select distinct e.membership_id as "orgUserId" from event e
    where e.organization_id = ${organizationId} and e.membership_id = any(${orgUserIds}::int[])
      and e.sequence > coalesce((select min(m.sequence) from event m where m.organization_id = ${organizationId}
        and m.subject_kind = 'reservation' and m.subject_id = ${id} and m.kind = 'reservation.created'), 0)
      and (e.kind = 'document.deleted' or e.kind in ('currency.ended', 'profile.changed', 'minimums.changed')
        and e.subject_kind = 'member' and e.subject_id = e.membership_id)`.execute(db)
  return { orgUserIds, changedPapers: new Set(rows.map(({ orgUserId }) => orgUserId)) }
}

/** Returns whether a rule blocks a booking for another reason than what the side that pays has done itself. */
export async function isBlockedOtherwise(
  db: Db,
  organizationId: number,
  reservationId: number,
  side: PayingSide,
): Promise<boolean> {
  const { rows } = await sql<{ rules: string[]; findings: Block[] }>`
    select rules, for_desk as findings from reservation_at_risk
    where organization_id = ${organizationId} and reservation_id = ${reservationId} and rules <> '[]'`.execute(db)
  return rows.some((flag) => blocksOtherwise(flag, side))
}
