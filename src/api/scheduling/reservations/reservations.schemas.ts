import { z } from 'zod'
import { reservationTypes, type Side, seatSides } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { collectionStyles } from '../../../shared/scheduling/reservations.tables.ts'
import type { NewBooking, SeatInput } from '../../../shared/scheduling/rules/booking-input.types.ts'
import type { LessonPlan } from '../../../shared/training/enrollments/plan-lessons.ts'
import { lessonIdsOf } from '../../../shared/training/enrollments/plan-lessons.ts'
import type { ReservationChanges } from '../../../shared/workflows/change-reservation.ts'
import {
  Email,
  Id,
  InstantInput,
  MAX_CENTS,
  MemberReference,
  name,
  oneLine,
  properName,
  Reference,
  text,
  ZoneName,
} from '../../http/schemas.ts'
import { OverridesInput } from '../rules/overrides.schemas.ts'
import { BookingRecurrence } from '../rules/recurrence.schemas.ts'
import { SoloInput } from './solo-flight.schemas.ts'

/** The most people on a side in a body, more than any side may have. A longer list is refused before the rules run. */
const MOST_ON_A_SIDE = 50

const GuestSeat = z
  .union([
    z.object({ guestId: Id }),
    z.object({ name: properName(200), email: Email.nullish(), phone: oneLine(50).trim().nullish() }),
  ])
  .meta({ id: 'GuestSeat' })

const Members = z.array(MemberReference).max(MOST_ON_A_SIDE)
const Guests = z.array(GuestSeat).max(MOST_ON_A_SIDE)

/**
 * The people on the booking, by side; the first of a side is the leading payer. Implements interface §Reservations rule
 * 5.
 */
export const PersonnelInput = z
  .object({
    instructors: Members.default([]),
    students: Members.default([]),
    renters: Members.default([]),
    pilots: Members.default([]),
    guests: Guests.default([]),
  })
  .meta({ id: 'Personnel' })

/** The sides of a booking that are replaced. Absent sides stay. */
export const PersonnelChange = z
  .object({
    instructors: Members.optional(),
    students: Members.optional(),
    renters: Members.optional(),
    pilots: Members.optional(),
    guests: Guests.optional(),
  })
  .meta({ id: 'Personnel' })

/** A resource by its id, or a pool. */
export const ResourceChoice = z
  .object({
    id: Id.optional(),
    pool: name(40)
      .nullish()
      .describe(
        'In place of `id`: takes the first resource of the pool that is accepted, by the least booked hours on that ' +
          'local day, then by id; at most 20 are tried. With `location` only those that are based there',
      ),
  })
  .superRefine(({ id, pool = null }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (id === undefined && pool === null) wrong('id', fieldErrors.required())
    if (id !== undefined && pool !== null) wrong('pool', fieldErrors.notBeside({ other: 'id' }))
  })
  .meta({ id: 'ResourceChoice' })

const Title = name(200)
const Notes = text(5000)

export const Passengers = z
  .int()
  .min(0)
  .max(100)
  .describe('The number of people aboard who are not on the booking; only for rental and shared flights')
export const Ifr = z
  .boolean()
  .describe(
    'Whether the flight is under instrument flight rules. Overdue maintenance items of the scope `ifr` then ' +
      'prevent the booking (14 CFR 91.411)',
  )

/** The lesson that is planned for a student. */
export const StudentLesson = z.object({ orgUserId: Id, lessonId: Id }).meta({ id: 'StudentLesson' })

const lessons = {
  lessonId: Id.nullish().describe(
    'The lesson that is planned for every student. It belongs to a course in which each student is enrolled. null: ' +
      'no lesson. Ignored when `lessons` is given',
  ),
  lessons: z
    .array(StudentLesson)
    .max(MOST_ON_A_SIDE)
    .optional()
    .describe('The lesson that is planned for each student, at most one per student'),
}

export const CreateReservationBody = z
  .object({
    title: Title,
    type: z
      .enum(reservationTypes)
      .describe(
        'Owners, admins and dispatchers may create every type; instructors solo, dual, ground, guest and sim; students ' +
          'solo, dual, ground and sim; renters rental and shared; technicians maintenance',
      ),
    start: InstantInput,
    end: InstantInput,
    timeZoneName: ZoneName,
    notes: Notes.nullish(),
    resource: ResourceChoice.nullish(),
    location: Reference.nullish().describe('Default: the location of the resource'),
    personnel: PersonnelInput.prefault({}),
    passengers: Passengers.default(0),
    ifr: Ifr.default(false),
    solo: SoloInput.nullish(),
    ...lessons,
    recurrence: BookingRecurrence.nullish(),
    collectionStyle: z
      .enum(collectionStyles)
      .default('close_out')
      .describe(
        '`close_out` bills the flight after its close-out; `prepaid_fixed` charges `prepaidAmountCents` to the first payer ' +
          'at booking, and the answer waits up to 10 seconds for the payment processor',
      ),
    prepaidAmountCents: inCents(z.int().min(50).max(MAX_CENTS))
      .nullish()
      .describe('Required when `collectionStyle` is `prepaid_fixed`'),
    overrides: OverridesInput,
    displace: z
      .boolean()
      .default(false)
      .describe(
        'Of one maintenance booking: plans other places for the bookings of its time, and books nothing yet. Desk staff apply ' +
          'the plan, which writes the booking',
      ),
  })
  .refine((body) => body.collectionStyle !== 'prepaid_fixed' || body.prepaidAmountCents != null, {
    path: ['prepaidAmountCents'],
    message: fieldErrors.prepaidAmountTooLow(),
  })
  .meta({
    id: 'NewReservation',
  })

type CreateBody = z.output<typeof CreateReservationBody>

/** Returns a create body as the input of the use case. */
export function toCreate(body: CreateBody): NewBooking {
  return {
    id: null,
    title: body.title,
    type: body.type,
    start: body.start,
    end: body.end,
    zone: body.timeZoneName,
    notes: body.notes ?? null,
    resourceId: body.resource?.id ?? null,
    pool: body.resource?.pool ?? null,
    locationId: body.location?.id ?? null,
    seats: seatsOf(body.personnel),
    passengers: body.passengers,
    ifr: body.ifr,
    solo: body.solo ?? null,
    recurrence: body.recurrence ?? null,
    collectionStyle: body.collectionStyle,
    prepaidAmountCents: body.collectionStyle === 'prepaid_fixed' ? (body.prepaidAmountCents ?? null) : null,
    overrides: body.overrides,
    lessonIds: lessonIdsOf(body),
  }
}

/** Returns the people on all sides of a body as one list of seats, in order. */
export function seatsOf(personnel: z.output<typeof PersonnelChange>): SeatInput[] {
  const members = (['instructors', 'students', 'renters', 'pilots'] as const).flatMap(
    (side: Side & keyof typeof personnel) =>
      (personnel[side] ?? []).map((seat, index) => ({ side, index, ...(seat as { orgUserId: number }) })),
  )
  const guests = (personnel.guests ?? []).map((seat, index) =>
    'guestId' in seat
      ? { side: 'guests' as const, index, guestId: seat.guestId }
      : { side: 'guests' as const, index, name: seat.name, email: seat.email ?? null, phone: seat.phone ?? null },
  )
  return [...members, ...guests]
}

export const ChangeReservationBody = z.object({
  title: Title.optional(),
  start: InstantInput.optional(),
  end: InstantInput.optional(),
  notes: Notes.nullish().describe('null deletes the notes'),
  passengers: Passengers.optional(),
  ifr: Ifr.optional(),
  solo: SoloInput.nullish().describe('null: not given; the planned lesson then decides'),
  expectedBackAt: InstantInput.optional().describe(
    'When a flight that has left is expected back, at most 60 days ahead. Only for callers who may ramp it in',
  ),
  overrides: OverridesInput,
  resource: Reference.nullish().describe('null removes the resource'),
  location: Reference.nullish().describe('null, and a new `resource`, set the location of the resource'),
  personnel: PersonnelChange.optional().describe(
    'The people to replace, by side (`instructors`, `students` and so on). A side that is left out stays; `[]` ' +
      'empties a side. When the payers have shares, a payer can be removed only by themselves or by desk staff, and one who ' +
      'is added by another payer pays at most an equal share; `warnings` has `payers_changed` when the shares no longer add up',
  ),
  ...lessons,
})

/** Returns a body of changes as the input of the use case. */
export function toChanges({
  resource,
  location,
  personnel,
  ...changes
}: z.output<typeof ChangeReservationBody>): ReservationChanges & LessonPlan {
  const given = seatSides.filter((side) => personnel?.[side] !== undefined)
  const seats = seatsOf(personnel ?? {})
  return {
    ...changes,
    resourceId: resource === null ? null : resource?.id,
    locationId: location === null ? null : location?.id,
    sides: given.map((side) => ({ side, seats: seats.filter((seat) => seat.side === side) })),
  }
}
