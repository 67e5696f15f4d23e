import { z } from 'zod'
import { readSettings } from '../../../shared/platform/authz/organization-settings.ts'
import type { LinkedOffer } from '../../../shared/scheduling/waitlist/offer-link.queries.ts'
import { offerStatuses } from '../../../shared/scheduling/waitlist/waitlist.states.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Instant } from '../../http/schemas.ts'

/** The offer of a mailed link: first names, time, aircraft and estimate, and no ids. */
export const OfferedPlace = z
  .object({
    status: z.enum(offerStatuses).meta({ choices: 'OfferStatus' }),
    firstName: z.string(),
    instructorFirstName: z.string().nullable(),
    resourceName: z.string().nullable(),
    start: Instant,
    end: Instant,
    timeZoneName: z.string(),
    estimatedCents: Cents.nullable(),
    currency: z.string(),
    expiresAt: Instant,
  })
  .meta({ id: 'OfferedPlace' })

export function offeredPlaceView(offer: LinkedOffer, now: Date): z.input<typeof OfferedPlace> {
  const isLate = offer.status === 'open' && offer.expiresAt <= now
  return {
    status: isLate ? 'expired' : offer.status,
    firstName: firstName(offer.personName),
    instructorFirstName: offer.instructorName === null ? null : firstName(offer.instructorName),
    resourceName: offer.resourceName,
    start: iso(offer.start),
    end: iso(offer.end),
    timeZoneName: offer.zone,
    estimatedCents: offer.estimatedCents,
    currency: readSettings(offer.settings).currency,
    expiresAt: iso(offer.expiresAt),
  }
}

function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}
