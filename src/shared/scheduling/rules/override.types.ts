import type { RuleKey } from './rule-catalogue.rules.ts'

/** An override as it is asked for: of a rule, or of all currencies; for one person, or for everybody on the booking. */
export interface GivenOverride {
  rule: string
  orgUserId: number | null
  reason: string
}

/** An override that was given before, with the aircraft and the start that the booking had then. */
export interface KeptOverride {
  rule: RuleKey
  orgUserId: number | null
  resourceId: number | null
  startsAt: Date
  reason: string
  by: { orgUserId: number; name: string }
  at: Date
}

/** The overrides that a judgement takes into account. */
export interface Overrides {
  given: readonly GivenOverride[]
  kept: readonly KeptOverride[]
}

export const noOverrides: Overrides = { given: [], kept: [] }
