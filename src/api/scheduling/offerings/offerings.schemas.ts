import { z } from 'zod'
import { collectionStyles } from '../../../shared/scheduling/reservations.tables.ts'
import { CentsInput, Email, Id, InstantInput, name, oneLine, properName, Reference, text } from '../../http/schemas.ts'

const startMinute = z.int().min(0).max(1439).nullable()

const fields = {
  name: name(200),
  description: text(5_000).nullable(),
  type: z.literal('guest'),
  durationMinutes: z.int().min(15).max(1440),
  priceCents: CentsInput.nullable().describe(
    'The price of the whole flight, in cents; at least 50 for `prepaid_fixed`',
  ),
  collectionStyle: z
    .enum(collectionStyles)
    .describe('`prepaid_fixed` charges the price when desk staff approve a request'),
  resourceIds: z.array(Id).min(1).max(200).describe('The ids of the planes that can fly it'),
  instructorOrgUserIds: z.array(Id).max(500).describe('The instructors who can fly it; empty for any instructor'),
  active: z.boolean().describe('Whether the public sees the offering'),
  earliestMinute: startMinute.describe(
    'The earliest start, in minutes after local midnight at the location of the aircraft; null: no limit',
  ),
  latestMinute: startMinute.describe(
    'The latest start, in minutes after local midnight at the location of the aircraft; after `earliestMinute`; null: no limit',
  ),
  daylight: z
    .boolean()
    .describe(
      'Whether start and end must be between sunrise and sunset at the location of the aircraft. ' +
        'Refused for a location without `coordinates`; when they are removed later, this offering has no openings there',
    ),
}

export const OfferingBody = z.object({
  ...fields,
  description: fields.description.default(null),
  type: fields.type.default('guest'),
  priceCents: fields.priceCents.default(null),
  collectionStyle: fields.collectionStyle.default('close_out'),
  instructorOrgUserIds: fields.instructorOrgUserIds.default([]),
  active: fields.active.default(true),
  earliestMinute: fields.earliestMinute.default(null),
  latestMinute: fields.latestMinute.default(null),
  daylight: fields.daylight.default(false),
})

export const OfferingPatch = z.object(fields).partial()

export const GuestRequestBody = z.object({
  name: properName(200),
  email: Email,
  phone: oneLine(50).trim().min(1),
  start: InstantInput,
  resource: Reference.nullish().describe(
    'An aircraft that is free at this start. It is then held for 30 minutes, unless desk staff book it; the guest is mailed ' +
      'whether it is held, and when the hold ends early. An email address holds at most one aircraft of an offering, and the ' +
      'unconfirmed requests of an IP network two; further requests hold none. Default: desk staff choose one',
  ),
})

/** The answer to a guest's request. Callers without a token learn nothing else. */
export const GuestRequestView = z
  .object({ id: Id, status: z.enum(['awaiting_confirmation', 'pending']) })
  .meta({ id: 'GuestRequest' })
