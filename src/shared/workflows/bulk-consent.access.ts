import type { Sentence } from '../platform/kernel/errors.ts'
import type { ResourceChoice } from '../scheduling/recoveries/consent.rules.ts'
import { consentNow } from '../scheduling/recoveries/consent-now.rules.ts'
import { type JudgedRow, storedBooking } from '../scheduling/reservations/reservation.access.ts'
import { estimatedCost } from '../scheduling/rules/balance.rules.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import type { BookingToPlan } from '../scheduling/rules/booking-input.types.ts'
import type { BulkChange } from './bulk.types.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** What is known when a planned change is applied. */
interface Now {
  resources: readonly ResourceChoice[]
  factsOf(booking: BookingToPlan): BookingFacts
}

/** Returns why a planned change needs somebody to agree by now who has not; null when it does not. */
export function notAgreed(
  change: BulkChange | undefined,
  row: JudgedRow,
  choices: readonly { facts: BookingFacts }[],
  { resources, factsOf }: Now,
): Sentence | null {
  const { mostCents, planned } = change ?? {}
  const costsMore = choices.some(({ facts }) => mostCents !== undefined && estimatedCost(facts).aircraft > mostCents)
  if (costsMore) return workflowsErrors.costsMore()
  if (!planned) return null
  const here = factsOf(storedBooking(row))
  const consents = choices.flatMap(({ facts }) => consentNow({ ...row, ...planned }, resources, here, facts))
  const isMissing = consents.some(({ because }) => !planned.agreed.includes(because))
  return isMissing ? workflowsErrors.agreementMissing() : null
}
