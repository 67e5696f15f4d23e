import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { GradeOption } from './grading.rules.ts'
import { versionStates } from './version.states.ts'

/** A version of a course's syllabus. Once it is published, neither it nor its parts can change. */
export const SyllabusVersion = defineEntity({
  name: 'SyllabusVersion',
  tableName: 'syllabus_version',
  properties: {
    ...tenantRecord,
    courseId: p.integer(),
    label: p.text(),
    state: p.enum(versionStates).default('draft'),
    gradingScale: p.json<GradeOption[]>(),
    publishedAt: instant().nullable(),
    publishedBy: p.integer().nullable(),
    approvedAt: instant().nullable(),
    approvalReference: p.text().nullable(),
  },
})
export type SyllabusVersion = InferEntity<typeof SyllabusVersion>
