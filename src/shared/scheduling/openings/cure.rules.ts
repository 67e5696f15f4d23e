import type { Problem } from '../rules/problems.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'

/**
 * The rules whose problems another resource at the same time can solve (`ofResource`) or another time can solve (`ofTime`).
 */
const ofResource: readonly (RuleKey | 'eligibility')[] = ['resource_clash', 'resource_grounded', 'inspection_due']
const ofTime: readonly (RuleKey | 'eligibility')[] = [
  'person_clash',
  'availability',
  'opening_hours',
  'closed_period',
  'instructor_duty',
]

/**
 * Returns the change that can solve all problems of a booking: `resource`, or `time`, which also solves a clash of the
 * resource. Null when neither can, or when there is no problem. Implements interface §Booking rules.
 */
export function cureOf(problems: readonly Problem[]): 'resource' | 'time' | null {
  const isOfResource = ({ rule, resourceId }: Problem) =>
    ofResource.includes(rule) || (rule === 'closed_period' && resourceId !== undefined)
  const isOfTime = ({ rule }: Problem) => ofTime.includes(rule) || rule === 'resource_clash'
  if (problems.length === 0) return null
  if (problems.every(isOfResource)) return 'resource'
  return problems.every(isOfTime) ? 'time' : null
}
