import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { certificates, regulatoryParts } from './syllabus.rules.ts'

/** A course. Its regulatory part never changes; the fee is in cents. */
export const TrainingCourse = defineEntity({
  name: 'TrainingCourse',
  tableName: 'training_course',
  properties: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
    enrollmentFeeCents: p.integer().$type<Cents>().nullable(),
    enrollmentFeeLabel: p.text().nullable(),
    regulatoryPart: p.enum(regulatoryParts).default('part61'),
    certificateSought: p.enum(certificates).nullable(),
    ratingId: p.integer().nullable(),
    targetDays: p.integer().nullable(),
    archived: p.boolean().default(false),
  },
})
export type TrainingCourse = InferEntity<typeof TrainingCourse>
