import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** A member of a group. Kysely writes the table; the ORM only declares its columns. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_member',
  properties: { ...tenantRecord, groupId: p.integer(), membershipId: p.integer() },
})
