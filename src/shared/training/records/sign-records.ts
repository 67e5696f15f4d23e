import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError, NotFound, type Sentence } from '../../platform/kernel/errors.ts'
import { trainingErrors } from '../training.errors.ts'
import { signRecord } from './sign-record.ts'

/**
 * Signs several records, all or none, in the order of their ids, which prevents deadlocks. The error lists every record
 * that cannot be signed, in `problems`.
 * Implements interface §Training record and ledger: POST /training/records/sign.
 */
export async function signRecords(
  tx: Tx,
  actor: Actor,
  { recordIds, certificateNumber }: { recordIds: readonly number[]; certificateNumber: string | null },
): Promise<{ ids: number[] }> {
  const refused: { recordId: number; error: AppError }[] = []
  for (const recordId of [...recordIds].sort((a, b) => a - b)) {
    try {
      await signRecord(tx, actor, recordId, { certificateNumber, credits: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ recordId, error })
    }
  }
  const [first] = refused
  if (!first) return { ids: [...recordIds] }
  const fieldOf = (recordId: number) => `recordIds.${recordIds.indexOf(recordId)}`
  const problems = refused.map(({ recordId, error: { code, message } }) => ({
    field: fieldOf(recordId),
    recordId,
    message,
    ...(code !== undefined && { code }),
  }))
  const unknown = refused.find(({ error }) => error instanceof NotFound)
  if (unknown) throw trainingErrors.unknownRecordToSign({ field: fieldOf(unknown.recordId) }, { problems })
  const { status, message, code } = first.error
  throw new AppError(status, message as Sentence, code, { problems })
}
