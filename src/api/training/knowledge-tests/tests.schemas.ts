import { z } from 'zod'
import { testCauses, testKinds, testResults } from '../../../shared/training/knowledge-tests/training-test.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { MomentInput } from '../../http/moments.ts'
import { Id, name, PathId, QueryIds, QueryMembers, queryWords, text } from '../../http/schemas.ts'

export const TestParams = z.object({ id: PathId })

export const TestQuery = ListQuery.extend({
  enrollmentId: QueryIds.optional(),
  orgUserId: QueryMembers.optional().describe('Only tests of these students'),
  kind: queryWords(testKinds).optional(),
})

const fields = {
  code: name(20)
    .transform((code) => code.toUpperCase())
    .nullable()
    .describe('Which knowledge test it was, such as `PAR`'),
  takenAt: MomentInput.describe('When the test was taken, an instant or a local day'),
  result: z.enum(testResults),
  causes: z
    .array(z.enum(testCauses))
    .max(3)
    .transform((causes) => [...new Set(causes)])
    .describe('What a practical test was failed or discontinued for'),
  score: z.int().min(0).max(100).nullable().describe('The score in percent; null: none'),
  examiner: name(200).nullable().describe('The examiner, or the testing center; null: not known'),
  deficiencies: text(5000)
    .trim()
    .nullable()
    .describe(
      'The subjects that the student missed, to be reviewed before the next test (14 CFR 61.39(a)(6)(iii)); null: ' +
        'none',
    ),
  reportNumber: name(100).nullable(),
  endorsementId: Id.nullable().describe(
    'The endorsement that recommended the student for the test; null: none. The records of its signer show the ' +
      'result of the test (14 CFR 61.189(b)(2))',
  ),
}

export const TestBody = z.object({
  enrollmentId: Id.nullable().default(null),
  orgUserId: Id.nullable().default(null).describe('The student; null: the student of the enrollment'),
  kind: z.enum(testKinds),
  code: fields.code.default(null),
  takenAt: fields.takenAt,
  result: fields.result,
  causes: fields.causes.default([]),
  score: fields.score.default(null),
  examiner: fields.examiner.default(null),
  deficiencies: fields.deficiencies.default(null),
  reportNumber: fields.reportNumber.default(null),
  endorsementId: fields.endorsementId.default(null),
})

export const TestPatch = z.object({
  code: fields.code.optional(),
  takenAt: fields.takenAt.optional(),
  result: fields.result.optional(),
  causes: fields.causes.optional(),
  reason: name(500).optional().describe('Why the result is changed, after a day'),
  score: fields.score.optional(),
  examiner: fields.examiner.optional(),
  deficiencies: fields.deficiencies.optional(),
  reportNumber: fields.reportNumber.optional(),
  endorsementId: fields.endorsementId.optional(),
})
