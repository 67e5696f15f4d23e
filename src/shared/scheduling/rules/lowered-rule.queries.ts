import type { Db } from '../../platform/db/database.ts'
import { isCatalogueKey, ruleCatalogue } from './rule-catalogue.rules.ts'

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
