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
