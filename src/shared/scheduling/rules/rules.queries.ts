import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { type CatalogueKey, isCatalogueKey, type RuleKey, ruleCatalogue, settingsOf } from './rule-catalogue.rules.ts'

/** A rule of booking as an organization set it. */
export interface RuleRow extends RuleSettings {
  key: RuleKey
  title: string
  description: string
  fixed: boolean
  /** Of the rule of a currency. */
  currencyId: number | null
}

/** Returns the rules of an organization: those of the catalogue in its order, then one a currency, oldest first. */
export async function findRules(db: Db, organizationId: number): Promise<RuleRow[]> {
  const { settings } = await db
    .selectFrom('organization')
    .select('settings')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const currencies = await db
    .selectFrom('currency_rule')
    .select(['id', 'name', 'enforcement', 'lifted_when_supervised', 'overridable_by', 'applies_to'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  const { rules } = readSettings(settings)
  const ofCatalogue = (Object.keys(ruleCatalogue) as CatalogueKey[]).map((key) => {
    const { title, description, settings: own } = ruleCatalogue[key]
    return { key, title, description, fixed: own === null, currencyId: null, ...settingsOf(key, rules) }
  })
  const ofCurrencies = currencies.map((currency) => ({
    key: `currency:${currency.id}` as const,
    title: currency.name,
    description: currency.applies_to === 'pic' ? schedulingErrors.currencyOfPilot() : schedulingErrors.currencyOfAll(),
    ...{ fixed: false, enforcement: currency.enforcement, currencyId: currency.id },
    liftedWhenSupervised: currency.lifted_when_supervised,
    overridableBy: currency.overridable_by,
  }))
  return [...ofCatalogue, ...ofCurrencies]
}

/** Returns the rule of an organization that somebody lowered at an instant, from the event log; null when there is none. */
export async function findLoweredRule(db: Db, organizationId: number, at: Date) {
  const event = await db
    .selectFrom('event')
    .select(['actor_name as by', 'before', 'after'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'rule.changed')
    .where('at', '=', at)
    .orderBy('sequence')
    .executeTakeFirst()
  if (!event?.before) return null
  const { key, name } = event.before
  const title = typeof key === 'string' && isCatalogueKey(key) ? ruleCatalogue[key].title : String(name)
  const enforcement = event.after?.enforcement ?? null
  return { title, by: event.by ?? '', enforcement: enforcement as 'warn' | 'off' | null }
}
