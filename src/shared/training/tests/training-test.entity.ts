import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { testKinds, testResults } from './training-test.rules.ts'

/** A test that a student took; `score` in percent. `enrollmentId` is null for a test outside a course. */
export const TrainingTest = defineEntity({
  name: 'TrainingTest',
  tableName: 'training_test',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    enrollmentId: p.integer().nullable(),
    kind: p.enum(testKinds),
    takenAt: instant(),
    result: p.enum(testResults),
    score: p.smallint().nullable(),
    examiner: p.text().nullable(),
    deficiencies: p.text().nullable(),
    reportNumber: p.text().nullable(),
    /** The instructor's recommendation for it. */
    endorsementId: p.integer().nullable(),
    recordedBy: p.integer(),
    /** When a passed knowledge test ends; null for other tests. */
    expiresAt: instant().nullable(),
    expiryToldDays: p.smallint().nullable(),
  },
})
export type TrainingTest = InferEntity<typeof TrainingTest>
