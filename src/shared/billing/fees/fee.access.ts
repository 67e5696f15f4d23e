import { sql, type Updateable } from 'kysely'
import { payerOfMember } from '../../identity/members/payer.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tables } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { FeeStatus } from '../fees.tables.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'

/** A fee that is locked until the commit. The caller has locked its booking first. */
export interface LockedFee {
  id: number
  reservationId: number
  /** Whose share it is. */
  share: PayerId
  /** The member who pays: the bill-to payer, otherwise the member; null for a guest. */
  payerId: number | null
  cents: Cents
  status: FeeStatus
  chargeAt: Date | null
}

/** Returns the fee of the last cancellation of a booking, or the one with an id; null when there is none. */
export async function lockFee(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { reservationId, feeId = null }: { reservationId: number; feeId?: number | null },
): Promise<LockedFee | null> {
  const { rows } = await sql<Omit<LockedFee, 'share'> & PayerId>`
    select f.id, f.reservation_id as "reservationId", f.membership_id as "orgUserId", f.guest_id as "guestId", f.cents, f.status,
      f.charge_at as "chargeAt",
      (select ${payerOfMember} from membership m
        where m.organization_id = f.organization_id and m.id = f.membership_id) as "payerId"
    from cancellation_fee f
    where f.organization_id = ${organizationId} and f.reservation_id = ${reservationId}
      and (${feeId}::int is null or f.id = ${feeId})
    order by f.cancelled_at desc limit 1 for update`.execute(tx.db)
  const [row] = rows
  if (!row) return null
  const { orgUserId, guestId, ...fee } = row
  return { ...fee, share: { orgUserId, guestId } }
}

/**
 * Stores a proposed fee of a booking that this transaction has cancelled. Returns its id; null when this very cancellation was charged. A
 * booking that is restored and cancelled again at the same instant takes up the fee that was dropped.
 */
export async function insertFee(
  tx: Tx,
  fee: {
    organizationId: number
    reservationId: number
    cancelledAt: Date
    share: PayerId
    cents: Cents
    freeCount: number
    chargeAt: Date | null
  },
): Promise<number | null> {
  await tx.em.flush()
  const inserted = await tx.db
    .insertInto('cancellation_fee')
    .values({
      organization_id: fee.organizationId,
      reservation_id: fee.reservationId,
      cancelled_at: fee.cancelledAt,
      membership_id: fee.share.orgUserId,
      guest_id: fee.share.guestId,
      cents: fee.cents,
      free_count: fee.freeCount,
      charge_at: fee.chargeAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'reservation_id', 'cancelled_at'])
        .doUpdateSet({
          status: 'proposed',
          cents: fee.cents,
          free_count: fee.freeCount,
          charge_at: fee.chargeAt,
          reason: null,
          decided_by: null,
          decided_at: null,
        })
        .where('cancellation_fee.status', '=', 'waived'),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

/**
 * Drops the undecided fee of a booking that is restored. Returns whether a charged one stands.
 */
export async function dropFee(tx: Tx, actor: Actor, reservationId: number): Promise<boolean> {
  const fee = await lockFee(tx, actor, { reservationId })
  if (fee?.status === 'proposed' || fee?.status === 'objected') {
    await decided(tx, actor, fee, { status: 'waived', reason: billingErrors.feeDropped(), invoiceId: null })
  }
  return fee?.status === 'charged'
}

/** Stores the decision on a locked fee. The service decides when an owner stands in for it. */
export async function decided(
  tx: Tx,
  { organizationId, ...by }: Pick<Actor, 'organizationId' | 'orgUserId' | 'standsIn'>,
  { id: feeId, reservationId, cents: amountCents, share }: LockedFee,
  { status, reason, invoiceId }: { status: 'waived' | 'charged'; reason: string | null; invoiceId: number | null },
): Promise<void> {
  const decidedBy = by.standsIn ? null : by.orgUserId
  await setFee(tx, organizationId, feeId, {
    status,
    reason,
    charge_at: null,
    decided_by: decidedBy,
    decided_at: tx.now,
    invoice_id: invoiceId,
  })
  const after = { feeId, amountCents, orgUserId: share.orgUserId ?? undefined, invoiceId: invoiceId ?? undefined }
  const subject = { kind: 'reservation', id: reservationId } as const
  emit(tx, { organizationId, orgUserId: decidedBy }, { kind: `fee.${status}`, subject, after, reason })
}

/** Leaves a locked fee to the desk, with the reason why it is not charged by itself. */
export function postponeFee(
  tx: Tx,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { id }: LockedFee,
  reason: string,
): Promise<void> {
  return setFee(tx, organizationId, id, { charge_at: null, reason })
}

/** Stores the objection of the payer to a locked fee, which the desk decides on from now on. */
export async function objected(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  { id: feeId, reservationId, cents: amountCents, share }: LockedFee,
  objection: string,
): Promise<void> {
  await setFee(tx, organizationId, feeId, { status: 'objected', charge_at: null, objection, objected_at: tx.now })
  const after = { feeId, amountCents, orgUserId: share.orgUserId ?? undefined }
  const subject = { kind: 'reservation', id: reservationId } as const
  emit(tx, { organizationId, orgUserId }, { kind: 'fee.objected', subject, after, reason: objection })
}

async function setFee(
  tx: Tx,
  organizationId: number,
  id: number,
  values: Updateable<Tables['cancellation_fee']>,
): Promise<void> {
  await tx.db
    .updateTable('cancellation_fee')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Claims the fees that were due ten minutes ago, at most a batch of them; one that is claimed is due again in ten minutes. */
export async function claimDueFees(
  tx: Tx,
): Promise<{ organizationId: number; reservationId: number; feeId: number }[]> {
  const { rows } = await sql<{ organizationId: number; reservationId: number; feeId: number }>`
    update cancellation_fee set charge_at = ${tx.now} where id = any(array(
      select id from cancellation_fee where charge_at < ${tx.now}::timestamptz - interval '10 minutes'
      order by charge_at limit ${BATCH_SIZE} for update skip locked))
    returning organization_id as "organizationId", reservation_id as "reservationId", id as "feeId"`.execute(tx.db)
  return rows
}
