import { operationWorks } from '../../src/shared/composition/operation-works.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import type { JobTools } from '../../src/shared/platform/jobs/job-tools.ts'
import type { OperationTools } from '../../src/shared/platform/operations/operation.types.ts'
import { runRest } from '../../src/shared/platform/operations/run-operation.ts'
import { runOperationProcessor } from '../../src/workers/platform/platform.processor.ts'
import type { TestApp } from './app.ts'
import type { Member } from './builders.ts'
import { expectOk } from './flights.ts'

/** An operation as the API answers it. */
export interface OperationAnswer {
  id: number
  status: string
  progress: { done: number; total: number }
  succeeded: number
  failed: number
  warnings: number
  result: Record<string, unknown> | null
}

export interface OperationRowAnswer {
  row: number
  reservationId: number
  outcome: string | null
  problems: { code: string; message: string }[]
}

/** Runs an operation as its job does. After `transactions` transactions it fails, as when the worker is killed. */
export async function work(
  { core: { database, clock, storage, solver } }: TestApp,
  of: { organizationId: number; operationId: number },
  transactions = Number.POSITIVE_INFINITY,
): Promise<void> {
  let left = transactions
  const tools: OperationTools = {
    outside: { database, storage, solver },
    async transaction(run) {
      if (left-- <= 0) throw new Error('the worker is killed')
      return (await inTransaction(database, clock, run)).result
    },
  }
  await runRest(tools, operationWorks, of)
}

/** Runs an operation as the worker's processor does, in an attempt that may be the last. */
export async function giveUpAfter(
  { core: { database, clock } }: TestApp,
  of: { organizationId: number; operationId: number },
  lastAttempt: boolean,
): Promise<void> {
  const transaction: JobTools['transaction'] = async (run) => (await inTransaction(database, clock, run)).result
  const run = { id: '', organizationId: of.organizationId, attempt: 1, attempts: 1, lastAttempt }
  await runOperationProcessor(of, { transaction } as JobTools, run)
}

/** Starts a bulk operation as desk staff and runs it to its end. Returns it with its rows. */
export async function bulk(
  api: TestApp,
  who: Member,
  body: unknown,
): Promise<{ operation: OperationAnswer; rows: OperationRowAnswer[] }> {
  const response = await api.as(who).post('/reservations/bulk', body)
  if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${response.body}`)
  const { id } = response.json().data as OperationAnswer
  await work(api, { organizationId: who.organizationId, operationId: id })
  return readBulk(api, who, id)
}

/** Returns an operation with its rows. */
export async function readBulk(api: TestApp, who: Member, id: number) {
  const operation = await expectOk<OperationAnswer>(api, who, 'GET', `/operations/${id}`)
  const rows = await expectOk<OperationRowAnswer[]>(api, who, 'GET', `/operations/${id}/rows`)
  return { operation, rows }
}
