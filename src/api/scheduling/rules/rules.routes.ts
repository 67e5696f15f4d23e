import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { enforcements, overridingRoles } from '../../../shared/platform/authz/rule-settings.ts'
import { currencyErrors, qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { changeRule } from '../../../shared/scheduling/rules/change-rule.ts'
import { findRules, type RuleRow } from '../../../shared/scheduling/rules/rules.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, Id, OverridingRoles, oneLine } from '../../http/schemas.ts'

const tag = 'Rules'

/** A rule of booking with the settings of the organization. */
const Rule = z
  .object({
    key: z.string().meta({ examples: ['opening_hours'] }),
    title: z.string().meta({ examples: ['Flying day'] }),
    description: z.string(),
    fixed: z.boolean().describe('Blocks always; nobody overrides it, and it cannot be changed'),
    enforcement: z.enum(enforcements),
    liftedWhenSupervised: z.boolean(),
    overridableBy: z.array(z.enum(overridingRoles)),
    currencyId: Id.optional(),
  })
  .meta({ id: 'Rule' })

const RulePatch = z
  .object({
    enforcement: z.enum(enforcements).describe('`off`: not asked; `warn`: told beside the answer; `block`: refused'),
    liftedWhenSupervised: z.boolean().describe('Whether an instructor aboard lifts it from everybody else'),
    overridableBy: OverridingRoles.describe('The roles that may book in spite of it; replaces the list'),
  })
  .partial()
  .meta({ examples: [{ enforcement: 'warn' }] })

/** The endpoints of the rules of booking. Implements interface §Booking rules. */
export const ruleRoutes: Routes = (on) => {
  on.get('/rules', {
    id: 'listRules',
    access: 'member',
    tag,
    summary: 'The rules that judge every booking',
    description:
      'Fixed ones first, which always block; then those that the organization sets; then one a currency. The same rules ' +
      'are asked when a booking is made, moved, approved and checked, and when openings are looked for.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Rule)) },
    read: async ({ db, actor, query }) => {
      const rules = await findRules(db, actor.organizationId)
      return page(
        await listPage(
          listOf(
            rules.map((rule, place) => ({ ...rule, place })),
            ({ place }) => place,
          ),
          query,
          ruleView,
        ),
      )
    },
  })

  on.patch('/rules/:key', {
    id: 'updateRule',
    access: admins,
    tag,
    summary: 'Change how a rule is enforced',
    description: 'What is left out stays. `currency:{id}` changes the currency.',
    params: z.object({ key: oneLine(40).meta({ examples: ['opening_hours'] }) }),
    body: RulePatch,
    answers: { 200: envelope(Rule) },
    errors: [...currencyErrors, qualificationErrors.kindFixed, schedulingErrors.ruleFixed],
    write: (tx, { actor, params, body }) => changeRule(tx, actor, params.key, body),
    answer: async ({ key }, { db, actor }) => {
      const rules = await findRules(db, actor.organizationId)
      return ok(ruleView(rules.find((rule) => rule.key === key)!))
    },
  })
}

function ruleView({ currencyId, overridableBy, ...rule }: RuleRow): z.input<typeof Rule> {
  return { ...rule, overridableBy: [...overridableBy], ...(currencyId !== null && { currencyId }) }
}
