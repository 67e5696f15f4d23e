import type { Sentence } from '../../platform/kernel/errors.ts'
import type { RegulatoryPart, RequirementSource } from '../courses/syllabus.rules.ts'
import { trainingErrors } from '../training.errors.ts'

/** The facts that decide whether a student can graduate. */
export interface GraduationFacts {
  regulatoryPart: RegulatoryPart
  certified: boolean
  /** The end-of-course test: whether one is required, and whether the last such test was passed. */
  finalTest: { owed: boolean; passed: boolean }
  requirements: readonly { requirementId: number; label: string; source: RequirementSource; met: boolean }[]
}

/** One reason that blocks graduation; `requirementId` when it is a requirement. */
export interface Obstacle {
  message: Sentence
  requirementId?: number
}

/**
 * Returns the obstacles to graduation. Under Part 141: each unmet requirement that is not the school's own, a final
 * test that is required and not passed, and a record that is not certified. Under Part 61 there are none, because
 * graduation has no legal effect there. Implements interface §Enrollment: POST graduate. 14 CFR 141.77(b), 141.101(c).
 */
export function obstaclesTo({ regulatoryPart, certified, finalTest, requirements }: GraduationFacts): Obstacle[] {
  if (regulatoryPart === 'part61') return []
  const unmet = requirements.filter((one) => one.source !== 'school' && !one.met)
  return [
    ...unmet.map(({ requirementId, label }) => ({
      requirementId,
      message: trainingErrors.requirementUnmet({ requirement: label }),
    })),
    ...(finalTest.owed && !finalTest.passed ? [{ message: trainingErrors.finalTestMissing() }] : []),
    ...(certified ? [] : [{ message: trainingErrors.notCertified() }]),
  ]
}
