import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { hashPaper } from '../scheduling.jobs.ts'
import { paperRules } from './override.rules.ts'
import type { JudgedOccurrence } from './plan-booking.ts'

/** The parts of a plan that its overrides need. */
interface OverriddenPlan {
  judged: readonly (Pick<JudgedOccurrence, 'occurrence' | 'overridden'> &
    Partial<Pick<JudgedOccurrence, 'resourceId'>>)[]
  resourceId: number | null
}

/**
 * Records the overrides with which a booking, or each booking of a series, was made or moved. `reservationIds` are in the
 * order of the plan. An override that no finding needed is not recorded. The booking's history shows each override with its
 * reason; the audit log contains only the length of the reason. Implements interface §Booking rules (overrides).
 */
export async function recordOverrides(
  tx: Tx,
  actor: Actor,
  { judged, resourceId }: OverriddenPlan,
  reservationIds: readonly number[],
): Promise<void> {
  const { organizationId, orgUserId: overriddenBy } = actor
  const kept = judged.flatMap(({ occurrence, overridden, resourceId: placedOn = resourceId }, at) =>
    overridden.flatMap(({ rule, orgUserId = null, override }, place) => {
      const isNotified =
        overridden.findIndex((one) => one.rule === rule && (one.orgUserId ?? null) === orgUserId) < place
      if (isNotified || 'by' in override) return []
      const { reason } = override
      const documentId = paperRules.includes(rule) ? (override.documentId ?? null) : null
      const reservationId = reservationIds[at]!
      return [{ reservationId, placedOn, startsAt: occurrence.start, rule, orgUserId, reason, documentId }]
    }),
  )
  if (kept.length === 0) return
  const rows = await tx.db
    .insertInto('rule_override')
    .values(
      kept.map(({ reservationId, placedOn, startsAt, rule, orgUserId, reason, documentId }) => ({
        organization_id: organizationId,
        created_at: tx.now,
        reservation_id: reservationId,
        resource_id: placedOn,
        starts_at: startsAt,
        rule,
        membership_id: orgUserId,
        reason,
        document_id: documentId,
        overridden_by: overriddenBy,
      })),
    )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  const files = await findFiles(
    tx,
    organizationId,
    kept.flatMap(({ documentId }) => documentId ?? []),
  )
  for (const [at, { reservationId, rule, orgUserId, reason, documentId }] of kept.entries()) {
    const storageKey = documentId === null ? undefined : files.get(documentId)
    if (storageKey !== undefined) tx.enqueue(hashPaper, { organizationId, overrideId: ids[at]!, storageKey })
    emit(tx, actor, {
      kind: 'reservation.rule_overridden',
      subject: { kind: 'reservation', id: reservationId },
      after: {
        overrideId: ids[at],
        rule,
        orgUserId,
        characters: reason.length,
        ...(orgUserId === overriddenBy && { self: true }),
      },
    })
  }
}

/** Returns the keys of the files that documents have now: a document whose file is replaced later keeps its id. */
async function findFiles(tx: Tx, organizationId: number, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('document')
    .select(['id', 'storage_key'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, storage_key }) => [id, storage_key]))
}
