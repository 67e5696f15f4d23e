import { z } from 'zod'
import type { DispatchRule } from '../../../shared/dispatch/release.types.ts'
import type { ProblemListCode } from '../../../shared/platform/kernel/problem-codes.ts'
import type { BookingWarning } from '../../../shared/scheduling/rules/assert-bookable.ts'
import { fixActions } from '../../../shared/scheduling/rules/problems.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** An action of the caller that would resolve a problem. */
export const FixView = z
  .object({
    action: z.enum(fixActions),
    text: z.string(),
    currencyId: Id.optional(),
    orgUserId: Id.optional(),
    resourceId: Id.optional(),
    category: z.string().optional(),
    missingCents: z.int().optional().describe('Cents. The amount that is missing on the member’s account'),
    resourceIds: z.array(Id).optional(),
    codes: z.array(z.string()).optional().describe('The codes of the endorsements to sign; one of each pair is enough'),
    orgUserIds: z.array(Id).optional().describe('Instructors who fit; empty when the request names none'),
    start: Instant.optional(),
    end: Instant.optional(),
  })
  .meta({ id: 'BookingFix' })

/** One problem or warning of a rule. Implements interface §Booking rules. */
export const BookingProblem = z
  .object({
    rule: z
      .string()
      .describe('The key of the rule (`GET /rules`); `eligibility` when the caller may not know which rule it is'),
    code: z.string(),
    message: z.string(),
    field: z.string().describe('The dot path of the field in the body; empty when the problem is not about one field'),
    orgUserId: Id.optional(),
    resourceId: Id.optional(),
    reservationId: Id.optional(),
    overridable: z.boolean().describe('Whether the caller may override the rule for this booking'),
    start: Instant.optional().describe('The start of the booking that the problem is about; only for a series'),
    fix: FixView.optional().describe('What the caller can do to resolve the problem; absent when there is nothing'),
    details: z
      .object({ known: z.boolean().optional() })
      .catchall(z.unknown())
      .optional()
      .describe(
        '`known`: whether the record shows that the paper is missing; `false`: it may exist and not be recorded',
      ),
  })
  .meta({ id: 'BookingProblem' })

/**
 * A warning beside an answer, with the rules that are not rules of booking: `lesson` is about the planned lesson, and
 * `prepaid_charge`, `meeting`, `payers_changed` and `cancellation_fee` are about work that follows the booking.
 */
export type Warning = Omit<BookingWarning, 'rule' | 'code' | 'message'> & {
  rule:
    | BookingWarning['rule']
    | 'lesson'
    | 'prepaid_charge'
    | 'meeting'
    | 'payers_changed'
    | 'cancellation_fee'
    | DispatchRule
  code: ProblemListCode
  message: string
}

/** The warnings of an accepted booking: those of its rules, and work that could not be done. */
export const bookingWarnings = {
  warnings: z
    .array(BookingProblem)
    .optional()
    .describe('Warnings from the booking rules and from other checks. The field is absent when there are none'),
}

/** What of a series is left out because a rule refuses it. */
export const skippedBookings = {
  skipped: z
    .array(z.object({ start: Instant, problems: z.array(BookingProblem) }))
    .optional()
    .describe('The bookings of a series that are left out, by start. The field is absent when there are none'),
}

/** Returns the field with the warnings of an answer; an empty object when there is none. */
export function beside(warnings: Warning[]): { warnings?: Warning[] } {
  return warnings.length > 0 ? { warnings } : {}
}
