import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { enforcements, overridingRoles } from '../../../shared/platform/authz/rule-settings.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { currencyErrors, qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { changeRule } from '../../../shared/scheduling/rules/change-rule.ts'
import { findRule, findRules, type RuleRow } from '../../../shared/scheduling/rules/rules.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { OverridingRoles } from '../../http/role-schemas.ts'
import { envelope, Id, oneLine } from '../../http/schemas.ts'

const tag = 'Rules'

/** A rule of booking with the settings of the organization. */
const Rule = z
  .object({
    key: z.string(),
    title: z.string(),
    description: z.string(),
    fixed: z.boolean().describe('`true` when the rule always blocks, and can be neither overridden nor changed'),
    enforcement: z.enum(enforcements).meta({ choices: 'Enforcement' }),
    liftedWhenSupervised: z.boolean(),
    overridableBy: z.array(z.enum(overridingRoles)),
    currencyId: Id.optional(),
  })
  .meta({ id: 'Rule' })

const RulePatch = z
  .object({
    enforcement: z
      .enum(enforcements)
      .describe(
        'What happens when a booking does not meet the rule. `block`: it is refused. `warn`: it gets a warning. ' +
          '`off`: the rule is not checked',
      ),
    liftedWhenSupervised: z.boolean().describe('Whether an instructor on the booking exempts the others on it'),
    overridableBy: OverridingRoles.describe('The roles that may override the rule; replaces the whole list'),
  })
  .partial()

const RuleParams = z.object({ key: oneLine(40) })

/** The endpoints of the rules of booking. Implements interface §Booking rules. */
export const ruleRoutes: Routes = (on) => {
  on.get('/rules', {
    id: 'listRules',
    access: 'member',
    tag,
    summary: 'List the rules of booking',
    description:
      'Lists the rules that check every booking: first the fixed ones, which always block; then those that the ' +
      'organization sets; then one per currency. They are checked when a booking is created, moved or approved, and ' +
      'by `POST /reservations/check` and `GET /reservations/openings`.',
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

  on.get('/rules/:key', {
    id: 'readRule',
    access: 'member',
    tag,
    summary: 'Read a rule of booking',
    description:
      'Returns a rule with the settings of the organization. The key of a currency’s rule is `currency:{id}`.',
    params: RuleParams,
    answers: { 200: envelope(Rule) },
    read: async ({ db, actor, params }) => ok(await viewRule(db, actor.organizationId, params.key)),
  })

  on.patch('/rules/:key', {
    id: 'updateRule',
    access: admins,
    tag,
    summary: 'Change a rule of booking',
    description:
      'Changes how a rule is enforced. Fields that are left out stay. The key `currency:{id}` changes the settings ' +
      'of that currency.',
    params: RuleParams,
    body: RulePatch,
    answers: { 200: envelope(Rule) },
    errors: [...currencyErrors, qualificationErrors.kindFixed, schedulingErrors.ruleFixed],
    write: (tx, { actor, params, body }) => changeRule(tx, actor, params.key, body),
    answer: async ({ key }, { db, actor }) => ok(await viewRule(db, actor.organizationId, key)),
  })
}

async function viewRule(db: Db, organizationId: number, key: string): Promise<z.input<typeof Rule>> {
  return ruleView(await findRule(db, organizationId, key))
}

function ruleView({ currencyId, overridableBy, ...rule }: RuleRow): z.input<typeof Rule> {
  return { ...rule, overridableBy: [...overridableBy], ...(currencyId !== null && { currencyId }) }
}
