import type { Problem } from '../rules/problems.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'

/** What another resource at the same time may cure, and what another time may. */
const ofResource: readonly (RuleKey | 'eligibility')[] = ['resource_clash', 'resource_grounded', 'inspection_due']
const ofTime: readonly (RuleKey | 'eligibility')[] = [
  'person_clash',
  'availability',
  'opening_hours',
  'closed_period',
  'instructor_duty',
]

/**
 * Returns what would cure all problems of a booking at once: another resource, or another time, which cures a clash of the
 * resource too; null when neither does, so that nothing is searched.
 */
export function cureOf(problems: readonly Problem[]): 'resource' | 'time' | null {
  const isOfResource = ({ rule, resourceId }: Problem) =>
    ofResource.includes(rule) || (rule === 'closed_period' && resourceId !== undefined)
  const isOfTime = ({ rule }: Problem) => ofTime.includes(rule) || rule === 'resource_clash'
  if (problems.length === 0) return null
  if (problems.every(isOfResource)) return 'resource'
  return problems.every(isOfTime) ? 'time' : null
}
