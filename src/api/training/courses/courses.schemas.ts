import { z } from 'zod'
import { certificates, regulatoryParts } from '../../../shared/training/courses/syllabus.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { CentsInput, Id, name, QueryFlag, text } from '../../http/schemas.ts'

const fields = {
  name: name(200),
  description: text(5000).trim().nullable(),
  enrollmentFeeCents: CentsInput.nullable().describe(
    'The fee that an enrollment stores when it is created; null or 0: no fee',
  ),
  enrollmentFeeLabel: name(200)
    .nullable()
    .describe('The text of the fee’s line on its invoice; null: “Enrollment fee: ” and the name of the course'),
  certificateSought: z.enum(certificates).nullable(),
  ratingId: Id.nullable().describe('An id of `GET /ratings`; null: no rating'),
  targetDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('The planned days from enrollment to graduation; null: no plan'),
}

export const CourseQuery = ListQuery.extend({ includeArchived: QueryFlag.default(false) })

export const CourseBody = z.object({
  name: fields.name,
  description: fields.description.default(null),
  enrollmentFeeCents: fields.enrollmentFeeCents.default(null),
  enrollmentFeeLabel: fields.enrollmentFeeLabel.default(null),
  regulatoryPart: z
    .enum(regulatoryParts)
    .default('part61')
    .describe('The part of 14 CFR that the course runs under; it cannot be changed later'),
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
  chiefInstructorOrgUserId: Id.nullish().describe(
    'The chief instructor, who certifies the training records of the course: 14 CFR 141.85(a), 141.101(c); null: ' +
      'none',
  ),
  archived: z
    .boolean()
    .optional()
    .describe('Whether the course takes no new students; the list leaves it out unless `includeArchived` is true'),
})

export const VersionBody = z.object({
  label: name(100),
  copyFromVersionId: Id.nullable()
    .default(null)
    .describe('The version to copy, of this or another course of the organization; null: the draft is empty'),
})

export const FromTemplateBody = z
  .object({
    name: name(200).nullable().default(null).describe('Default: the template’s'),
    ratingId: Id.nullable().default(null).describe('Default: the template’s'),
  })
  .default({ name: null, ratingId: null })
