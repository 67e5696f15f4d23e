import type { RegulatoryPart, RequirementSource } from '../courses/syllabus.rules.ts'

/** What stands between a student and graduation. */
export interface GraduationFacts {
  regulatoryPart: RegulatoryPart
  certified: boolean
  requirements: readonly { requirementId: number; label: string; source: RequirementSource; met: boolean }[]
}

/** Something that blocks graduation, in words; `requirementId` where it is a requirement. */
export interface Obstacle {
  message: string
  requirementId?: number
}

/**
 * What blocks graduation. Under Part 141: each requirement of the FAA (not the school's own) that is not met, and a
 * record that is not certified. Under Part 61 graduation has no legal effect: nothing blocks it.
 */
export function obstaclesTo({ regulatoryPart, certified, requirements }: GraduationFacts): Obstacle[] {
  if (regulatoryPart === 'part61') return []
  const unmet = requirements.filter((one) => one.source !== 'school' && !one.met)
  return [
    ...unmet.map(({ requirementId, label }) => ({ requirementId, message: `${label} is not met` })),
    ...(certified ? [] : [{ message: 'the training record is not certified' }]),
  ]
}
