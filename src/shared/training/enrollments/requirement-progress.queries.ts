import { sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import { tenths } from '../../platform/kernel/units.ts'
import { type CourseCeilings, courseDeviceLimits, type DeviceUse, deviceUse } from '../courses/device-ceilings.rules.ts'
import type { RequirementSource } from '../courses/syllabus.rules.ts'
import {
  type CreditFact,
  isSimulated,
  type RequirementProgress,
  type RequirementTerms,
  requirementProgress,
  type TotalCandidate,
  totalOf,
} from './requirement-progress.rules.ts'

/** The progress of an enrollment in one requirement of its version. */
export interface RequirementProgressRow extends RequirementProgress {
  requirementId: number
  code: string
  label: string
  source: RequirementSource
  inHours: boolean
}

/**
 * The progress of an enrollment in each requirement and, for each device ceiling of the course, the time in devices.
 */
export interface EnrollmentProgress {
  requirements: RequirementProgressRow[]
  devices: DeviceUse[]
}

/** A credit of the ledger, who posted it, the record that it is of, and whether a note says where it comes from. */
export interface PostedCredit extends CreditFact {
  createdBy: number
  recordId: number | null
  noted: boolean
}

/** A requirement of a version with the credits of an enrollment to it. */
export interface RequirementLedger extends RequirementTerms, TotalCandidate {
  enrollmentId: number
  id: number
  code: string
  label: string
  source: RequirementSource
  entries: PostedCredit[]
  course: CourseCeilings
}

interface LedgerRow extends Omit<RequirementLedger, 'entries'> {
  credits: (Omit<PostedCredit, 'occurredAt'> & { occurredAt: string })[]
}

/** An enrollment on a version. */
export interface EnrolledOn {
  id: number
  versionId: number
}

/** An enrollment on a version, and the instant at which its recency windows are judged. */
export interface JudgedEnrollment extends EnrolledOn {
  now: Date
}

/**
 * Returns the progress of an enrollment at an instant, in the organization's zone. One query reads requirements and
 * ledger, so that both are from the same snapshot.
 */
export async function findRequirementProgress(
  source: Source,
  { organizationId, id, versionId }: { organizationId: number; id: number; versionId: number },
  { now, zone }: { now: Date; zone: string },
): Promise<EnrollmentProgress> {
  const all = await findProgressOfMany(source, { organizationId, zone }, [{ id, versionId, now }])
  return all.get(id) ?? { requirements: [], devices: [] }
}

/** Returns the progress of enrollments by their ids, each at its own instant, in one query. */
export async function findProgressOfMany(
  source: Source,
  { organizationId, zone }: { organizationId: number; zone: string },
  enrollments: readonly JudgedEnrollment[],
): Promise<ReadonlyMap<number, EnrollmentProgress>> {
  const ledgers = await findLedgers(source, organizationId, enrollments)
  return new Map(enrollments.map(({ id, now }) => [id, progressOf(ledgers.get(id) ?? [], { now, zone })] as const))
}

/** Returns the requirements of the versions of enrollments with the credits to them, by the id of the enrollment, in one query. */
export async function findLedgers(
  source: Source,
  organizationId: number,
  enrollments: readonly EnrolledOn[],
): Promise<ReadonlyMap<number, RequirementLedger[]>> {
  const rows = await readRows(
    source,
    sql<LedgerRow>`
      select e.id as "enrollmentId", r.id, r.code, r.label, r.source, r.min_tenths as "minTenths", r.min_count as "minCount",
        r.max_simulator_bps as "maxSimulatorBps", r.max_transfer_bps as "maxTransferBps",
        r.recency_calendar_months as "recencyCalendarMonths", r.recency_days as "recencyDays",
        r.device_ceilings as "deviceCeilings",
        json_build_object('deviceCeilings', v.device_ceilings, 'appendix', v.appendix) as course,
        exists (select 1 from syllabus_credit k where k.organization_id = r.organization_id and k.requirement_id = r.id
          and k.clock <> 'ground') as flown,
        coalesce((select json_agg(json_build_object('id', c.id, 'amount', coalesce(c.tenths, c.count),
            'source', c.source, 'clock', c.clock, 'deviceKind', c.device_kind, 'occurredAt', c.occurred_at, 'reversesId', c.reverses_id,
            'createdBy', c.created_by, 'recordId', c.record_id,
            'noted', coalesce(c.notes, '') <> ''))
          from credit_entry c where c.organization_id = r.organization_id and c.enrollment_id = e.id
            and c.requirement_id = r.id), '[]') as credits
      from unnest(${enrollments.map(({ id }) => id)}::int[], ${enrollments.map((one) => one.versionId)}::int[])
        as e (id, version_id)
      join syllabus_requirement r on r.organization_id = ${organizationId} and r.version_id = e.version_id
      join syllabus_version v on v.organization_id = r.organization_id and v.id = r.version_id
      order by r.id`,
  )
  const ledgers = rows.map(({ credits, ...row }) => ({
    ...row,
    entries: credits.map((credit) => ({ ...credit, occurredAt: new Date(credit.occurredAt) })),
  }))
  return Map.groupBy(ledgers, ({ enrollmentId }) => enrollmentId)
}

/** Returns the progress in the requirements of a ledger at an instant, by all of its credits or by some. */
export function progressOf(
  ledger: readonly RequirementLedger[],
  at: { now: Date; zone: string },
  isCounted: (credit: PostedCredit) => boolean = () => true,
): EnrollmentProgress {
  const all = ledger.map((row) => ({ ...row, entries: row.entries.filter(isCounted) }))
  const total = totalOf(all)
  const courseLimits = total ? courseDeviceLimits(total.course, tenths(total.minTenths ?? 0)) : []
  const requirements = all.map(({ id: requirementId, code, label, source: from, entries, ...terms }) => ({
    requirementId,
    code,
    label,
    source: from,
    inHours: terms.minCount === null,
    ...requirementProgress({ ...terms, courseLimits }, entries, at),
  }))
  return { requirements, devices: deviceUse(deviceTime(total?.entries ?? []), courseLimits) }
}

/** Returns the entries of time in devices, without reversals and reversed entries. */
function deviceTime(entries: readonly CreditFact[]): CreditFact[] {
  const reversed = new Set(entries.map((entry) => entry.reversesId))
  return entries.filter((entry) => entry.reversesId === null && !reversed.has(entry.id) && isSimulated(entry))
}
