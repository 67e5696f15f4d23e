import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** The lesson that is planned for a student on a booking. Kysely writes the table; the ORM only declares its columns. */
export const PlannedLesson = defineEntity({
  name: 'PlannedLesson',
  tableName: 'planned_lesson',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: p.integer(),
    versionId: p.integer(),
    lessonId: p.integer(),
  },
})
