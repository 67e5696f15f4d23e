import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { findResourcesFor } from '../openings/candidates.queries.ts'
import { cureOf } from '../openings/cure.rules.ts'
import { MOST_RESOURCES } from '../openings/plan-with-fix.ts'
import { loadFactsTogether } from '../reservations/load-facts-together.ts'
import { type JudgedRow, storedBooking } from '../reservations/reservation.access.ts'
import { checksOf, judge } from '../rules/judge.rules.ts'
import type { Fix, Problem } from '../rules/problems.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { knownFacts } from './judge-ahead.ts'

/** A booking at risk with the problems that its reader may see. */
interface AtRisk {
  row: JudgedRow
  problems: readonly Problem[]
}

/**
 * Returns by id of the booking a fix of its problems: other resources with which the reader could have it at its time, at
 * most `MOST_RESOURCES`. Bookings that no other resource cures are absent. The facts of all these bookings are loaded together;
 * other times are not searched. Implements interface §Dispatch (at risk).
 */
export async function findOtherResources(
  db: Db,
  actor: Actor,
  now: Date,
  atRisk: readonly AtRisk[],
): Promise<Map<number, Fix>> {
  const curable = atRisk.filter(({ row, problems }) => row.resource !== null && cureOf(problems) === 'resource')
  if (curable.length === 0) return new Map()
  const idsOf = new Map<string, number[]>()
  for (const type of new Set(curable.map(({ row }) => row.type))) {
    idsOf.set(type, await findResourcesFor(db, actor.organizationId, type))
  }
  const bookings = curable.map(({ row }) => storedBooking(row))
  const factsOf = await loadFactsTogether(db, actor, now, bookings, [], [...idsOf.values()].flat())
  const fixes = new Map<number, Fix>()
  for (const booking of bookings) {
    const found: { id: number; name: string }[] = []
    for (const resourceId of idsOf.get(booking.type) ?? []) {
      if (found.length === MOST_RESOURCES) break
      if (resourceId === booking.resourceId) continue
      const facts = knownFacts(() => factsOf({ ...booking, resourceId }))
      const isFree = facts?.resource && judge(facts, checksOf(facts)).problems.length === 0
      if (isFree) found.push({ id: resourceId, name: facts.resource!.name })
    }
    if (booking.id === null || found.length === 0) continue
    const text = schedulingErrors.fixResource({ resources: found.map(({ name }) => name).join(', ') })
    fixes.set(booking.id, { action: 'choose_resource', resourceIds: found.map(({ id }) => id), text })
  }
  return fixes
}
