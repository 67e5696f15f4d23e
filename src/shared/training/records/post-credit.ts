import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import type { DeviceKind } from '../courses/device-ceilings.rules.ts'
import { findMeasures, hasDeviceCeilings } from '../courses/syllabus.queries.ts'
import { assertAllowsChange, lockNamedEnrollment } from '../enrollments/enrollment.access.ts'
import type { CreditSource } from '../enrollments/requirement-progress.rules.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { amountProblem, type CreditAmount } from './credit.rules.ts'
import { assertHasHappened } from './record.access.ts'

export interface NewCredit extends CreditAmount {
  enrollmentId: number
  requirementId: number
  source: CreditSource
  /** The kind of device of simulator credit; null when it is not known. */
  deviceKind: DeviceKind | null
  notes: string | null
  /** When the training took place, which decides whether the credit is within a recency window; null for now. */
  occurredAt: Date | null
}

/**
 * Posts credit that no lesson posts: transferred, simulator or manual credit. The ledger holds the whole amount;
 * requirement progress reports what the ceilings disallow.
 * Implements interface §Training: POST /training/credits.
 */
export async function postCredit(tx: Tx, actor: Actor, input: NewCredit): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const { organizationId } = actor
  const { requirementId, deciHours = null, count = null, source, notes } = input
  const enrollment = await lockNamedEnrollment(tx, actor, input.enrollmentId)
  const { versionId } = enrollment
  const requirement = (await findMeasures(tx.db, { organizationId, versionId })).find(({ id }) => id === requirementId)
  if (!requirement) throw trainingErrors.requirementNotInSyllabus()
  const problem = amountProblem({ deciHours, count }, requirement)
  if (problem) throw new Invalid(problem)
  if (input.deviceKind !== null && source !== 'simulator') throw trainingErrors.deviceWithoutSimulator()
  if (
    source === 'simulator' &&
    input.deviceKind === null &&
    (await hasDeviceCeilings(tx.db, { organizationId, versionId }))
  ) {
    throw trainingErrors.deviceUnknown()
  }
  if (source === 'manual' && !notes) throw trainingErrors.creditWithoutReason()
  const occurredAt = input.occurredAt ?? tx.now
  assertHasHappened(occurredAt, tx.now, 'occurredAt')
  assertAllowsChange(tx, actor, enrollment, 'correct')
  return tx.db
    .insertInto('credit_entry')
    .values({
      organization_id: organizationId,
      enrollment_id: enrollment.id,
      version_id: versionId,
      requirement_id: requirementId,
      tenths: deciHours,
      count,
      source,
      device_kind: input.deviceKind,
      notes,
      occurred_at: occurredAt,
      created_by: actor.orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}
