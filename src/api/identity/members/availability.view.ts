import { z } from 'zod'
import type { TimeOffRow } from '../../../shared/identity/members/availability.queries.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { suggestedRecovery } from '../../http/recovery-request.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** One interval of a weekly pattern, in minutes after local midnight in the organization's zone. */
export const Availability = z
  .object({
    dayOfWeek: z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday'),
    startMinute: z.int().min(0).max(1439).describe('Minutes after local midnight'),
    endMinute: z.int().min(1).max(1440).describe('1440 is the end of the day'),
  })
  .meta({ id: 'Availability' })

/** A single absence. */
export const TimeOff = z
  .object({
    id: Id,
    orgUserId: Id,
    name: z.string(),
    start: Instant,
    end: Instant,
    reason: z.string().nullable().describe('Only the member and desk staff see it; null for others'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TimeOff' })

/** A new absence, with what becomes of the bookings in it. */
export const NewTimeOff = TimeOff.extend({ recovery: suggestedRecovery }).meta({ id: 'NewTimeOff' })

export function timeOffView(row: TimeOffRow, reader: Actor): z.input<typeof TimeOff> {
  const mayKnowWhy = row.membership_id === reader.orgUserId || is(reader, deskStaff)
  return {
    id: row.id,
    orgUserId: row.membership_id,
    name: row.name,
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    reason: mayKnowWhy ? row.reason : null,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
