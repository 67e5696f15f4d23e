import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { TestResult } from '../knowledge-tests/training-test.rules.ts'
import { type Edition, editions, templatesOf } from './endorsement-templates.ts'
import { type InstructorRecordKind, instructorRecordKind } from './instructor-records.rules.ts'

/** One endorsement in the records that an instructor keeps under 14 CFR 61.189(b). */
export interface InstructorRecord {
  id: number
  signedAt: Date
  student: PersonRow
  kind: InstructorRecordKind
  code: string
  edition: Edition
  title: string
  makeAndModel: string | null
  testAt: Date | null
  result: TestResult | null
}

const kept = editions.flatMap((edition) =>
  templatesOf(edition).flatMap((template) => {
    const kind = instructorRecordKind(template)
    return kind === null ? [] : [{ edition, code: template.code, kind }]
  }),
)

/**
 * Returns the endorsements that an instructor signed or confirmed for solo flight and for tests, earliest first.
 * Superseded endorsements are included. For a recommendation, `testAt` and `result` are those of the test that
 * references it; without one, of the student's next test of that kind that references no endorsement. 14 CFR 61.189(b).
 */
export function findInstructorRecords(
  source: Source,
  organizationId: number,
  scope: InstructorScope,
): Promise<InstructorRecord[]> {
  return readRows(source, sql<InstructorRecord>`${select(organizationId, scope)} order by d.signed_at, d.id`)
}

/** Returns the same endorsements as a list source, earliest first. */
export function listInstructorRecords(db: Db, organizationId: number, scope: InstructorScope) {
  const rows = sql<InstructorRecord>`(${select(organizationId, scope)})`
  return pageable(db, db.selectFrom(rows.as('t')).selectAll('t').orderBy('t.signedAt').orderBy('t.id'))
}

interface InstructorScope {
  orgUserId: number
  window: Partial<Interval>
}

function select(organizationId: number, { orgUserId, window: { start, end } }: InstructorScope): RawBuilder<unknown> {
  return sql`
      select d.id, d.signed_at as "signedAt", ${personJson('d.membership_id')} as student, k.kind,
        d.template_code as code, d.template_edition as edition, d.title, d.parameters->>'makeAndModel' as "makeAndModel",
        t.taken_at as "testAt", t.result
      from endorsement d
      join jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k (edition text, code text, kind text)
        on k.edition = d.template_edition and k.code = d.template_code
      left join lateral (
        select taken_at, result from training_test t
        where t.organization_id = d.organization_id and t.membership_id = d.membership_id
          and t.kind || '_test' = k.kind and (t.endorsement_id = d.id or (t.endorsement_id is null and t.taken_at >= d.signed_at))
        order by t.endorsement_id = d.id desc nulls last, t.taken_at, t.id limit 1) t on true
      where d.organization_id = ${organizationId} and d.signed_by = ${orgUserId}
        and (d.confirmed_at is not null or coalesce(d.recorded_by, d.signed_by) = d.signed_by)
        ${start ? sql`and d.signed_at >= ${start}` : sql``} ${end ? sql`and d.signed_at < ${end}` : sql``}`
}
