import { sql } from 'kysely'
import { notify } from '../communication/notifications/notify.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { freeCategories } from '../platform/authz/rule-settings.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { AppError } from '../platform/kernel/errors.ts'
import { invalidFields } from '../platform/platform.errors.ts'
import { makeRecoveryOffers } from '../scheduling/recoveries/make-recovery-offers.ts'
import { type LockedRecovery, lockRecovery, setRecovery } from '../scheduling/recoveries/recovery.access.ts'
import { findRecoveryRows, isApplying, type RecoveryRowRecord } from '../scheduling/recoveries/recovery.queries.ts'
import type { PlannedMaintenance, RecoveryDetail } from '../scheduling/recoveries/recovery.types.ts'
import { passesInWeek } from '../scheduling/recoveries/recovery-notices.queries.ts'
import { clearRows } from '../scheduling/recoveries/waiting-rows.rules.ts'
import { recoveryErrors } from '../scheduling/recovery.errors.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import type { OfferTools } from '../scheduling/waitlist/offer-places.ts'
import { applyDisplacing } from './apply-displacing.ts'
import type { BulkAction } from './bulk.types.ts'
import { plannedChange } from './planned-change.rules.ts'
import { startBulk } from './start-bulk.ts'
import { workflowsErrors } from './workflows.errors.ts'

const DAY_MS = 86_400_000
/** Owners are mailed when the consent of more people than this is recorded at once, or when recoveries change more bookings of one resource or instructor in a week. */
const NOTIFIED_GIVEN = 20
const NOTIFIED_IN_WEEK = 50

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

/** The operation of an application, or why nothing of it could be applied. That is answered after the commit, since rows keep why they were not offered. */
export interface AppliedRecovery {
  id: number
  refused: AppError | null
}

/**
 * Applies rows of a plan by a bulk operation: those that nobody has to agree to, or, where the desk says that consent was given, those
 * named. The places of others are offered to the people who have to agree. A row is applied once, and only while its booking is where the plan found it; one
 * at whose new place another booking of the plan stays waits for it. Returns the id of the operation.
 * With maintenance, all of it is applied at once, or nothing. Implements interface §Recovery, POST /recoveries/{id}/apply.
 */
export async function applyRecovery(
  tx: Tx,
  tools: OfferTools,
  actor: Actor,
  id: number,
  { reservationIds, consent, how, cancelLeft }: RecoveryApplication,
): Promise<AppliedRecovery> {
  const { organizationId } = actor
  await lockApplying(tx, organizationId)
  const recovery = await lockRecovery(tx, organizationId, id)
  if (!recovery) throw recoveryErrors.noSuchRecovery()
  const { maintenance } = recovery.cause
  if (recovery.status !== 'ready' && (maintenance || recovery.status !== 'applied')) {
    throw recoveryErrors.recoveryNotReady()
  }
  if (tx.now.getTime() - recovery.plannedAt!.getTime() > DAY_MS) throw recoveryErrors.planOutdated()
  const plan = await findRecoveryRows(tx.db, organizationId, id)
  const known = new Set(plan.map((row) => row.reservationId))
  const at = (reservationIds ?? []).findIndex((one) => !known.has(one))
  if (at >= 0) throw recoveryErrors.notInPlan({ field: `reservationIds.${at}` })
  if (cancelLeft) assertIsFree(actor, cancelLeft.category)
  if (maintenance) {
    const given = new Set(consent === 'given' ? reservationIds : [])
    return applyWithMaintenance(tx, actor, { ...recovery, maintenance }, plan, { given, how, cancelLeft })
  }
  const open = plan.filter((row) => isOpen(row) && (reservationIds?.includes(row.reservationId) ?? true))
  const placed = open.filter(({ detail, offer }) => detail.to !== null && offer === null)
  const agreed = placed.filter(({ detail }) => consent === 'given' || detail.consent.length === 0)
  const moving = clearRows(plan, agreed, { together: true })
  const given = moving.filter(({ detail }) => detail.consent.length > 0)
  if (given.some(({ detail }) => gains(actor, detail))) throw workflowsErrors.ownGain()
  const left = cancelLeft ? open.filter((row) => row.isLeft && !moving.includes(row)) : []
  const others = placed.filter((row) => !moving.includes(row) && !left.includes(row))
  const asking = clearRows(
    plan,
    others.filter((row) => !agreed.includes(row)),
    { together: false },
  )
  const waiting = others.filter((row) => !asking.includes(row)).map((row) => row.reservationId)
  await markRows(tx, { organizationId, id }, waiting, { unoffered: 'waits' })
  const asked = await makeRecoveryOffers(tx, tools, actor, asking)
  const offered = asked.filter(({ offerId }) => offerId !== null)
  for (const { reservationId, offerId, unoffered } of asked) {
    const offer = offerId === null ? {} : { offerId, offeredBy: actor.orgUserId }
    await markRows(tx, { organizationId, id }, [reservationId], { ...offer, unoffered })
  }
  if (moving.length + left.length + offered.length === 0) {
    if (placed.length === 0) throw recoveryErrors.nothingToApply()
    // The rows keep why they were not offered.
    return { id, refused: workflowsErrors.consentNeeded() }
  }
  const operationIds: number[] = []
  const start = async (rows: readonly RecoveryRowRecord[], action: BulkAction) => {
    if (rows.length === 0) return
    const ids = rows.map((row) => row.reservationId)
    const bulk = { action, selection: { ids }, dryRun: false, notify: true, overrides: [], expectedCount: null }
    const operation = await startBulk(tx, actor, { ...bulk, atomic: false, hasChoices: false, recoveryId: id })
    await markRows(tx, { organizationId, id }, ids, {
      appliedBy: operation.id,
      ...('changes' in action && { unoffered: null, ...(how && { how }) }),
    })
    operationIds.push(operation.id)
  }
  await start(moving, { changes: moving.map((row) => plannedChange(row, how)) })
  await start(left, {
    cancel: {
      ...cancelLeft!,
      from: left.map(({ reservationId: id, detail: { from, stands } }) => ({
        id,
        from,
        whileRefused: stands === false,
      })),
    },
  })
  await setRecovery(tx, recovery, { status: 'applied' })
  const touched = [...moving, ...left, ...offered].map((row) => row.reservationId)
  const people = await notifyOwnersOf(tx, { organizationId, id }, given, touched)
  emit(tx, actor, {
    kind: 'recovery.applied',
    subject: { kind: 'operation', id },
    after: {
      operationIds,
      reservationIds: [...moving, ...left].map((row) => row.reservationId),
      ...(offered.length > 0 && { offerIds: offered.map(({ offerId }) => offerId) }),
      ...(given.length > 0 && {
        given: { how, reservationIds: given.map((row) => row.reservationId), people },
      }),
    },
  })
  return { id: operationIds[0] ?? id, refused: null }
}

interface GivenConsent extends Pick<RecoveryApplication, 'how' | 'cancelLeft'> {
  /** The bookings whose people agreed. */
  given: ReadonlySet<number>
}

/** Applies all of a plan with its maintenance booking, or nothing: rows that nobody agreed to are cancelled, as those without a place. */
async function applyWithMaintenance(
  tx: Tx,
  actor: Actor,
  recovery: LockedRecovery & { maintenance: PlannedMaintenance },
  plan: readonly RecoveryRowRecord[],
  { given, how, cancelLeft }: GivenConsent,
): Promise<AppliedRecovery> {
  const { organizationId, operationId: id, cause, maintenance } = recovery
  const isAgreed = ({ reservationId, detail }: RecoveryRowRecord) =>
    detail.to !== null && (detail.consent.length === 0 || given.has(reservationId))
  const moving = plan.filter(isAgreed).map((row) => ({ row, change: plannedChange(row, how, true) }))
  if (moving.some(({ row }) => gains(actor, row.detail))) throw workflowsErrors.ownGain()
  const cancelled = plan.filter((row) => !isAgreed(row))
  const written = await applyDisplacing(tx, actor, recovery, { moving, cancelled, cancel: cancelLeft })
  for (const operation of written.operations) {
    await markRows(tx, { organizationId, id }, operation.reservationIds, {
      appliedBy: operation.id,
      ...(how && { how }),
    })
  }
  const { reservationId } = written
  await setRecovery(tx, recovery, {
    status: 'applied',
    cause: { ...cause, maintenance: { ...maintenance, reservationId } },
  })
  const agreed = moving.flatMap(({ row }) => (row.detail.consent.length > 0 ? [row] : []))
  const touched = plan.map((row) => row.reservationId)
  const people = await notifyOwnersOf(tx, { organizationId, id }, agreed, touched)
  const operationIds = written.operations.map((operation) => operation.id)
  emit(tx, actor, {
    kind: 'recovery.applied',
    subject: { kind: 'operation', id },
    after: {
      operationIds,
      reservationIds: [reservationId, ...plan.map((row) => row.reservationId)],
      ...(agreed.length > 0 && { given: { how, reservationIds: agreed.map((row) => row.reservationId), people } }),
    },
  })
  return { id: operationIds[0] ?? id, refused: null }
}

/** Notifies owners of an application to many bookings or people. Returns of how many people the consent was recorded. */
async function notifyOwnersOf(
  tx: Tx,
  of: { organizationId: number; id: number },
  given: readonly RecoveryRowRecord[],
  touched: readonly number[],
): Promise<number> {
  const people = new Set(
    given.map(({ detail, reservationId }) => detail.consent[0]!.orgUserId ?? `guest ${reservationId}`),
  )
  const week = { ...of, now: tx.now, most: NOTIFIED_IN_WEEK }
  if (people.size > NOTIFIED_GIVEN || (await passesInWeek(tx.db, week, touched))) {
    notify(tx, { organizationId: of.organizationId, kind: 'recovery_large', subjectId: of.id, causedBy: null })
  }
  return people.size
}

/** Lets one application of an organization run at a time. */
async function lockApplying(tx: Tx, organizationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apply recovery ${organizationId}`}, 0))`.execute(tx.db)
  if (await isApplying(tx.db, organizationId)) throw recoveryErrors.recoveryRunning()
}

/** A row that was refused, or skipped when its operation was stopped, can be applied again. */
function isOpen({ bulk, offer, isCancelled }: RecoveryRowRecord): boolean {
  if (isCancelled) return false
  if (offer?.status === 'open' || offer?.status === 'accepted') return false
  return bulk === null || bulk.outcome === 'refused' || bulk.outcome === 'skipped'
}

/** Returns whether a member would teach the booking at its new place: nobody consents in a name to what they gain. */
function gains({ orgUserId }: Actor, { to, consent }: RecoveryDetail): boolean {
  return to?.instructorOrgUserId === orgUserId && consent.some((one) => one.orgUserId !== orgUserId)
}

/** Checks that a cancellation never costs: the people on the bookings did not cause it. */
function assertIsFree({ organization: { settings } }: Actor, category: string): void {
  const free = settings.cancellationCategories.filter((one) => freeCategories.includes(one))
  if (free.includes(category)) return
  const field = 'cancelLeft.category'
  const message = schedulingErrors.categoryUnknown({ field, categories: free.join(', ') })
  throw invalidFields([{ field, message }])
}

async function markRows(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
  reservationIds: readonly number[],
  mark: Pick<RecoveryDetail, 'appliedBy' | 'how' | 'offerId' | 'offeredBy' | 'unoffered'>,
): Promise<void> {
  await sql`
    update operation_row set detail = detail || ${JSON.stringify(mark)}::jsonb
    where organization_id = ${organizationId} and operation_id = ${id} and subject_id = any(${reservationIds}::int[])`.execute(
    tx.db,
  )
}
