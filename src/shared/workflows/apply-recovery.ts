import { sql } from 'kysely'
import type { MailTokens } from '../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { makeRecoveryOffers } from '../scheduling/recoveries/make-recovery-offers.ts'
import { lockRecovery, setRecovery } from '../scheduling/recoveries/recovery.access.ts'
import { findRecoveryRows, isApplying, type RecoveryRowRecord } from '../scheduling/recoveries/recovery.queries.ts'
import type { RecoveryDetail } from '../scheduling/recoveries/recovery.types.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import type { BulkAction, BulkChange } from './bulk.types.ts'
import { startBulk } from './start-bulk.ts'
import { workflowsErrors } from './workflows.errors.ts'

const DAY_MS = 86_400_000

/** How somebody said that they agree, as the desk records it. */
export const givenHow = ['phone', 'counter', 'message'] as const

/** What to apply of a plan. */
export interface RecoveryApplication {
  /** The bookings; absent: all of the plan. */
  reservationIds?: number[] | undefined
  consent: 'ask' | 'given'
  how?: (typeof givenHow)[number] | undefined
  /** Cancels the bookings that are left. */
  cancelLeft?: { reason: string; category: string } | undefined
}

/**
 * Applies rows of a plan by a bulk operation: those that nobody has to agree to, or, where the desk says that consent was given, those
 * named. The places of others are offered to who has to agree. A row is applied once, and only while its booking is where the plan found it. Returns the id of the operation.
 * Implements interface §Recovery, POST /recoveries/{id}/apply.
 */
export async function applyRecovery(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  id: number,
  { reservationIds, consent, how, cancelLeft }: RecoveryApplication,
): Promise<{ id: number }> {
  const { organizationId } = actor
  await lockApplying(tx, organizationId)
  const recovery = await lockRecovery(tx, organizationId, id)
  if (!recovery) throw schedulingErrors.noSuchRecovery()
  if (recovery.status !== 'ready' && recovery.status !== 'applied') throw schedulingErrors.recoveryNotReady()
  if (tx.now.getTime() - recovery.plannedAt!.getTime() > DAY_MS) throw schedulingErrors.planOutdated()
  const plan = await findRecoveryRows(tx.db, organizationId, id)
  const known = new Set(plan.map((row) => row.reservationId))
  const at = (reservationIds ?? []).findIndex((one) => !known.has(one))
  if (at >= 0) throw schedulingErrors.notInPlan({ field: `reservationIds.${at}` })
  const open = plan.filter((row) => isOpen(row) && (reservationIds?.includes(row.reservationId) ?? true))
  const moving = open.filter(({ detail }) => detail.to !== null && (consent === 'given' || detail.consent.length === 0))
  const left = cancelLeft ? open.filter(({ detail }) => detail.to === null) : []
  const asking = open.filter((row) => row.detail.to !== null && !moving.includes(row) && row.offer === null)
  const offered = await makeRecoveryOffers(tx, mailTokens, actor, asking)
  if (moving.length + left.length + offered.length === 0) {
    if (open.some(({ detail }) => detail.to !== null)) throw workflowsErrors.consentNeeded()
    throw schedulingErrors.nothingToApply()
  }
  for (const { reservationId, offerId } of offered) {
    await markRows(tx, { organizationId, id }, [reservationId], { offerId, offeredBy: actor.orgUserId })
  }
  const operationIds: number[] = []
  const start = async (rows: readonly RecoveryRowRecord[], action: BulkAction) => {
    if (rows.length === 0) return
    const ids = rows.map((row) => row.reservationId)
    const bulk = { action, selection: { ids }, dryRun: false, notify: true, overrides: [], expectedCount: null }
    const operation = await startBulk(tx, actor, { ...bulk, atomic: false, hasChoices: false, recoveryId: id })
    await markRows(tx, { organizationId, id }, ids, { appliedBy: operation.id, ...(how && { how }) })
    operationIds.push(operation.id)
  }
  await start(moving, { changes: moving.map(changeOf) })
  await start(left, {
    cancel: {
      ...cancelLeft!,
      from: left.map(({ reservationId, detail }) => ({ id: reservationId, from: detail.from })),
    },
  })
  await setRecovery(tx, recovery, { status: 'applied' })
  const given = moving.filter(({ detail }) => detail.consent.length > 0)
  emit(tx, actor, {
    kind: 'recovery.applied',
    subject: { kind: 'operation', id },
    after: {
      operationIds,
      reservationIds: [...moving, ...left].map((row) => row.reservationId),
      ...(offered.length > 0 && { offerIds: offered.map(({ offerId }) => offerId) }),
      ...(given.length > 0 && { given: { how, reservationIds: given.map((row) => row.reservationId) } }),
    },
  })
  return { id: operationIds[0] ?? id }
}

/** Lets one application of an organization run at a time. */
async function lockApplying(tx: Tx, organizationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apply recovery ${organizationId}`}, 0))`.execute(tx.db)
  if (await isApplying(tx.db, organizationId)) throw schedulingErrors.recoveryRunning()
}

/** A row that was refused, or skipped when its operation was stopped, can be applied again. */
function isOpen({ bulk, offer }: RecoveryRowRecord): boolean {
  if (offer?.status === 'open' || offer?.status === 'accepted') return false
  return bulk === null || bulk.outcome === 'refused' || bulk.outcome === 'skipped'
}

function changeOf({ reservationId: id, detail: { from, to } }: RecoveryRowRecord): BulkChange {
  const { start, end, resourceId, instructorOrgUserId } = to!
  const isReseated = instructorOrgUserId !== null && instructorOrgUserId !== from.instructorOrgUserId
  const seats = isReseated ? [{ side: 'instructors' as const, index: 0, orgUserId: instructorOrgUserId }] : []
  return { id, start, end, resourceId, ...(isReseated && { sides: [{ side: 'instructors', seats }] }), from }
}

async function markRows(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
  reservationIds: readonly number[],
  mark: Pick<RecoveryDetail, 'appliedBy' | 'how' | 'offerId' | 'offeredBy'>,
): Promise<void> {
  await sql`
    update operation_row set detail = detail || ${JSON.stringify(mark)}::jsonb
    where organization_id = ${organizationId} and operation_id = ${id} and subject_id = any(${reservationIds}::int[])`.execute(
    tx.db,
  )
}
