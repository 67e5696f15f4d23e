import type { RoleFlags } from '../authz/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { platformErrors } from '../platform.errors.ts'
import {
  findTurn,
  lockOpenOperation,
  lockOpenOperationsOf,
  lockTurns,
  type OperationOf,
  setOperation,
  skipPending,
} from './operation.access.ts'
import type { OperationToRun } from './operation.types.ts'
import { kindsFor } from './operation-kinds.rules.ts'
import { runOperation } from './operations.jobs.ts'

/**
 * Ends the operations of a member that these roles do not allow, all without roles, which is when the member leaves: what is
 * begun is finished by its job, and what is not begun is skipped. Implements interface §Operations.
 */
export async function endOperationsOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  roles?: RoleFlags,
): Promise<void> {
  const allowed = roles ? kindsFor(roles) : []
  const open = (await lockOpenOperationsOf(tx, organizationId, orgUserId)).filter(({ kind }) => !allowed.includes(kind))
  const error = { code: 'ACTOR_NOT_ALLOWED', message: platformErrors.notAllowed().message }
  for (const operation of open) await giveUp(tx, operation, error)
}

/**
 * Ends an operation whose job is given up, so that the next of its kind has its turn. What it did stays done, and what it did
 * not begin is skipped.
 */
export async function abandonOperation(tx: Tx, of: OperationOf): Promise<void> {
  const operation = await lockOpenOperation(tx, of)
  if (!operation) return
  const message = platformErrors.operationGivenUp()
  await giveUp(tx, { ...operation, status: 'queued' }, { code: 'GIVEN_UP', message })
}

/** Fails a locked operation. Its job ends one that has begun, since people are owed word of what it did. */
async function giveUp(tx: Tx, operation: OperationToRun, error: { code: string; message: string }): Promise<void> {
  const { organizationId, id: operationId, kind } = operation
  const of = { organizationId, operationId }
  await lockTurns(tx, organizationId, kind)
  await skipPending(tx, of)
  const isBegun = operation.status !== 'queued'
  await setOperation(tx, of, { status: 'failed', result: { error }, ...(!isBegun && { ended_at: tx.now }) })
  const next = await findTurn(tx, organizationId, kind)
  if (next) tx.enqueue(runOperation, { organizationId, operationId: next.id })
}
