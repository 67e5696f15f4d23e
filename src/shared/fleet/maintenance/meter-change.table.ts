import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'

export const replaceableMeters = ['hobbs', 'tach'] as const
export type ReplaceableMeter = (typeof replaceableMeters)[number]

/** A meter that was replaced, in hundredths of an hour. Kysely writes the table; the ORM only declares its columns. */
export const MeterChange = defineEntity({
  name: 'MeterChange',
  tableName: 'meter_change',
  properties: {
    ...tenantRecord,
    resourceId: p.integer(),
    meter: p.enum(replaceableMeters),
    oldHundredths: p.integer().$type<Hundredths>(),
    newHundredths: p.integer().$type<Hundredths>(),
    reason: p.text(),
    changedBy: p.integer(),
  },
})
