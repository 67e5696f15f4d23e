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

/** One reason against a graduation; `requirementId` when it is a requirement. */
export interface Obstacle {
  message: Sentence
  requirementId?: number
}

/** What blocks a graduation, and what is not met but does not block it. */
export interface GraduationFindings {
  obstacles: Obstacle[]
  warnings: Obstacle[]
}

/**
 * Returns what is not met at a graduation. Under Part 141 these block it: each unmet requirement that is not the school's
 * own, a final test that is required and not passed, and a record that is not certified. Under Part 61 nothing blocks,
 * because graduation has no legal effect there. What is not met and does not block is a warning. Implements interface
 * §Enrollment: POST graduate. 14 CFR 141.77(b), 141.101(c).
 */
export function judgeGraduation(facts: GraduationFacts): GraduationFindings {
  const { regulatoryPart, certified, finalTest, requirements } = facts
  const unmet = requirements.filter(({ met }) => !met)
  const ofSchool = unmet.filter(({ source }) => source === 'school').map(obstacleOf)
  const ofRegulation = [
    ...unmet.filter(({ source }) => source !== 'school').map(obstacleOf),
    ...(finalTest.owed && !finalTest.passed ? [{ message: trainingErrors.finalTestMissing() }] : []),
  ]
  if (regulatoryPart === 'part61') return { obstacles: [], warnings: [...ofRegulation, ...ofSchool] }
  const uncertified = certified ? [] : [{ message: trainingErrors.notCertified() }]
  return { obstacles: [...ofRegulation, ...uncertified], warnings: ofSchool }
}

function obstacleOf({ requirementId, label }: GraduationFacts['requirements'][number]): Obstacle {
  return { requirementId, message: trainingErrors.requirementUnmet({ requirement: label }) }
}
