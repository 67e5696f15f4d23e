import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** The personal weather limits of a member. Kysely writes the table; the ORM only declares its columns. */
export const PilotMinimumsRow = defineEntity({
  name: 'PilotMinimumsRow',
  tableName: 'pilot_minimums',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    ceilingFeet: p.integer().nullable(),
    visibilityMiles: p.double().columnType('float8').nullable(),
    windKnots: p.integer().nullable(),
    gustKnots: p.integer().nullable(),
    crosswindKnots: p.integer().nullable(),
  },
})
