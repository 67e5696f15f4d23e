import type { Sentence } from '../../platform/kernel/errors.ts'
import type { RegulatoryPart, RequirementSource } from '../courses/syllabus.rules.ts'
import { trainingErrors } from '../training.errors.ts'

/** The facts that decide whether a student can graduate. */
export interface GraduationFacts {
  regulatoryPart: RegulatoryPart
  certified: boolean
  requirements: readonly { requirementId: number; label: string; source: RequirementSource; met: boolean }[]
}

/** One reason that blocks graduation; `requirementId` when it is a requirement. */
export interface Obstacle {
  message: Sentence
  requirementId?: number
}

/**
 * Returns what blocks graduation. Under Part 141: each unmet requirement that is not the school's own, and a record
 * that is not certified. Under Part 61 nothing does, because graduation has no legal effect there.
 * Implements interface §Enrollment: POST graduate.
 */
export function obstaclesTo({ regulatoryPart, certified, requirements }: GraduationFacts): Obstacle[] {
  if (regulatoryPart === 'part61') return []
  const unmet = requirements.filter((one) => one.source !== 'school' && !one.met)
  return [
    ...unmet.map(({ requirementId, label }) => ({
      requirementId,
      message: trainingErrors.requirementUnmet({ requirement: label }),
    })),
    ...(certified ? [] : [{ message: trainingErrors.notCertified() }]),
  ]
}
