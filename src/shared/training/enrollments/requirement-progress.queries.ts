import { sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { RequirementSource } from '../courses/syllabus.rules.ts'
import {
  type CreditFact,
  type RequirementProgress,
  type RequirementTerms,
  requirementProgress,
} from './requirement-progress.rules.ts'

/** The progress of an enrollment in one requirement of its version. */
export interface RequirementProgressRow extends RequirementProgress {
  requirementId: number
  code: string
  label: string
  source: RequirementSource
  inHours: boolean
}

interface RequirementWithCredit extends RequirementTerms {
  id: number
  code: string
  label: string
  source: RequirementSource
  credits: (Omit<CreditFact, 'occurredAt'> & { occurredAt: string })[]
}

/**
 * Returns the progress of an enrollment in each requirement at an instant, in the organization's zone. One query reads
 * requirements and ledger, so that both are of the same instant.
 */
export async function findRequirementProgress(
  source: Source,
  { organizationId, id, versionId }: { organizationId: number; id: number; versionId: number },
  at: { now: Date; zone: string },
): Promise<RequirementProgressRow[]> {
  const rows = await readRows(
    source,
    sql<RequirementWithCredit>`
      select r.id, r.code, r.label, r.source, r.min_tenths as "minTenths", r.min_count as "minCount",
        r.max_simulator_bps as "maxSimulatorBps", r.max_transfer_bps as "maxTransferBps",
        r.recency_calendar_months as "recencyCalendarMonths", r.recency_days as "recencyDays",
        r.device_ceilings as "deviceCeilings",
        coalesce((select json_agg(json_build_object('id', c.id, 'amount', coalesce(c.tenths, c.count),
            'source', c.source, 'clock', c.clock, 'deviceKind', c.device_kind, 'occurredAt', c.occurred_at, 'reversesId', c.reverses_id))
          from credit_entry c where c.organization_id = r.organization_id and c.enrollment_id = ${id}
            and c.requirement_id = r.id), '[]') as credits
      from syllabus_requirement r
      where r.organization_id = ${organizationId} and r.version_id = ${versionId}
      order by r.id`,
  )
  return rows.map(({ id: requirementId, code, label, source: from, credits, ...terms }) => ({
    requirementId,
    code,
    label,
    source: from,
    inHours: terms.minCount === null,
    ...requirementProgress(
      terms,
      credits.map((credit) => ({ ...credit, occurredAt: new Date(credit.occurredAt) })),
      at,
    ),
  }))
}
