import { z } from 'zod'
import { findApplicationHours } from '../../../shared/insight/logbook/application-hours.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { minuteOfDay, wallToInstant } from '../../../shared/platform/kernel/zones.ts'
import { CURRENT_EDITION } from '../../../shared/training/endorsements/endorsement-templates.ts'
import type { EnrollmentRow } from '../../../shared/training/enrollments/enrollment.queries.ts'
import { readinessAt } from '../../../shared/training/readiness/judged-at.rules.ts'
import { findReadableReadiness } from '../../../shared/training/readiness/readiness.access.ts'
import { judgeReadiness } from '../../../shared/training/readiness/readiness.rules.ts'
import { findReadinessFacts } from '../../../shared/training/readiness/readiness-facts.queries.ts'
import type { ReadinessFacts } from '../../../shared/training/readiness/readiness-facts.types.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { instantOf, WindowLimit } from '../../http/windows.ts'
import { EnrollmentParams } from '../training.schemas.ts'
import { hoursView, Readiness, readinessView } from './readiness.view.ts'

/** The query of a readiness. */
export const ReadinessQuery = z.object({
  at: WindowLimit.optional().describe('Another day, at the planned time, or instant, within two years'),
})

export const readinessRoutes: Routes = (on) => {
  on.get('/training/enrollments/:enrollmentId/readiness', {
    id: 'readTestReadiness',
    access: 'member',
    tag: 'Training',
    summary: 'Read whether a student is ready for the practical test',
    description:
      'Judges the records at the planned test (14 CFR 61.39): `not_ready` when an item is missing or ends before, else ' +
      '`unknown` when one is. Allowed for the student, the student’s instructors, the chief instructor, admins and ' +
      'auditors; other staff see the verdict and how many items are open.',
    params: EnrollmentParams,
    query: ReadinessQuery,
    answers: { 200: envelope(Readiness) },
    errors: [trainingErrors.noSuchEnrollment, trainingErrors.testTooFar],
    read: async ({ db, actor, now, params, query }) => {
      const { enrollment, view } = await findReadableReadiness(db, actor, params.enrollmentId, now)
      const asked = { asked: query.at, now, withHours: view.items }
      const { facts, hours } = await findJudgedFacts(db, actor, enrollment, asked)
      return ok(readinessView(judgeReadiness(facts), { view, hours, now, edition: CURRENT_EDITION }))
    },
  })
}

/** Returns the facts of an enrollment at the test, and the hours of its student. `asked`: a local day, or an instant. */
export async function findJudgedFacts(
  db: Db,
  actor: Actor,
  enrollment: EnrollmentRow,
  { asked, now, withHours }: { asked: string | Date | undefined; now: Date; withHours: boolean },
): Promise<{ facts: ReadinessFacts; hours: ReturnType<typeof hoursView> }> {
  const { id, student, plannedTestAt } = enrollment
  const { organizationId } = actor
  const zone = actor.organization.timeZoneName
  const isOtherDay = typeof asked === 'string' && plannedTestAt !== null
  const at = isOtherDay ? wallToInstant(asked, minuteOfDay(plannedTestAt, zone), zone) : instantOf(asked, actor)
  const judged = { id, ...readinessAt(enrollment, at, now) }
  const scope = { organizationId, zone, now }
  const [found, log] = await Promise.all([
    findReadinessFacts(db, scope, [judged]),
    withHours ? findApplicationHours(db, { organizationId, orgUserId: student.orgUserId }).catch(() => null) : null,
  ])
  const facts = found.get(id)
  if (!facts) throw trainingErrors.noSuchEnrollment()
  return { facts, hours: hoursView(log, facts) }
}
