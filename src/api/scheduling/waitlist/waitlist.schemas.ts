import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import type { AskedEntry } from '../../../shared/scheduling/waitlist/entry.access.ts'
import {
  answeredHow,
  offerStatuses,
  shownStatuses,
  waitingTypes,
} from '../../../shared/scheduling/waitlist/waitlist.states.ts'
import type { EntryChanges } from '../../../shared/scheduling/waitlist/write-entry.ts'
import { ListQuery } from '../../http/lists.ts'
import { distinct, Id, InstantInput, name, oneLine, queryWords } from '../../http/schemas.ts'

/** The length of a window. */
const [LEAST_MINUTES, MOST_DAYS] = [30, 14]
const MINUTE_MS = 60_000

const Window = z
  .object({ start: InstantInput, end: InstantInput })
  .refine(({ start, end }) => start < end, { path: ['end'], message: fieldErrors.after({ other: 'start' }) })
  .refine(
    ({ start, end }) => {
      const minutes = (end.getTime() - start.getTime()) / MINUTE_MS
      return minutes >= LEAST_MINUTES && minutes <= MOST_DAYS * 1_440
    },
    { path: ['end'], message: fieldErrors.windowLength({ minutes: LEAST_MINUTES, days: MOST_DAYS }) },
  )
  .meta({ id: 'WaitlistWindow' })

const fields = {
  durationMinutes: z
    .int()
    .min(30)
    .max(480)
    .refine((minutes) => minutes % 15 === 0, fieldErrors.quarterHours()),
  windows: z.array(Window).min(1).max(14).describe('The times within which the place must lie. They do not overlap'),
  resourceIds: z
    .array(Id)
    .max(50)
    .transform(distinct)
    .describe('The aircraft or simulators to take. Empty: any on which the booking would be accepted'),
  pool: name(40)
    .nullable()
    .describe('A pool of aircraft (`resource.pool`) of which any will do, in place of `resourceIds`'),
  instructorOrgUserIds: z
    .array(Id)
    .max(50)
    .transform(distinct)
    .describe('For `dual`: the instructors to fly with. Empty: any'),
  noticeMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .describe('The least time from accepting an offer to the start of the booking'),
  insteadOf: Id.nullable().describe(
    'The member’s booking that moves when an offer is accepted. Only places that start before this booking are offered',
  ),
}

export const WaitlistEntryBody = z.object({
  orgUserId: Id.nullish().describe('The member who waits. Default: the caller'),
  type: z.enum(waitingTypes).meta({ choices: 'WaitingType' }),
  durationMinutes: fields.durationMinutes,
  windows: fields.windows,
  resourceIds: fields.resourceIds.default([]),
  pool: fields.pool.default(null),
  instructorOrgUserIds: fields.instructorOrgUserIds.default([]),
  noticeMinutes: fields.noticeMinutes.default(180),
  insteadOf: fields.insteadOf.default(null),
})

/** Returns a body as the input of the use case. */
export function toEntry(body: z.output<typeof WaitlistEntryBody>, caller: { orgUserId: number }): AskedEntry {
  const { orgUserId, instructorOrgUserIds: instructorIds, insteadOf: insteadOfId, ...rest } = body
  return { ...rest, orgUserId: orgUserId ?? caller.orgUserId, instructorIds, insteadOfId }
}

export const WaitlistEntryPatch = z.object({
  durationMinutes: fields.durationMinutes.optional(),
  windows: fields.windows.optional(),
  resourceIds: fields.resourceIds.optional(),
  pool: fields.pool.optional(),
  instructorOrgUserIds: fields.instructorOrgUserIds.optional(),
  noticeMinutes: fields.noticeMinutes.optional(),
  insteadOf: fields.insteadOf.optional(),
})

/** Returns a change as the input of the use case. */
export function toEntryChanges(body: z.output<typeof WaitlistEntryPatch>): EntryChanges {
  const { instructorOrgUserIds: instructorIds, insteadOf: insteadOfId, ...rest } = body
  return { ...rest, instructorIds, insteadOfId }
}

export const WaitlistQuery = ListQuery.extend({
  status: queryWords(shownStatuses).optional().describe('Entries with these statuses'),
})

export const OffersQuery = ListQuery.extend({
  status: queryWords(offerStatuses).optional().describe('Offers with these statuses'),
})

const how = z
  .enum(answeredHow)
  .exclude(['link'])
  .meta({ choices: 'AnsweredHow' })
  .nullish()
  .describe('How the person answered. Required when somebody answers in their name')

export const OfferAnswerBody = z.object({ how }).meta({ id: 'OfferReply' }).prefault({})

const token = oneLine(200)

export const OfferTokenBody = z.object({ token })
export const OfferLinkBody = z.object({ token, answer: z.enum(['accept', 'decline']) })
