import { sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { type CatalogueKey, isCatalogueKey, type RuleKey, ruleCatalogue, settingsOf } from './rule-catalogue.rules.ts'

/** A booking rule with the settings of an organization. */
export interface RuleRow extends RuleSettings {
  key: RuleKey
  title: string
  description: string
  fixed: boolean
  /** The currency of a currency's rule; null for a rule of the catalogue. */
  currencyId: number | null
}

/**
 * Returns the rules of an organization: those of the catalogue in its order, then one per currency, oldest first.
 * Implements interface §Booking rules.
 */
export async function findRules(db: Db, organizationId: number): Promise<RuleRow[]> {
  const { settings } = await db
    .selectFrom('organization')
    .select('settings')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const currencies = await db
    .selectFrom('currency')
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
    fixed: false,
    enforcement: currency.enforcement,
    currencyId: currency.id,
    liftedWhenSupervised: currency.lifted_when_supervised,
    overridableBy: currency.overridable_by,
  }))
  return [...ofCatalogue, ...ofCurrencies]
}

/** Returns one rule of an organization. */
export async function findRule(db: Db, organizationId: number, key: string): Promise<RuleRow> {
  const rule = (await findRules(db, organizationId)).find((one) => one.key === key)
  if (!rule) throw platformErrors.noSuchRecord()
  return rule
}

/** Returns the rule whose enforcement was lowered at an instant, from the event log; null when there is none. */
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

/** An override in a digest. */
export interface NotifiedOverride {
  reservationId: number
  booking: string
  /** The title of the rule, or the name of the currency. */
  rule: string
  /** The name of the person whom the finding was about; null when it was about nobody. */
  person: string | null
  by: string
  /** Whether the member overrode a finding about themselves. */
  self: boolean
}

/** Returns the overrides of the digest that an organization got at an instant, by id. */
export async function findNotifiedOverrides(
  db: Db,
  organizationId: number,
  notifiedAt: Date,
): Promise<NotifiedOverride[]> {
  const rows = await db
    .selectFrom('rule_override as o')
    .innerJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 'o.organization_id').onRef('r.id', '=', 'o.reservation_id'),
    )
    .innerJoin('membership as bm', (join) =>
      join.onRef('bm.organization_id', '=', 'o.organization_id').onRef('bm.id', '=', 'o.overridden_by'),
    )
    .leftJoin('membership as pm', (join) =>
      join.onRef('pm.organization_id', '=', 'o.organization_id').onRef('pm.id', '=', 'o.membership_id'),
    )
    .leftJoin('currency as c', (join) =>
      join.onRef('c.organization_id', '=', 'o.organization_id').on(sql<boolean>`o.rule = 'currency:' || c.id`),
    )
    .select(['o.reservation_id', 'r.title', 'o.rule', 'c.name as currency', 'o.membership_id', 'o.overridden_by'])
    .select(['pm.search_name as person', 'bm.search_name as by'])
    .where('o.organization_id', '=', organizationId)
    .where('o.notified_at', '=', notifiedAt)
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({
    reservationId: row.reservation_id,
    booking: row.title,
    rule: isCatalogueKey(row.rule) ? ruleCatalogue[row.rule].title : (row.currency ?? row.rule),
    person: row.person,
    by: row.by,
    self: row.membership_id === row.overridden_by,
  }))
}
