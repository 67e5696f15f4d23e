import { describe, expect, test } from 'vitest'
import { cureOf } from '../../../src/shared/scheduling/openings/cure.rules.ts'
import type { RuleKey } from '../../../src/shared/scheduling/rules/rule-catalogue.rules.ts'
import { schedulingErrors } from '../../../src/shared/scheduling/scheduling.errors.ts'

const problems = (...rules: (RuleKey | 'eligibility' | 'closed_resource')[]) =>
  rules.map((rule) => ({
    ...schedulingErrors.endBeforeStart(),
    field: 'start',
    overridable: false,
    ...(rule === 'closed_resource' ? { rule: 'closed_period' as const, resourceId: 7 } : { rule }),
  }))

describe('the cure of a refusal (§Booking rules)', () => {
  test.each([
    [['resource_clash'], 'resource'],
    [['resource_grounded', 'inspection_due'], 'resource'],
    [['closed_resource'], 'resource'],
    [['closed_period'], 'time'],
    [['person_clash'], 'time'],
    [['resource_clash', 'person_clash'], 'time'],
    [['opening_hours', 'availability', 'instructor_duty'], 'time'],
    [['resource_grounded', 'person_clash'], null],
    [['resource_clash', 'currency:5'], null],
    [['person_clash', 'eligibility'], null],
    [['side_limit'], null],
    [[], null],
  ] as const)('what is refused for %j is cured by another %s', (rules, expected) => {
    expect(cureOf(problems(...rules))).toBe(expected)
  })
})
