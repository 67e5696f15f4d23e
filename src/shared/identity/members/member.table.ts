import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/*
 * The weekly patterns and absences of members, and the guests of an organization. Kysely writes these tables; the ORM
 * only declares their columns.
 */

/** One interval of a member's weekly pattern, in minutes after local midnight in the organization's zone. */
export const Availability = defineEntity({
  name: 'Availability',
  tableName: 'availability',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    /** 1 Monday … 7 Sunday */
    dayOfWeek: p.smallint(),
    startMinute: p.smallint(),
    endMinute: p.smallint(),
  },
})
/** A single absence. It blocks bookings like a booking does. */
export const TimeOff = defineEntity({
  name: 'TimeOff',
  tableName: 'time_off',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    startsAt: instant(),
    endsAt: instant(),
    reason: p.text().nullable(),
  },
})
/** A person without an account who flies or pays. One row per address and organization. */
export const Guest = defineEntity({
  name: 'Guest',
  tableName: 'guest',
  properties: {
    ...tenantRecord,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    /** The guest's key as a payer at the payment gateway. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})

/** A member of a group. Kysely writes the table; the ORM only declares its columns. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_member',
  properties: { ...tenantRecord, groupId: p.integer(), membershipId: p.integer() },
})
