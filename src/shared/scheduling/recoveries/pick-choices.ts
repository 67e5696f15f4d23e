import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { inOnePool, isAlike, type ResourceChoice } from './consent.rules.ts'
import type { PlanFacts } from './load-plan-facts.ts'
import type { Displaced } from './places-to-try.rules.ts'
import { placeHere } from './plan-rows.rules.ts'
import { worthOf } from './points.rules.ts'

/** Returns what a booking may get: the resources and instructors within reach, the nearest to its own first. */
export function pickChoices(
  { recovery: { reach }, resources, instructorIds }: PlanFacts,
  { row, worth }: PlanFacts['bookings'][number],
): Displaced {
  const own = resources.find(({ id }) => id === row.resource?.id)
  const rank = (one: ResourceChoice) => (one.id === own!.id ? 0 : inOnePool(one, own!) ? 1 : isAlike(one, own!) ? 2 : 3)
  const furthest = { same: 1, model: 2, approved: 3 }[reach.pools]
  const kinds: readonly string[] = typeRules[row.type].resources
  const choices = own
    ? resources
        .filter((one) => kinds.includes(one.kind) && rank(one) <= furthest)
        .sort((a, b) => rank(a) - rank(b))
        .map((one) => ({ id: one.id, otherModel: rank(one) === 3 }))
    : [{ id: null, otherModel: false }]
  const ownInstructor = placeHere(row).instructorOrgUserId
  const others: readonly number[] = { own: [], course: worth.courseInstructorIds, any: instructorIds }[
    reach.instructors
  ]
  const instructors =
    ownInstructor === null
      ? [{ id: null, isOwn: true }]
      : [
          { id: ownInstructor, isOwn: true },
          ...instructorIds
            .filter((id) => id !== ownInstructor && others.includes(id))
            .map((id) => ({ id, isOwn: false })),
        ]
  const isPrepaidGuest = row.collection_style === 'prepaid_fixed' && row.seats.some(({ side }) => side === 'guests')
  return {
    id: row.id,
    start: row.starts_at,
    end: row.ends_at,
    worth: worthOf({ ...worth, solo: row.type === 'solo' }),
    resources: choices,
    instructors,
    fixed: isPrepaidGuest,
  }
}
