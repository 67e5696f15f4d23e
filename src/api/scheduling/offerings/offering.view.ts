import { z } from 'zod'
import type { PublicOpening as OpenSlot } from '../../../shared/scheduling/offerings/find-public-openings.ts'
import { hoursOf, type OfferingRow } from '../../../shared/scheduling/offerings/offering.queries.ts'
import { collectionStyles } from '../../../shared/scheduling/reservations.tables.ts'
import type { BookingPrincipal } from '../../../shared/scheduling/rules/load-booking-facts.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, NamedReference } from '../../http/schemas.ts'

const offered = {
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  type: z.literal('guest'),
  durationMinutes: z.int(),
  priceCents: Cents.nullable(),
  collectionStyle: z.enum(collectionStyles),
  resourceIds: z.array(Id).describe('The ids of the aircraft that can fly it'),
  earliestMinute: z
    .int()
    .nullable()
    .describe('The earliest start, in minutes after local midnight at the location of the aircraft; null: no limit'),
  latestMinute: z
    .int()
    .nullable()
    .describe('The latest start, in minutes after local midnight at the location of the aircraft; null: no limit'),
  daylight: z
    .boolean()
    .describe('Whether start and end are between sunrise and sunset at the location of the aircraft'),
}
const stamps = { createdAt: Instant, updatedAt: Instant }

/** An offering to the public. */
export const Offering = z
  .object({
    ...offered,
    instructorOrgUserIds: z.array(Id).describe('The instructors who can fly it; empty for any instructor'),
    active: z.boolean(),
    ...stamps,
  })
  .meta({ id: 'Offering' })

/** An offering as callers without a token see it: without the instructors. */
export const PublicOffering = z
  .object({
    ...offered,
    currency: z.string(),
    timeZoneName: z.string(),
    ...stamps,
  })
  .meta({ id: 'PublicOffering' })

/** A slot that a guest can request. */
export const PublicOpening = z
  .object({
    start: Instant,
    end: Instant,
    resource: NamedReference,
  })
  .meta({ id: 'PublicOpening' })

/** Returns an offering as members see it. */
export function offeringView(row: OfferingRow): z.input<typeof Offering> {
  return { ...offeredView(row), instructorOrgUserIds: row.instructor_ids ?? [], active: row.active }
}

/** Returns an offering without its instructors, for callers without a token. */
export function publicOfferingView(
  row: OfferingRow,
  { organization }: BookingPrincipal,
): z.input<typeof PublicOffering> {
  const { settings, timeZoneName } = organization
  return { ...offeredView(row), currency: settings.currency, timeZoneName }
}

/** Returns an open slot without its crew. */
export function publicOpeningView({ start, end, resource }: OpenSlot): z.input<typeof PublicOpening> {
  return { start: iso(start), end: iso(end), resource: { id: resource.id, name: resource.name } }
}

function offeredView(row: OfferingRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: 'guest' as const,
    durationMinutes: row.duration_minutes,
    priceCents: row.price_cents,
    collectionStyle: row.collection_style,
    resourceIds: row.resource_ids ?? [],
    ...hoursOf(row),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
