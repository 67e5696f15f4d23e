import { z } from 'zod'
import { meetingProviders } from '../../../shared/communication/communication.tables.ts'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { isMeetingUrl, MOST_CHARACTERS } from '../../../shared/scheduling/booking-requests/meeting-url.rules.ts'
import type { RequestedBooking } from '../../../shared/scheduling/booking-requests/request-booking.ts'
import type { ApprovalChanges } from '../../../shared/workflows/approve-request.ts'
import { Id, InstantInput, name, Reference, text, ZoneName } from '../../http/schemas.ts'
import { Ifr, Passengers, PersonnelInput, ResourceChoice, seatsOf } from '../reservations/reservations.schemas.ts'
import { OverridesInput } from '../rules/overrides.schemas.ts'

const Title = name(200)

const Meeting = z.object({
  provider: z.enum(meetingProviders),
  topic: name(200).nullish().describe('Default: the title of the request'),
})

/**
 * Checks that only a ground lesson has a video call, and that it has either a link or a meeting to create, not both.
 */
function hasFittingCall(
  body: { type: string; meetingUrl?: unknown; meeting?: unknown },
  context: z.RefinementCtx,
): void {
  const given = (['meetingUrl', 'meeting'] as const).filter((key) => body[key] != null)
  if (body.type !== 'ground') {
    for (const key of given) context.addIssue({ code: 'custom', path: [key], message: fieldErrors.forGroundLessons() })
  } else if (given.length > 1) {
    context.addIssue({ code: 'custom', path: ['meeting'], message: fieldErrors.noCallBesideMeetingUrl() })
  }
}

export const RequestBody = z
  .object({
    start: InstantInput,
    end: InstantInput,
    type: z.enum(reservationTypes),
    title: Title.nullish().describe('Default: made from the type and the caller’s name'),
    timeZoneName: ZoneName.nullish().describe('Default: the time zone of the organization'),
    notes: text(5000).nullish(),
    meetingUrl: text(MOST_CHARACTERS)
      .refine(isMeetingUrl, fieldErrors.publicAddress())
      .nullish()
      .describe('The https link of the video call. Only for a ground lesson, which then needs no room'),
    meeting: Meeting.nullish().describe(
      'The video call to create when the request is approved. Only for a ground lesson',
    ),
    resource: ResourceChoice.nullish(),
    location: Reference.nullish().describe('Default: the location of the resource'),
    passengers: Passengers.default(0),
    ifr: Ifr.default(false),
    rating: Reference.nullish().describe('The rating that the booking is for (`GET /ratings`)'),
    personnel: PersonnelInput.nullish().describe(
      'The people on the booking. Default: only the caller, on the side that pays',
    ),
  })
  .refine((body) => body.start < body.end, { path: ['end'], message: fieldErrors.after({ other: 'start' }) })
  .superRefine(hasFittingCall)

/** Returns a request body as the input of the use case. */
export function toRequest(body: z.output<typeof RequestBody>): RequestedBooking {
  return {
    type: body.type,
    start: body.start,
    end: body.end,
    title: body.title ?? null,
    zone: body.timeZoneName ?? null,
    notes: body.notes ?? null,
    meetingUrl: body.meetingUrl ?? null,
    meeting: body.meeting ? { provider: body.meeting.provider, topic: body.meeting.topic ?? null } : null,
    resourceId: body.resource?.id ?? null,
    pool: body.resource?.pool ?? null,
    locationId: body.location?.id ?? null,
    ratingId: body.rating?.id ?? null,
    passengers: body.passengers,
    ifr: body.ifr,
    seats: body.personnel ? seatsOf(body.personnel) : null,
  }
}

export const ApprovalBody = z
  .object({
    resource: Reference.nullish(),
    location: Reference.nullish(),
    instructorOrgUserId: Id.nullish().describe('Replaces the instructors of the request'),
    personnel: PersonnelInput.nullish().describe('Replaces everyone on the request; the requester must stay on it'),
    title: Title.nullish(),
    overrides: OverridesInput,
  })
  .refine((body) => body.personnel == null || body.instructorOrgUserId == null, {
    path: ['instructorOrgUserId'],
    message: fieldErrors.notBesidePersonnel(),
  })
  .prefault({})

/** Returns an approval body as the input of the use case. */
export function toApproval(body: z.output<typeof ApprovalBody>): ApprovalChanges {
  return {
    title: body.title ?? undefined,
    resourceId: body.resource?.id,
    locationId: body.location?.id,
    instructorOrgUserId: body.instructorOrgUserId ?? undefined,
    seats: body.personnel ? seatsOf(body.personnel) : undefined,
    overrides: body.overrides,
  }
}

export const RejectBody = z
  .object({
    reason: text(1000).trim().nullish().describe('Shown to the requester'),
  })
  .prefault({})
