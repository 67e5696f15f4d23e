import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { StoredRecurrence } from '../rules/recurrence.rules.ts'

/**
 * When the organization, one location or one resource is closed: a row an occurrence, those of one series with the same
 * `seriesId`. A closure is made and removed, never changed.
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
