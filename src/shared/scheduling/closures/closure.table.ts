import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { StoredRecurrence } from '../rules/recurrence.rules.ts'

/**
 * A time when the organization, one location or one resource is closed: one row per occurrence; those of one series
 * share `seriesId`. A closure is inserted and deleted, never changed.
 */
export const Closure = defineEntity({
  name: 'Closure',
  tableName: 'closure',
  properties: {
    ...tenantRecord,
    startsAt: instant(),
    endsAt: instant(),
    reason: p.text(),
    locationId: p.integer().nullable(),
    resourceId: p.integer().nullable(),
    seriesId: p.integer().nullable(),
    recurrence: p.json<StoredRecurrence>().nullable(),
    createdBy: p.integer(),
  },
})
