import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { withdrawMoved } from '../../shared/scheduling/recoveries/withdraw-moved.ts'
import type * as jobs from '../../shared/scheduling/scheduling.jobs.ts'
import { expireOffer, sweepOffers, wakePlaces } from '../../shared/scheduling/waitlist/expire-offer.ts'
import { offerPlaces } from '../../shared/scheduling/waitlist/offer-places.ts'
import { withdrawImpossible } from '../../shared/scheduling/waitlist/withdraw-impossible.ts'

/** The most offers of one run; the next one makes the rest. */
const MOST_OFFERS = 50

/**
 * Withdraws offers that became impossible or whose booking was moved, and offers the places that the marks of an organization name to those who wait for
 * them. Each offer is a transaction of its own.
 */
export const offerPlacesProcessor: JobProcessor<typeof jobs.offerPlaces> = async ({ organizationId }, tools) => {
  await tools.transaction((tx) => withdrawImpossible(tx, organizationId))
  await tools.transaction((tx) => withdrawMoved(tx, organizationId))
  for (let made = 0; made < MOST_OFFERS; made++) {
    if (!(await tools.transaction((tx) => offerPlaces(tx, tools, organizationId)))) break
  }
}

/** Ends an offer that nobody answered in time. */
export const expireOfferProcessor: JobProcessor<typeof jobs.expireOffer> = async (
  { organizationId, offerId },
  tools,
) => {
  await tools.transaction((tx) => expireOffer(tx, organizationId, offerId))
}

/** Ends offers whose job was lost, and looks again at places that were found in quiet hours. */
export const sweepWaitlistProcessor: JobProcessor<typeof jobs.sweepWaitlist> = async (_payload, tools) => {
  await tools.transaction(sweepOffers)
  await tools.transaction(wakePlaces)
}
