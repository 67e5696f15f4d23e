import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { paperRules } from '../../../shared/scheduling/rules/override.rules.ts'
import { isOverridable } from '../../../shared/scheduling/rules/rule-catalogue.rules.ts'
import { Id, oneLine, text } from '../../http/schemas.ts'

/** The rules that the caller overrides. Implements interface §Booking rules (overrides). */
export const NeededOverrides = z
  .array(
    z
      .object({
        rule: oneLine(40)
          .refine(isOverridable, fieldErrors.overridableRule())
          .describe('The key of a rule that is not fixed (`GET /rules`); `currency` means every currency'),
        orgUserId: Id.nullish().describe('The member whom the override is for. Default: everybody on the booking'),
        reason: text(500).trim().min(5).describe('Why; kept with the booking and shown to staff'),
        documentId: Id.nullish()
          .describe(
            'For `pilot_rating` and `endorsement`: the document of the person that shows the paper which was seen. ' +
              'Required where `settings.overridesNeedPaper` is set. It cannot be deleted before the booking is over',
          )
          .meta({ examples: [null] }),
      })
      .refine(({ rule, documentId }) => documentId == null || paperRules.includes(rule), {
        path: ['documentId'],
        message: fieldErrors.paperOfOtherRule(),
        // What is wrong with the id itself is said first.
        when: ({ issues }) => issues.length === 0,
      })
      .meta({ id: 'RuleOverride' })
      .transform(({ orgUserId = null, documentId = null, ...override }) => ({ ...override, orgUserId, documentId })),
  )
  .max(100)

/** The overrides of a body in which they are optional. */
export const OverridesInput = NeededOverrides.optional().describe(
  'The rules that the caller overrides; an override that no rule needs is ignored',
)
