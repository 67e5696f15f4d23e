import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'

/** What one invoice used of a purchased package; a trigger returns it when the invoice stops standing. */
export const PackageUse = defineEntity({
  name: 'PackageUse',
  tableName: 'package_use',
  properties: {
    ...tenantRecord,
    purchaseId: p.integer(),
    invoiceId: p.integer(),
    /** In the unit of the package. */
    quantity: p.integer(),
    coveredCents: p.integer().$type<Cents>(),
    returnedAt: instant().nullable(),
  },
})
