import { z } from 'zod'
import { checkStatuses, type ReleaseCheck, verdicts } from '../../shared/dispatch/release.types.ts'
import { Id, Person } from '../http/schemas.ts'
import { FixView, type Warning } from '../scheduling/rules/problem.view.ts'

const Subject = z.object({
  orgUserId: Id.optional(),
  resourceId: Id.optional(),
  squawkId: Id.optional(),
  reminderId: Id.optional(),
  reservationId: Id.optional(),
  name: z.string(),
})

/** One check of a release. */
const Check = z
  .object({
    rule: z.string().describe('The key of a rule (`GET /rules`), or of a check of the aircraft such as `open_squawk`'),
    status: z.enum(checkStatuses),
    code: z.string(),
    message: z.string(),
    subject: Subject,
    overridable: z.boolean().describe('Whether the caller may override the check'),
    fix: FixView.optional(),
    overriddenBy: Person.optional(),
  })
  .meta({ id: 'ReleaseCheck' })

/** Whether a booking may leave now, with the checks. Implements interface §Dispatch. */
export const Release = z
  .object({
    verdict: z
      .enum(verdicts)
      .describe('`blocked`: a check blocks. `advisory`: none blocks, and one warns. `released`: neither'),
    checks: z
      .array(Check)
      .describe(
        'Every rule of booking as if the booking started now, open squawks, maintenance that the booked hours would pass, an ' +
          'aircraft that is still out, a start that is far ahead, and the files that the aircraft must carry',
      ),
  })
  .meta({ id: 'Release' })

/** Returns the checks that are not met, as the warnings of a ramp-out. */
export function warningsOfChecks(checks: readonly ReleaseCheck[]): Warning[] {
  return checks.map(({ rule, code, message, overridable, fix, subject }) => {
    const { orgUserId, resourceId, reservationId } = subject
    return { rule, code, message, field: '', overridable, ...(fix && { fix }), orgUserId, resourceId, reservationId }
  })
}
