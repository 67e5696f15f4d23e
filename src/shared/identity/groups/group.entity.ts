import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** A named set of members, such as a course or a club; announcements and lists can be aimed at it. */
export const MemberGroup = defineEntity({
  name: 'MemberGroup',
  tableName: 'member_group',
  properties: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
  },
})
export type MemberGroup = InferEntity<typeof MemberGroup>

/** A member's place in a group. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_member',
  properties: { ...tenantRecord, groupId: p.integer(), membershipId: p.integer() },
})
export type GroupMember = InferEntity<typeof GroupMember>
