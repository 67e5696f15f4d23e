import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { assertHasPapers, assertIsAllowed } from '../scheduling/rules/assert-bookable.ts'
import { judge } from '../scheduling/rules/judge.rules.ts'
import { assertHasCurrencies } from '../scheduling/rules/override.access.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { findFactsAt } from './release.queries.ts'

const DAY_MS = 86_400_000

/**
 * Records overrides of rules on an existing booking. The rules are checked for the start of the booking and, when that is within 24
 * hours of now, also as if the booking started now, so that the overrides also apply at its release. An override that no rule needs
 * is ignored.
 * Implements interface §Dispatch.
 */
export async function addOverrides(
  tx: Tx,
  actor: Actor,
  id: number,
  given: readonly GivenOverride[],
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  assertTransition('change', row)
  await assertHasCurrencies(tx.db, actor.organizationId, given)
  const { starts_at: start, ends_at: end } = row
  const today = { start: tx.now, end: new Date(tx.now.getTime() + end.getTime() - start.getTime()) }
  const isNear = Math.abs(start.getTime() - tx.now.getTime()) <= DAY_MS
  const judged = []
  for (const slot of [{ start, end }, ...(isNear ? [today] : [])]) {
    judged.push(judge(await findFactsAt(tx.db, actor, tx.now, row, { slot, given })))
  }
  assertIsAllowed(judged)
  assertHasPapers(judged.flatMap(({ problems }) => problems.filter(({ field }) => field.startsWith('overrides.'))))
  const overridden = judged.flatMap((one) => one.overridden)
  const resourceId = row.resource?.id ?? null
  const occurrence = { index: 1, start, end }
  await recordOverrides(tx, actor, { judged: [{ occurrence, overridden }], resourceId }, [id])
  return { id }
}
