import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import type { Opening } from '../../../shared/scheduling/openings/openings.rules.ts'
import { iso } from '../../http/iso.ts'
import {
  Instant,
  NamedReference,
  QueryIds,
  queryNumber,
  RequiredEndDate,
  RequiredStartDate,
} from '../../http/schemas.ts'
import { PersonnelView } from '../reservations/personnel.view.ts'
import { BookingProblem, beside, bookingWarnings } from '../rules/problem.view.ts'

const DAY_MS = 86_400_000
/** The longest search window for openings, in days. */
const MOST_DAYS = 31

/** The search window for openings. */
export const OpeningsWindow = z
  .object({ startDate: RequiredStartDate, endDate: RequiredEndDate })
  .refine(({ startDate, endDate }) => startDate < endDate, {
    path: ['endDate'],
    message: fieldErrors.after({ other: 'startDate' }),
  })
  .refine(({ startDate, endDate }) => endDate.getTime() - startDate.getTime() <= MOST_DAYS * DAY_MS, {
    path: ['endDate'],
    message: fieldErrors.daysAfter({ days: MOST_DAYS, other: 'startDate' }),
  })

export const OpeningsQuery = OpeningsWindow.safeExtend({
  durationMinutes: queryNumber(1, 366 * 1440).meta({
    override: { type: 'integer', minimum: 1, maximum: 527040, example: 120 },
  }),
  type: z.enum(reservationTypes),
  resourceId: QueryIds.optional().describe('Resources to choose from. Default: every resource that fits the type'),
  orgUserId: QueryIds.optional().describe('Members who are all on the booking and must be free'),
})

/** A slot that can be booked. */
export const OpeningView = z
  .object({
    start: Instant,
    end: Instant,
    resource: NamedReference.nullable(),
    personnel: PersonnelView,
    ...bookingWarnings,
  })
  .meta({ id: 'Opening' })

/** Returns an opening with its crew by orgUserId. */
export function openingView({ start, end, resource, crew, warnings }: Opening): z.input<typeof OpeningView> {
  const on = (side: string) =>
    crew.flatMap((seat) =>
      seat.side === side && seat.orgUserId !== null ? [{ orgUserId: seat.orgUserId, name: seat.name }] : [],
    )
  return {
    start: iso(start),
    end: iso(end),
    resource: resource && { id: resource.id, name: resource.name },
    personnel: {
      instructors: on('instructors'),
      students: on('students'),
      renters: on('renters'),
      pilots: on('pilots'),
      guests: [],
    },
    ...beside(warnings),
  }
}

/** The problems and warnings of a booking that is only checked. */
export const CheckView = z
  .object({
    ok: z.boolean(),
    problems: z.array(
      BookingProblem.extend({
        details: z
          .record(z.string(), z.unknown())
          .describe('The ids of the records that the problem is about. The problem has them as fields too'),
      }).meta({ id: 'CheckedProblem' }),
    ),
    warnings: z.array(BookingProblem),
  })
  .meta({ id: 'BookingCheck' })
