import { z } from 'zod'
import { certificates, regulatoryParts } from '../../../shared/training/courses/syllabus.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { CentsInput, Id, name, QueryFlag, text } from '../../http/schemas.ts'

const fields = {
  name: name(200).meta({ examples: ['Private pilot, airplane'] }),
  description: text(5000).trim().nullable(),
  enrollmentFeeCents: CentsInput.nullable().describe('Kept at enrolment; null or 0 for none'),
  enrollmentFeeLabel: name(200)
    .nullable()
    .describe('The line of its invoice')
    .meta({ examples: ['Ground school and materials'] }),
  certificateSought: z.enum(certificates).nullable(),
  ratingId: Id.nullable().describe('From `GET /ratings`'),
  targetDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days from enrolment to graduation; null for no plan')
    .meta({ examples: [180] }),
}

export const CourseQuery = ListQuery.extend({ includeArchived: QueryFlag.default(false) })

export const CourseBody = z.object({
  name: fields.name,
  description: fields.description.default(null),
  enrollmentFeeCents: fields.enrollmentFeeCents.default(null),
  enrollmentFeeLabel: fields.enrollmentFeeLabel.default(null),
  regulatoryPart: z.enum(regulatoryParts).default('part61').describe('Cannot be changed later'),
  certificateSought: fields.certificateSought.default(null),
  ratingId: fields.ratingId.default(null),
  targetDays: fields.targetDays.default(null),
})

export const CoursePatch = z.object({
  name: fields.name.optional(),
  description: fields.description.optional(),
  enrollmentFeeCents: fields.enrollmentFeeCents.optional(),
  enrollmentFeeLabel: fields.enrollmentFeeLabel.optional(),
  certificateSought: fields.certificateSought.optional(),
  ratingId: fields.ratingId.optional(),
  targetDays: fields.targetDays.optional(),
  chiefInstructorOrgUserId: Id.nullish().describe('Certifies its training records: 14 CFR 141.85(a), 141.101(c)'),
  archived: z.boolean().optional().describe('An archived course takes no new students and is left out of the list'),
})

export const VersionBody = z.object({
  label: name(100).meta({ examples: ['Rev B'] }),
  copyFromVersionId: Id.nullable()
    .default(null)
    .describe('A deep copy of this version, of this or another course of the organization'),
})

export const FromTemplateBody = z
  .object({
    name: name(200)
      .nullable()
      .default(null)
      .describe('The template’s when left out')
      .meta({ examples: ['Private pilot, airplane'] }),
    ratingId: Id.nullable().default(null).describe('The template’s when left out'),
  })
  .default({ name: null, ratingId: null })
