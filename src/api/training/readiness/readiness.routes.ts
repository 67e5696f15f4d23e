import { z } from 'zod'
import { findApplicationHours } from '../../../shared/insight/logbook/application-hours.queries.ts'
import { CURRENT_EDITION } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { readinessAt } from '../../../shared/training/readiness/judged-at.rules.ts'
import { findReadableReadiness } from '../../../shared/training/readiness/readiness.access.ts'
import { judgeReadiness } from '../../../shared/training/readiness/readiness.rules.ts'
import { findReadinessFacts } from '../../../shared/training/readiness/readiness-facts.queries.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, InstantInput } from '../../http/schemas.ts'
import { EnrollmentParams } from '../training.schemas.ts'
import { hoursView, Readiness, readinessView } from './readiness.view.ts'

export const readinessRoutes: Routes = (on) => {
  on.get('/training/enrollments/:enrollmentId/readiness', {
    id: 'readReadiness',
    access: 'member',
    tag: 'Training',
    summary: 'Read whether a student is ready for the practical test',
    description:
      'Judges the records at the planned test (14 CFR 61.39): `not_ready` when an item is missing or ends before, else ' +
      '`unknown` when one is not known. Allowed for the student, the student’s instructors, the chief instructor, admins and ' +
      'auditors; other staff see the verdict and the number of open items.',
    params: EnrollmentParams,
    query: z.object({
      at: InstantInput.optional().describe('Another time of the test, within two years'),
    }),
    answers: { 200: envelope(Readiness) },
    errors: [trainingErrors.noSuchEnrollment, trainingErrors.testTooFar],
    read: async ({ db, actor, now, params, query }) => {
      const { organizationId, organization } = actor
      const { enrollment, view } = await findReadableReadiness(db, actor, params.enrollmentId, now)
      const { id, student } = enrollment
      const judged = { id, ...readinessAt(enrollment, query.at, now) }
      const scope = { organizationId, zone: organization.timeZoneName, now }
      const [facts, log] = await Promise.all([
        findReadinessFacts(db, scope, [judged]),
        view.items
          ? findApplicationHours(db, { organizationId, orgUserId: student.orgUserId }).catch(() => null)
          : null,
      ])
      const found = facts.get(id)
      if (!found) throw trainingErrors.noSuchEnrollment()
      const hours = hoursView(log, found)
      return ok(readinessView(judgeReadiness(found), { view, hours, now, edition: CURRENT_EDITION }))
    },
  })
}
