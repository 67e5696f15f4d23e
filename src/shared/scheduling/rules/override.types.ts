import type { RuleKey } from './rule-catalogue.rules.ts'

/**
 * An override that the caller gives: of a rule, or of all currencies; for one person, or for everyone on the booking.
 */
export interface GivenOverride {
  rule: string
  orgUserId: number | null
  reason: string
}

/** A stored override, with the resource and start of the booking when the override was made. */
export interface KeptOverride {
  rule: RuleKey
  orgUserId: number | null
  resourceId: number | null
  startsAt: Date
  reason: string
  by: { orgUserId: number; name: string }
  at: Date
}

/** The overrides that apply to a check: `given` by this request, and `kept` from earlier ones. */
export interface Overrides {
  given: readonly GivenOverride[]
  kept: readonly KeptOverride[]
}

export const noOverrides: Overrides = { given: [], kept: [] }
