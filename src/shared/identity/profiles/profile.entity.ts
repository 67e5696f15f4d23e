import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { ProfileFacts, VerifiedFacts } from './profile.rules.ts'

/** The sensitive facts about a member, as stated and as verified last. Only the profile's own endpoints return them. */
export const MemberProfile = defineEntity({
  name: 'MemberProfile',
  tableName: 'member_profile',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    facts: p.json<ProfileFacts>(),
    verified: p.json<VerifiedFacts>(),
    /** Set when the member was erased: until when the law has the organization keep what is left. */
    keptUntil: instant().nullable(),
  },
})
export type MemberProfile = InferEntity<typeof MemberProfile>
