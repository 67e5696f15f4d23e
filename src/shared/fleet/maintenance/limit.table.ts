import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { limitBases } from './maintenance-item.rules.ts'

/**
 * An item, and another item of the same aircraft that its completion satisfies.
 * Kysely writes the table; the ORM only declares its columns.
 */
export const MaintenanceSatisfaction = defineEntity({
  name: 'MaintenanceSatisfaction',
  tableName: 'maintenance_satisfaction',
  properties: { ...tenantRecord, reminderId: p.integer(), satisfiedId: p.integer() },
})

/**
 * One limit of a maintenance item, at most one per basis. Figures of a meter are hundredths of an hour or of a landing;
 * they can be below zero after the meter was replaced.
 * Kysely writes the table; the ORM only declares its columns.
 */
export const MaintenanceLimit = defineEntity({
  name: 'MaintenanceLimit',
  tableName: 'maintenance_limit',
  properties: {
    ...tenantRecord,
    reminderId: p.integer(),
    basis: p.enum(limitBases),
    intervalMonths: p.smallint().nullable(),
    intervalDays: p.smallint().nullable(),
    intervalHundredths: p.integer().$type<Hundredths>().nullable(),
    lastDoneAt: instant().nullable(),
    lastDoneHundredths: p.integer().$type<Hundredths>().nullable(),
    dueAt: instant().nullable(),
    dueHundredths: p.integer().$type<Hundredths>().nullable(),
    usedHundredths: p.integer().$type<Hundredths>().nullable(),
  },
})
