import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { joined } from '../platform/platform.errors.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { mustBeAllowed } from '../scheduling/rules/assert-bookable.ts'
import { mustHaveCurrencies } from '../scheduling/rules/override.access.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { mustHaveSquawks } from './ramp.access.ts'
import { findReleaseFacts, type ReleaseQuestion } from './release.queries.ts'
import { releaseOf } from './release.rules.ts'
import type { ReleaseCheck } from './release.types.ts'

/**
 * Judges a booking that leaves, and returns the checks that it is warned of: all that are not met where the organization
 * warns, none where it does not ask. Where it blocks, overrides are kept. Implements interface §Dispatch.
 * @throws Conflict NOT_RELEASED with the checks, where the organization blocks.
 * @throws Forbidden OVERRIDE_NOT_ALLOWED for an override that is needed and not the actor's to give.
 * @throws Invalid for a currency to override, or a squawk, that is not there.
 */
export async function judgeRelease(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  question: ReleaseQuestion,
): Promise<ReleaseCheck[]> {
  await mustHaveSquawks(tx, actor, row, question.acknowledged)
  await mustHaveCurrencies(tx.db, actor.organizationId, question.given)
  const { dispatchChecks: mode } = actor.organization.settings
  if (mode === 'off') return []
  const given = mode === 'block' ? question.given : []
  const facts = await findReleaseFacts(tx.db, actor, tx.now, row, { ...question, given })
  const { checks, overridden, denied } = releaseOf(facts)
  if (mode === 'block') {
    mustBeAllowed([{ denied }])
    const inTheWay = checks.filter(
      ({ rule, status }) => status === 'block' || (rule === 'open_squawk' && status === 'warn'),
    )
    if (inTheWay.length > 0) throw dispatchErrors.notReleased({ reasons: joined(inTheWay) }, { checks })
    const occurrence = { index: 1, start: row.starts_at, end: row.ends_at }
    const resourceId = row.resource?.id ?? null
    await recordOverrides(tx, actor, { judged: [{ occurrence, overridden }], resourceId }, [row.id])
  }
  return checks.filter(({ status }) => status !== 'ok')
}
