import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { findStalled } from '../../../shared/insight/reports/stalled.queries.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { STALLED_DAYS } from '../../../shared/training/enrollments/stalled.queries.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import {
  ActionRequest,
  Day,
  envelope,
  Id,
  membersOf,
  NamedReference,
  Person,
  QueryMembers,
  queryNumber,
} from '../../http/schemas.ts'
import { recordRead } from '../../identity/profiles/audited-reading.ts'
import { takePlace } from './report-places.ts'

const StalledRow = z
  .object({
    enrollment: z.object({ id: Id, student: Person, course: NamedReference, instructorOrgUserId: Id.nullable() }),
    days: z.int().describe('Since the last completed lesson, or the enrolment'),
    cause: z.string(),
    since: Day.nullable(),
    action: ActionRequest,
  })
  .meta({ id: 'StalledRow' })

/** The endpoint of the report on stalled students. Implements interface §33.1. */
export const stalledReportRoutes: Routes = (on) => {
  on.get('/reports/stalled', {
    id: 'reportStalled',
    access: 'member',
    tag: 'Reports',
    summary: 'Report the students without a completed lesson, and why',
    description:
      'The first cause that fits: `medical`, `endorsement_ended`, `balance`, `no_booking`, `cancelled:<category>`, ' +
      '`repeating:<lessonId>`, `instructor_gone`, `waiting_for_signature`, `waiting_for_test`, `silence`; `papers` or ' +
      '`account_matter` for who may not know. Members who are not staff get themselves.',
    query: ListQuery.extend({
      days: queryNumber(7, 365).default(STALLED_DAYS),
      instructorOrgUserId: QueryMembers.optional(),
    }),
    answers: { 200: envelope(z.array(StalledRow)) },
    errors: [insightErrors.reportsRunning],
    read: async ({ db, actor, now, count, query, ...call }) => {
      await count([['reports', String(actor.accountId)]])
      const release = takePlace(actor.organizationId)
      try {
        if (is(actor, staff)) await recordRead(call, actor, { kind: 'stalled.read' })
        const instructorOrgUserIds = membersOf(query.instructorOrgUserId, actor)
        const rows = await findStalled(db, actor, { days: query.days, instructorOrgUserIds, now })
        return page(await listPage(listOf(rows), query, (row) => row))
      } finally {
        release()
      }
    },
  })
}
