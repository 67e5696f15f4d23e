import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { joined } from '../platform/platform.errors.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { assertHasPapers, assertIsAllowed } from '../scheduling/rules/assert-bookable.ts'
import { assertHasCurrencies } from '../scheduling/rules/override.access.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { assertHasSquawks } from './ramp.access.ts'
import { findReleaseFacts, type ReleaseQuestion } from './release.queries.ts'
import { releaseOf } from './release.rules.ts'
import type { ReleaseCheck } from './release.types.ts'

/**
 * Checks the release of a booking at ramp-out, and returns the checks that are not met, as warnings. When the organization's
 * `dispatchChecks` is `off`, there are none. When it is `block`, throws when a check blocks or an open squawk is not acknowledged, and
 * records the overrides that were needed. Implements interface §Dispatch.
 */
export async function judgeRelease(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  question: ReleaseQuestion,
): Promise<ReleaseCheck[]> {
  await assertHasSquawks(tx, actor, row, question.acknowledged)
  await assertHasCurrencies(tx.db, actor.organizationId, question.given)
  const { dispatchChecks: mode } = actor.organization.settings
  if (mode === 'off') return []
  const given = mode === 'block' ? question.given : []
  const facts = await findReleaseFacts(tx.db, actor, tx.now, row, { ...question, given })
  const { checks, overridden, denied, paperless } = releaseOf(facts)
  if (mode === 'block') {
    assertIsAllowed([{ denied }])
    assertHasPapers(paperless)
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
