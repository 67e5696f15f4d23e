import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'

/** One completion of a maintenance item. Kysely writes the table; the ORM only declares its columns. */
export const MaintenanceCompletion = defineEntity({
  name: 'MaintenanceCompletion',
  tableName: 'maintenance_completion',
  properties: {
    ...tenantRecord,
    reminderId: p.integer(),
    membershipId: p.integer(),
    doneAt: instant(),
    readingHundredths: p.integer().$type<Hundredths>().nullable(),
    /** The aircraft's meters at the time of the completion. */
    hobbsHundredths: p.integer().$type<Hundredths>().nullable(),
    tachHundredths: p.integer().$type<Hundredths>().nullable(),
    landings: p.integer().nullable(),
    notes: p.text().nullable(),
    signerName: p.text().nullable(),
    signerCertificateNumber: p.text().nullable(),
    workOrder: p.text().nullable(),
    /** The item whose completion satisfied this one. */
    satisfiedById: p.integer().nullable(),
  },
})
