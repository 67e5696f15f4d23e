import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { platformErrors } from '../platform.errors.ts'
import {
  findTurn,
  lockOpenOperation,
  lockTurns,
  type OperationOf,
  setOperation,
  skipPending,
} from './operation.access.ts'
import { runOperation } from './operations.jobs.ts'

/**
 * Cancels the pending rows of an operation. A queued operation ends here; a running one is ended by its job. When rows
 * are in progress, this waits until they are done. The caller has checked that the actor may read the operation.
 * Implements interface §Operations.
 */
export async function cancelOperation(tx: Tx, actor: Actor, operationId: number): Promise<{ id: number }> {
  const { organizationId } = actor
  const of: OperationOf = { organizationId, operationId }
  const operation = await lockOpenOperation(tx, of)
  const isOpen = operation?.status === 'queued' || (operation?.status === 'running' && !operation.atomic)
  if (!operation || !isOpen) throw platformErrors.notCancellable()
  await lockTurns(tx, organizationId, operation.kind)
  await skipPending(tx, of)
  const waits = operation.status === 'queued'
  await setOperation(tx, of, { status: 'cancelled', ...(waits && { ended_at: tx.now }) })
  const next = await findTurn(tx, organizationId, operation.kind)
  if (next) tx.enqueue(runOperation, { organizationId, operationId: next.id })
  return { id: operationId }
}
