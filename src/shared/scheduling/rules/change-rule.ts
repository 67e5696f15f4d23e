import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { isId } from '../../platform/kernel/units.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { recordRuleChange } from '../../qualification/currencies/record-rule-change.ts'
import { updateCurrency } from '../../qualification/currencies/write-currency.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { isCatalogueKey, type RuleKey, ruleCatalogue, settingsOf } from './rule-catalogue.rules.ts'

type RuleChanges = { [Key in keyof RuleSettings]?: RuleSettings[Key] | undefined }

/**
 * Changes the given settings of a rule; the settings of a currency's rule are stored with the currency. The instant at which
 * `pilot_rating` first blocks is kept and never moves. A lock on the organization keeps two concurrent changes from
 * overwriting each other. Implements interface §Booking rules.
 */
export async function changeRule(tx: Tx, actor: Actor, key: string, changes: RuleChanges): Promise<{ key: RuleKey }> {
  const currencyId = Number(/^currency:([1-9]\d{0,9})$/.exec(key)?.[1] ?? 0)
  if (isId(currencyId)) {
    await updateCurrency(tx, actor, currencyId, changes)
    return { key: `currency:${currencyId}` }
  }
  if (!isCatalogueKey(key)) throw platformErrors.noSuchRecord()
  if (ruleCatalogue[key].settings === null) throw schedulingErrors.ruleFixed()
  const organization = await lockOrganization(tx, actor.organizationId)
  const { rules } = readSettings(organization.settings)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const stored = { ...rules[key], ...given }
  const first = key === 'pilot_rating' && stored.enforcement === 'block' && stored.blockedSince === undefined
  const changed = { ...rules, [key]: { ...stored, ...(first && { blockedSince: tx.now.toISOString() }) } }
  organization.settings = { ...organization.settings, rules: changed }
  const [before, after] = [settingsOf(key, rules), settingsOf(key, changed)]
  const subject = { kind: 'organization', id: organization.id } as const
  recordRuleChange(tx, actor, subject, { before: { key, ...before }, after: { key, ...after } })
  return { key }
}
