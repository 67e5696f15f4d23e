import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { grantKinds } from './grants.rules.ts'

/** What a member may do in training beyond their roles; `courseId` for a check instructor only. */
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
