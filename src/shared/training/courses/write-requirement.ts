import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { BasisPoints, Tenths } from '../../platform/kernel/units.ts'
import { trainingErrors } from '../training.errors.ts'
import { courseOf } from './course.access.ts'
import type { DeviceCeiling } from './device-ceilings.rules.ts'
import { findLessonCredits, findMeasures, type VersionKey } from './syllabus.queries.ts'
import { isCounting, type RequirementSource } from './syllabus.rules.ts'
import { lockVersion } from './version.access.ts'

export interface RequirementInput {
  requirementId: number | null
  code: string
  label: string
  /** Tenths of hours. */
  minDeciHours: Tenths | null
  minCount: number | null
  /** Null for the course's regulatory part. */
  source: RequirementSource | null
  maxSimulatorBps: BasisPoints | null
  maxTransferBps: BasisPoints | null
  recencyCalendarMonths: number | null
  recencyDays: number | null
  deviceCeilings: DeviceCeiling[]
}

/**
 * Adds a requirement to a draft, or replaces a requirement's fields. A requirement has either minimum hours or a
 * minimum count.
 * Implements interface §Training: PUT requirements.
 */
export async function writeRequirement(
  tx: Tx,
  actor: Actor,
  versionId: number,
  input: RequirementInput,
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, versionId, 'edit')
  const { requirementId, minDeciHours: minTenths, source, ...fields } = input
  const key = { organizationId: actor.organizationId, versionId }
  if (minTenths !== null && fields.minCount !== null) {
    throw trainingErrors.hoursAndCount()
  }
  if (minTenths === null && fields.minCount === null) {
    throw trainingErrors.hoursOrCount()
  }
  if (fields.recencyCalendarMonths !== null && fields.recencyDays !== null) throw trainingErrors.twoWindows()
  const others = await findMeasures(tx.db, key)
  if (requirementId !== null && !others.some((one) => one.id === requirementId)) {
    throw trainingErrors.unknownRequirement()
  }
  if (others.some((one) => one.id !== requirementId && one.code.toLowerCase() === fields.code.toLowerCase())) {
    throw trainingErrors.requirementCodeGiven({ code: fields.code })
  }
  const row = {
    code: fields.code,
    label: fields.label,
    min_tenths: minTenths,
    min_count: fields.minCount,
    source: source ?? (await courseOf(tx, version)).regulatoryPart,
    max_simulator_bps: fields.maxSimulatorBps,
    max_transfer_bps: fields.maxTransferBps,
    recency_calendar_months: fields.recencyCalendarMonths,
    recency_days: fields.recencyDays,
    device_ceilings: storedCeilings(fields.deviceCeilings),
  }
  if (requirementId === null) {
    return tx.db
      .insertInto('syllabus_requirement')
      .values({ organization_id: actor.organizationId, version_id: versionId, ...row })
      .returning('id')
      .executeTakeFirstOrThrow()
  }
  await assertKeepsCredits(tx, key, requirementId, minTenths !== null)
  return tx.db
    .updateTable('syllabus_requirement')
    .set(row)
    .where('organization_id', '=', actor.organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', requirementId)
    .returning('id')
    .executeTakeFirstOrThrow()
}

/**
 * Deletes a requirement of a draft, with the lesson credits that reference it. Implements interface §Training: DELETE
 * requirements.
 */
export async function deleteRequirement(tx: Tx, actor: Actor, versionId: number, id: number): Promise<{ id: number }> {
  await lockVersion(tx, actor, versionId, 'edit')
  const requirement = await tx.db
    .deleteFrom('syllabus_requirement')
    .where('organization_id', '=', actor.organizationId)
    .where('version_id', '=', versionId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!requirement) throw trainingErrors.noSuchRequirement()
  return requirement
}

/** Returns ceilings as a jsonb value for an insert or update. */
export function storedCeilings(ceilings: readonly DeviceCeiling[]): RawBuilder<DeviceCeiling[]> {
  return sql`${JSON.stringify(ceilings)}::jsonb`
}

async function assertKeepsCredits(tx: Tx, version: VersionKey, requirementId: number, inHours: boolean): Promise<void> {
  const credits = await findLessonCredits(tx.db, version, { requirementId })
  if (credits.some(({ clock }) => (clock === null || isCounting(clock)) === inHours)) {
    throw inHours ? trainingErrors.creditedByCount() : trainingErrors.creditedInHours()
  }
}
