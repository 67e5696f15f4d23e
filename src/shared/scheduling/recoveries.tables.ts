import { p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { set } from '../platform/db/declare-table.ts'
import type { PlanBasis, RecoveryCause, RecoveryReach, RecoveryStatus } from './recoveries/recovery.types.ts'

/**
 * A proposal for the bookings that a cause displaces. Its plan is the rows of its operation. When the row is deleted, those keep the ids
 * and outcomes alone.
 */
export const Recovery = set('recovery', {
  exported: true,
  kept: { days: 30, since: 'createdAt' },
  columns: {
    ...tenantRecord,
    operationId: p.integer(),
    cause: p.json<RecoveryCause>(),
    reach: p.json<RecoveryReach>(),
    startsAt: instant(),
    endsAt: instant(),
    status: p.text().$type<RecoveryStatus>().default('planning'),
    basis: p.text().$type<PlanBasis>().nullable(),
    /** By how much the points of the plan may fall short of the best plan, in tenths of a percent. */
    gapTenths: p.integer().nullable(),
    /** Whether the rules would accept at least one displaced booking in its present place: the cause is only said. */
    asserted: p.boolean().default(false),
    plannedAt: instant().nullable(),
  },
})
