import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import type { Opening } from '../../../shared/scheduling/openings/openings.rules.ts'
import type { StartOfDay } from '../../../shared/scheduling/openings/openings-by-day.rules.ts'
import { iso } from '../../http/iso.ts'
import {
  Id,
  Instant,
  NamedReference,
  oneLine,
  QueryIds,
  QueryMembers,
  queryNumber,
  queryWords,
} from '../../http/schemas.ts'
import { requiredWindow } from '../../http/windows.ts'
import { CancellationTerms } from '../reservations/fee.view.ts'
import { PersonnelView } from '../reservations/personnel.view.ts'
import { soloQuery } from '../reservations/solo-flight.schemas.ts'
import { BookingProblem, beside, bookingWarnings } from '../rules/problem.view.ts'

/** The longest search window for openings. */
export const openingsRule = { mostDays: 31 }

const minutes = { override: { type: 'integer', minimum: 0, maximum: 1439 } } as const

/** The search window for openings. */
export const OpeningsWindow = z.object(requiredWindow)

export const OpeningsQuery = OpeningsWindow.extend({
  durationMinutes: queryNumber(1, 366 * 1440).meta({
    override: { type: 'integer', minimum: 1, maximum: 527040, example: 120 },
  }),
  type: queryWords(reservationTypes)
    .refine((types) => types.length === 1, fieldErrors.onlyOne())
    .describe('Exactly one type of booking'),
  resourceId: QueryIds.optional().describe(
    'Resources to choose from. Default: every resource that fits the type, or no room for a ground lesson',
  ),
  pool: oneLine(40)
    .trim()
    .min(1)
    .optional()
    .describe('The pool to choose from, in place of `resourceId`; case does not matter'),
  startsPerDay: queryNumber(1, 96)
    .optional()
    .meta({ override: { type: 'integer', minimum: 1, maximum: 96 } })
    .describe(
      'Makes each row a start. Each local day is divided into this many equal parts; the first start of each part is ' +
        'returned, then the earliest others up to this number',
    ),
  earliestMinute: queryNumber(0, 1439)
    .optional()
    .meta(minutes)
    .describe('The earliest start, in minutes after local midnight'),
  latestMinute: queryNumber(0, 1439)
    .optional()
    .meta(minutes)
    .describe('The latest start, in minutes after local midnight; later than `earliestMinute`'),
  orgUserId: QueryMembers.optional().describe('Members who are all on the booking and must be free'),
  ...soloQuery,
})
  .refine(({ pool, resourceId }) => pool === undefined || resourceId === undefined, {
    path: ['pool'],
    message: fieldErrors.notBeside({ other: 'resourceId' }),
  })
  .refine(({ earliestMinute = -1, latestMinute = 1440 }) => earliestMinute < latestMinute, {
    path: ['latestMinute'],
    message: fieldErrors.after({ other: 'earliestMinute' }),
  })

/** A slot that can be booked. */
export const OpeningView = z
  .object({
    start: Instant,
    end: Instant,
    resource: NamedReference.nullable(),
    resources: z
      .array(Id)
      .optional()
      .describe(
        'With `startsPerDay`: the ids of all resources that are free then, at most 50; `resource` is the first',
      ),
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

/** Returns a start of a day as a row: its first opening, with the ids of all resources that are free then. */
export function startView({ resourceIds, ...first }: StartOfDay): z.input<typeof OpeningView> {
  return { ...openingView(first), resources: resourceIds }
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
    cancellationTerms: CancellationTerms,
  })
  .meta({ id: 'BookingCheck' })
