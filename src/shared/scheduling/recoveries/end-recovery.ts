import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { cancelOperation } from '../../platform/operations/cancel-operation.ts'
import { lockOpenOperation } from '../../platform/operations/operation.access.ts'
import { recoveryErrors } from '../recovery.errors.ts'
import { withdrawOffers } from '../waitlist/end-offer.ts'
import { lockRecovery, setRecovery } from './recovery.access.ts'
import { findRecoveryRows } from './recovery.queries.ts'

/**
 * Ends a recovery: stops its planning, and withdraws its open offers. Bookings that were moved already stay
 * moved. An ended recovery stays ended.
 * Implements interface §Recovery, DELETE /recoveries/{id}.
 */
export async function endRecovery(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  const { organizationId } = actor
  const operation = await lockOpenOperation(tx, { organizationId, operationId: id })
  const recovery = await lockRecovery(tx, organizationId, id)
  if (!recovery) throw recoveryErrors.noSuchRecovery()
  if (recovery.status === 'ended') return { id }
  if (operation && recovery.status === 'planning' && operation.status !== 'cancelled')
    await cancelOperation(tx, actor, id)
  const offers = (await findRecoveryRows(tx.db, organizationId, id)).flatMap(({ offer }) => offer?.id ?? [])
  if (offers.length > 0) await withdrawOffers(tx, actor, { id: { $in: offers } }, 'recovery_ended')
  await setRecovery(tx, recovery, { status: 'ended' })
  emit(tx, actor, { kind: 'recovery.ended', subject: { kind: 'operation', id } })
  return { id }
}
