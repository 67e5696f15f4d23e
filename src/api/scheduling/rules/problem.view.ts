import { z } from 'zod'
import type { DispatchRule } from '../../../shared/dispatch/release.types.ts'
import type { ProblemListCode } from '../../../shared/platform/kernel/error-codes.ts'
import type { BookingWarning } from '../../../shared/scheduling/rules/assert-bookable.ts'
import { fixActions } from '../../../shared/scheduling/rules/problems.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** What would cure a problem, in the reach of the caller. */
export const FixView = z
  .object({
    action: z.enum(fixActions),
    text: z.string().meta({ examples: ['Book it with an instructor aboard.'] }),
    currencyId: Id.optional(),
    orgUserId: Id.optional(),
    resourceId: Id.optional(),
    category: z.string().optional(),
    missingCents: z.int().optional(),
    resourceIds: z.array(Id).optional(),
    start: Instant.optional(),
    end: Instant.optional(),
  })
  .meta({ id: 'BookingFix' })

/** One thing that a rule finds: the shape of problems and of warnings. Implements interface §Booking rules. */
export const BookingProblem = z
  .object({
    rule: z
      .string()
      .describe('The key of a rule (`GET /rules`); `eligibility` where the caller may not know it')
      .meta({ examples: ['currency:1'] }),
    code: z.string().meta({ examples: ['NOT_CURRENT'] }),
    message: z.string().meta({ examples: ['Rita Lange is not current: Flight review (expired 2026-05-31)'] }),
    field: z
      .string()
      .describe('The dot path in the body; empty when it is of none')
      .meta({ examples: ['personnel.renters'] }),
    orgUserId: Id.optional(),
    resourceId: Id.optional(),
    reservationId: Id.optional(),
    overridable: z.boolean().describe('Whether the caller’s roles may book in spite of it'),
    start: Instant.optional().describe('Of a series: the booking that it is about'),
    fix: FixView.optional().describe('What would cure it; absent when nothing in the caller’s reach would'),
  })
  .meta({ id: 'BookingProblem' })

/** A warning beside an answer; `lesson` is of what is planned, `prepaid_charge`, `meeting` and `payers_changed` are of what
 * follows the booking. */
export type Warning = Omit<BookingWarning, 'rule' | 'code' | 'message'> & {
  rule: BookingWarning['rule'] | 'lesson' | 'prepaid_charge' | 'meeting' | 'payers_changed' | DispatchRule
  code: ProblemListCode
  message: string
}

/** The warnings beside a booking that stands: what its rules warn of, and what could not be done. */
export const bookingWarnings = {
  warnings: z
    .array(BookingProblem)
    .optional()
    .meta({ examples: [[]] }),
}

/** Returns the key that warnings have beside an answer; none without them. */
export function beside(warnings: Warning[]): { warnings?: Warning[] } {
  return warnings.length > 0 ? { warnings } : {}
}
