import { z } from 'zod'
import type { RecoveryRecord, RecoveryRowRecord } from '../../../shared/scheduling/recoveries/recovery.queries.ts'
import {
  consentCauses,
  planBases,
  planOutcomes,
  recoveryStatuses,
  unofferedCauses,
} from '../../../shared/scheduling/recoveries/recovery.types.ts'
import { offerStatuses } from '../../../shared/scheduling/waitlist/waitlist.states.ts'
import { iso } from '../../http/iso.ts'
import { RecoveryCause, RecoveryReach, RecoveryRequest } from '../../http/recovery-request.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { BookingProblem } from '../rules/problem.view.ts'

const Place = z
  .object({ start: Instant, end: Instant, resourceId: Id.nullable(), instructorOrgUserId: Id.nullable() })
  .meta({ id: 'PlannedPlace' })

const Row = z
  .object({
    reservationId: Id,
    outcome: z
      .enum([...planOutcomes, 'refused'])
      .describe(
        'What changes: `time`, or else `instructor`, or else `aircraft`. `left`: no place, or its offer was not made or accepted. ' +
          '`refused`: the rules refused the new place',
      ),
    applied: z.boolean().describe('Whether the booking has its new place'),
    operationId: Id.nullable().describe('The bulk operation that applies it'),
    offer: z
      .object({ id: Id, status: z.enum(offerStatuses) })
      .nullable()
      .describe('The offer to the person who has to agree; null when none was made'),
    unoffered: z
      .enum(unofferedCauses)
      .nullable()
      .describe(
        'Why its place was not offered, or `waits`: another booking of the plan stands there until it is moved',
      ),
    from: Place,
    to: Place.nullable(),
    consent: z
      .array(
        z.object({
          orgUserId: Id.nullable().describe('null for a guest, whom the desk asks'),
          because: z.enum(consentCauses),
        }),
      )
      .describe('Who has to agree, and to what; empty when nobody has to'),
    problems: z.array(BookingProblem).describe('Why the booking cannot stay, or why the rules refused its new place'),
    points: z.int().nullable().describe('null for technicians'),
  })
  .meta({ id: 'RecoveryRow' })

/** A recovery without its rows. */
export const Recovery = z
  .object({
    id: Id.describe('Also the id of its operation'),
    status: z.enum(recoveryStatuses),
    cause: RecoveryCause.extend({
      maintenance: z
        .object({
          title: z.string(),
          resourceId: Id,
          start: Instant,
          end: Instant,
          reservationId: Id.nullable().describe('The booking, once the plan is applied'),
        })
        .meta({ id: 'PlannedMaintenance' })
        .optional()
        .describe('The maintenance booking that is written with the plan'),
    }).meta({ id: 'PlannedCause' }),
    asserted: z
      .boolean()
      .describe(
        'Whether the cause of at least one displaced booking is on no record: no grounding, closure, time off or hold',
      ),
    startDate: Instant,
    endDate: Instant,
    reach: RecoveryReach,
    displaced: z.int().describe('How many bookings are displaced'),
    kept: z.int().describe('How many bookings have a place in the plan'),
    left: z.int().describe('How many bookings have none'),
    basis: z.enum(planBases).nullable().describe('`exact`: no plan has more points. null before the plan is there'),
    gapPercent: z
      .number()
      .nullable()
      .describe('By how many percent the points may fall short of the best plan. null before the plan is there'),
    startedBy: Person,
    plannedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Recovery' })

/** A recovery with its rows. */
export const RecoveryPlan = Recovery.extend({
  rows: z.array(Row),
  next: RecoveryRequest.nullable().describe('Once it was applied: the request that plans what is left'),
}).meta({ id: 'RecoveryPlan' })

/** Returns a recovery with the names of the interface. */
export function recoveryView(row: RecoveryRecord): z.input<typeof Recovery> {
  const { start, end, gapTenths, plannedAt, createdAt, updatedAt, cause, ...rest } = row
  const { maintenance, ...causes } = cause
  return {
    ...rest,
    cause: { ...causes, ...(maintenance && { maintenance: { reservationId: null, ...maintenance } }) },
    startDate: iso(start),
    endDate: iso(end),
    gapPercent: gapTenths === null ? null : gapTenths / 10,
    plannedAt: iso(plannedAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** Returns a row of a plan for a technician: without persons, reasons, which can name them, and points, which tell of their training. */
export function withoutPersons(row: z.input<typeof Row>): z.input<typeof Row> {
  const { from, to } = row
  return {
    ...row,
    from: { ...from, instructorOrgUserId: null },
    to: to && { ...to, instructorOrgUserId: null },
    consent: row.consent.map((one) => ({ ...one, orgUserId: null })),
    problems: [],
    points: null,
  }
}

/** Returns a row of a plan with the names of the interface. */
export function recoveryRowView({
  reservationId,
  outcome,
  detail,
  bulk,
  offer,
  isLeft,
  isCancelled,
}: RecoveryRowRecord): z.input<typeof Row> {
  const isRefused = bulk?.outcome === 'refused'
  const { from, to, consent, points } = detail
  return {
    reservationId,
    outcome: isRefused ? 'refused' : isLeft ? 'left' : outcome,
    applied: bulk?.outcome === 'done' || offer?.status === 'accepted',
    offer,
    unoffered: isCancelled ? 'booking_changed' : (isLeft && detail.unoffered) || null,
    operationId: bulk?.operationId ?? null,
    from,
    to,
    consent,
    problems: (isRefused ? bulk.problems : detail.problems) as z.input<typeof BookingProblem>[],
    points,
  }
}
