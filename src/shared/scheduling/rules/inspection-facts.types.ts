import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import type { DuePoint } from '../../fleet/maintenance/maintenance-item.rules.ts'
import type { MaintenanceScope } from '../../fleet/resources/resource.rules.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'

/** A maintenance item, due by the first of its limits. */
export interface InspectionFacts {
  id: number
  name: string
  /** Whether it blocks the bookings of its scope while it is overdue. */
  grounding: boolean
  scope: MaintenanceScope
  limits: readonly InspectionLimit[]
}

/** A limit: due by the calendar, or by a meter whose current reading is `reads`. */
export interface InspectionLimit extends DuePoint {
  reads: Hundredths | null
}

/** A deferred squawk that excludes operations. */
export interface DeferralFacts {
  title: string
  excludes: readonly ExcludedOperation[]
}
