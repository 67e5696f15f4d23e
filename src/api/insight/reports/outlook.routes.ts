import { z } from 'zod'
import { findOutlookFacts } from '../../../shared/insight/reports/outlook.queries.ts'
import { outlookOf } from '../../../shared/insight/reports/outlook.rules.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findReadableReadiness } from '../../../shared/training/readiness/readiness.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { Day, envelope } from '../../http/schemas.ts'
import { DeciHours, EnrollmentParams } from '../../training/training.schemas.ts'

const Outlook = z
  .object({
    lessonsLeft: z.int(),
    deciHoursLeft: DeciHours,
    pace: z
      .object({ lessonsPerWeek: z.array(z.number()).length(3).describe('Low, middle and high, in 7 days') })
      .nullable(),
    finish: z.object({ earliest: Day.nullable(), likely: Day.nullable(), latest: Day.nullable() }),
    cost: z.object({ likelyCents: z.int(), highCents: z.int() }).nullable(),
    basis: z.enum(['own', 'course', 'none']),
    sample: z.int(),
  })
  .meta({ id: 'Outlook' })

/** The endpoint of the outlook of an enrollment. Implements interface §33.2. */
export const outlookRoutes: Routes = (on) => {
  on.get('/training/enrollments/:enrollmentId/outlook', {
    id: 'readOutlook',
    access: 'member',
    tag: 'Training',
    summary: 'Read what is left of a course at the pace and price so far',
    description:
      'Arithmetic, no promise. Pace: quartiles of lessons in 8 weeks, own from 5 lessons (`sample`), else of 5 or more ' +
      'other students. `cost` (student and admins): hours × average price of a flown hour in 180 days without taxes; ' +
      'high: its upper quartile.',
    params: EnrollmentParams,
    answers: { 200: envelope(Outlook) },
    errors: [trainingErrors.noSuchEnrollment],
    read: async ({ db, actor, now, params }) => {
      const { enrollment } = await findReadableReadiness(db, actor, params.enrollmentId, now)
      const { organizationId, organization, orgUserId } = actor
      const prices = enrollment.student.orgUserId === orgUserId || is(actor, admins)
      const scope = { organizationId, zone: organization.timeZoneName, now }
      return ok(outlookOf(await findOutlookFacts(db, scope, enrollment, { prices })))
    },
  })
}
