import { sql } from 'kysely'
import { findLogRows } from '../../dispatch/flight-log.queries.ts'
import { flightTotal } from '../../dispatch/flight-log.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import type { DeviceKind } from '../courses/device-ceilings.rules.ts'
import type { FlownLesson, RecordFigures } from './record-figures.rules.ts'

const lessonTypes = ['dual', 'solo', 'sim', 'ground'] as const

/**
 * Returns the flight or lesson of a record's booking, with the student's log and the kind of its device; null without a
 * booking.
 */
export async function findFlownLesson(
  db: Db,
  organizationId: number,
  { reservationId, orgUserId }: { reservationId: number | null; orgUserId: number },
): Promise<(FlownLesson & { deviceKind: DeviceKind | null }) | null> {
  if (reservationId === null) return null
  const booking = await db
    .selectFrom('reservation as r')
    .leftJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'r.organization_id').onRef('x.id', '=', 'r.resource_id'),
    )
    .select(['r.type', 'r.starts_at as start', 'r.ends_at as end', 'r.ramped_in_at as rampedInAt', 'x.traits'])
    .select(['r.hobbs_out as hobbsOut', 'r.hobbs_in as hobbsIn', 'r.briefing_tenths as briefing'])
    .where('r.organization_id', '=', organizationId)
    .where('r.id', '=', reservationId)
    .executeTakeFirst()
  if (!booking) return null
  const { briefing } = booking
  const rows = await findLogRows(db, organizationId, reservationId)
  const measured = booking.rampedInAt !== null || (booking.type === 'sim' && briefing !== null)
  return {
    type: lessonTypes.find((type) => type === booking.type) ?? 'other',
    total: measured ? flightTotal(booking) : null,
    briefing,
    log: rows.find((row) => row.orgUserId === orgUserId) ?? null,
    deviceKind: booking.type === 'sim' ? (booking.traits?.deviceKind ?? null) : null,
  }
}

/**
 * Returns the sum of each metered time over the records of a student for one booking, in tenths of hours. Amended
 * records do not count.
 */
export async function sumRecordedTimes(
  db: Db,
  organizationId: number,
  { reservationId, orgUserId }: { reservationId: number; orgUserId: number },
): Promise<Partial<RecordFigures>> {
  const sumOf = (column: string) => sql<Tenths>`coalesce(sum(${sql.ref(column)}), 0)::int`
  return db
    .selectFrom('training_record as r')
    .innerJoin('enrollment as e', (join) =>
      join.onRef('e.organization_id', '=', 'r.organization_id').onRef('e.id', '=', 'r.enrollment_id'),
    )
    .select([sumOf('r.flight_tenths').as('flightTenths'), sumOf('r.instruction_tenths').as('instructionTenths')])
    .select([sumOf('r.simulator_tenths').as('simulatorTenths'), sumOf('r.ground_tenths').as('groundTenths')])
    .where('r.organization_id', '=', organizationId)
    .where('r.reservation_id', '=', reservationId)
    .where('e.membership_id', '=', orgUserId)
    .where('r.amended_at', 'is', null)
    .executeTakeFirstOrThrow()
}
