import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import type { ResourceChoice } from '../scheduling/recoveries/consent.rules.ts'
import { consentNow, judged } from '../scheduling/recoveries/consent-now.rules.ts'
import { type JudgedRow, storedBooking } from '../scheduling/reservations/reservation.access.ts'
import { estimatedCost } from '../scheduling/rules/balance.rules.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import type { BookingToPlan } from '../scheduling/rules/booking-input.types.ts'
import type { BulkAction, BulkChange, BulkInput } from './bulk.types.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** What is known when a planned change is applied. */
interface Now {
  resources: readonly ResourceChoice[]
  factsOf(booking: BookingToPlan): BookingFacts
}

/** Returns the change of a booking that an action gives by its id; undefined when it gives none. */
export function changeOf(action: BulkInput['action'], id: number): BulkChange | undefined {
  return 'changes' in action ? action.changes.find((change) => change.id === id) : undefined
}

/** Records who agreed to a change of a booking in whose name, and how. */
export function recordGiven(
  tx: Tx,
  actor: Actor,
  { operationId, how, orgUserId: onBehalfOf }: { operationId: number } & Partial<NonNullable<BulkChange['given']>>,
  id: number,
): void {
  if (how === undefined) return
  const after = { operationId, onBehalfOf, how }
  emit(tx, actor, { kind: 'reservation.consent_given', subject: { kind: 'reservation', id }, after })
}

/** Returns whether the present place of a booking decides who has to agree: for a planned change, and within a pool. */
export function looksAtPresent(action: BulkAction, id: number): boolean {
  return changeOf(action, id)?.planned !== undefined || ('reassign' in action && action.reassign.pool !== undefined)
}

/**
 * Returns the places of a booking to which nobody has to agree who has not, or why there is none. Within its pool, that is an aircraft which
 * costs no more, at the same location, without a new warning about a person. Where the desk names the aircraft, nobody is asked.
 */
export function agreedChoices<Choice extends { facts: BookingFacts }>(
  action: BulkAction,
  row: JudgedRow,
  choices: Choice[],
  now: Now,
): Choice[] | Sentence {
  if ('reassign' in action) {
    const here = now.resources.find(({ id }) => id === row.resource?.id)
    const { pool } = action.reassign
    if (pool === undefined || here?.pool?.toLowerCase() !== pool.toLowerCase()) return choices
    const from = now.factsOf(storedBooking(row))
    const free = choices.filter(({ facts }) => {
      const consents = consentNow({ ...row, isDisplaced: true }, now.resources, from, facts)
      return consents.every(({ because }) => because !== 'other_aircraft')
    })
    const { problems, denied } = judged(from).judgement
    const stays = problems.length + denied.length === 0
    const isLeft = free.some(({ facts }) => stays || facts.resource?.id !== here.id)
    return isLeft || free.length === choices.length ? free : workflowsErrors.poolNeedsConsent()
  }
  return notAgreed(changeOf(action, row.id), row, choices, now) ?? choices
}

/** Returns why a planned change needs somebody to agree by now who has not; null when it does not. */
function notAgreed(
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
