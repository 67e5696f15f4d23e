import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { grantKinds } from './grants.rules.ts'

/**
 * A right in training beyond the member's roles: one row per member, kind and course. Only `checkInstructor` has a
 * `courseId`. Kysely writes it; the ORM only declares the columns.
 */
export const TrainingGrant = defineEntity({
  name: 'TrainingGrant',
  tableName: 'training_grant',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    kind: p.enum(grantKinds),
    courseId: p.integer().nullable(),
    grantedBy: p.integer(),
  },
})
