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
 * Ends the operations of a member that the given roles do not allow. Without roles, which means that the member leaves,
 * all of them end. An operation that has started is ended by its job. Rows that were not started are skipped.
 * Implements interface §Operations.
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
 * Ends an operation whose job was given up, so that the next operation of its kind can run. Finished rows stay; rows
 * that were not started are skipped.
 */
export async function abandonOperation(tx: Tx, of: OperationOf): Promise<void> {
  const operation = await lockOpenOperation(tx, of)
  if (!operation) return
  const message = platformErrors.operationGivenUp()
  await giveUp(tx, { ...operation, status: 'queued' }, { code: 'GIVEN_UP', message })
}

/**
 * Marks a locked operation as failed. When it has started, its job ends it later, with the notifications about its
 * finished rows.
 */
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
