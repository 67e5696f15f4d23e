import { p } from '@mikro-orm/core'

/** What every stored record carries. The database numbers the ids; instants have milliseconds. */
export const record = {
  id: p.integer().primary().autoincrement(),
  createdAt: p.datetime().length(3).defaultRaw('now()'),
  updatedAt: p
    .datetime()
    .length(3)
    .defaultRaw('now()')
    .onUpdate(() => new Date()),
}

/** A record that belongs to one organization. Its references are closed in the database by (organization_id, id). */
export const tenantRecord = { ...record, organizationId: p.integer() }

/** An instant of the database, to the millisecond. */
export const instant = () => p.datetime().length(3)
