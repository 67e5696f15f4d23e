import { p } from '@mikro-orm/core'

/**
 * The columns of every record; instants have milliseconds. The database assigns ids, and keeps `updatedAt`: a trigger
 * sets it to the transaction's time, so an entity shows it as it was loaded.
 */
export const record = {
  id: p.integer().primary().autoincrement(),
  createdAt: p.datetime().length(3).defaultRaw('now()'),
  updatedAt: p.datetime().length(3).defaultRaw('now()'),
}

/** The columns of a record of one organization. Its foreign keys are composite: (organization_id, id). */
export const tenantRecord = { ...record, organizationId: p.integer() }

/** A timestamp column with milliseconds. */
export const instant = () => p.datetime().length(3)
