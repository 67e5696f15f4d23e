import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** A named set of members, such as a class or a club. Announcements and member lists can select it. */
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

/** A member of a group. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_member',
  properties: { ...tenantRecord, groupId: p.integer(), membershipId: p.integer() },
})
export type GroupMember = InferEntity<typeof GroupMember>
