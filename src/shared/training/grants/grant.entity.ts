import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { grantKinds } from './grants.rules.ts'

/** A right in training beyond the member's roles. Only `checkInstructor` has a `courseId`. */
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
export type TrainingGrant = InferEntity<typeof TrainingGrant>
