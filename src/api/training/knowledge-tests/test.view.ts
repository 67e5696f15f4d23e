import { z } from 'zod'
import type { TestRow } from '../../../shared/training/knowledge-tests/training-test.queries.ts'
import {
  knowledgeGoodUntil,
  testCauses,
  testKinds,
  testResults,
} from '../../../shared/training/knowledge-tests/training-test.rules.ts'
import { iso } from '../../http/iso.ts'
import { Day, Id, Instant, Person } from '../../http/schemas.ts'

/** A test that a student took. */
export const TrainingTest = z
  .object({
    id: Id,
    orgUserId: Id.describe('The student'),
    student: Person,
    enrollmentId: Id.nullable(),
    kind: z.enum(testKinds),
    code: z.string().nullable(),
    takenAt: Instant,
    result: z.enum(testResults),
    causes: z.array(z.enum(testCauses)),
    firstResult: z.enum(testResults).nullable().describe('Before it was changed later than a day'),
    resultReason: z.string().nullable(),
    score: z.int().nullable().describe('The score in percent; null: none'),
    examiner: z.string().nullable(),
    deficiencies: z.string().nullable(),
    reportNumber: z.string().nullable(),
    validUntil: Day.nullable().describe(
      'The last local day on which a practical test can be completed with this passed knowledge test (14 CFR ' +
        '61.39(a)(1)); null for other tests',
    ),
    endorsementId: Id.nullable(),
    recordedBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'TrainingTest' })

export function testView(row: TestRow, zone: string): z.input<typeof TrainingTest> {
  const { airlineTransport: _, ...test } = row
  return {
    ...test,
    orgUserId: row.student.orgUserId,
    takenAt: iso(row.takenAt),
    validUntil: knowledgeGoodUntil(row, zone),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}
