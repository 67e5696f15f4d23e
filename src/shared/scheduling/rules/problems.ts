import type { BookingRuleCode } from '../../platform/kernel/error-codes.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import type { GivenOverride, KeptOverride } from './override.types.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/** The codes of problems. */
export type ProblemCode = BookingRuleCode | 'INVALID'

/**
 * A finding of a rule against a booking. `field` is the dot path in the request; the ids name the person, the resource
 * and the other booking.
 */
export interface Finding {
  code: ProblemCode
  message: Sentence
  field: string
  orgUserId?: number
  resourceId?: number
  reservationId?: number
  fix?: Fix
  /** `known` is false when nothing on record says that the person lacks it: the paper may exist and not be recorded. */
  details?: { known: boolean }
  /** The finding is a warning even when its rule blocks. */
  warnsOnly?: true
}

export const fixActions = [
  'book_with_instructor',
  'record_currency',
  'record_document',
  'ask_approval',
  'sign_endorsement',
  'record_certificate',
  'choose_instructor',
  'add_funds',
  'choose_resource',
  'choose_time',
] as const

/** A change within the caller's reach that would solve a problem. Implements interface §Booking rules. */
export type Fix = { text: Sentence } & (
  | { action: 'book_with_instructor' }
  | { action: 'record_currency'; currencyId: number; orgUserId: number }
  | { action: 'record_document'; category: string }
  | { action: 'ask_approval'; resourceId: number }
  | { action: 'sign_endorsement'; codes: string[] }
  | { action: 'record_certificate'; orgUserId: number }
  | { action: 'choose_instructor'; orgUserIds: number[] }
  | { action: 'add_funds'; missingCents: number }
  | { action: 'choose_resource'; resourceIds: number[] }
  | { action: 'choose_time'; start: string; end: string }
)

/**
 * A finding with its rule: a problem refuses the booking, a warning does not. `eligibility` replaces the rules about a
 * person whose details the caller may not see.
 */
export interface Problem extends Omit<Finding, 'warnsOnly'> {
  rule: RuleKey | 'eligibility'
  /** Whether the caller's roles may override it. */
  overridable: boolean
}

/** A finding that an override covers: a stored one, or one that is given now. */
export interface Overridden extends Omit<Finding, 'warnsOnly'> {
  rule: RuleKey
  override: GivenOverride | KeptOverride
}

/** The result of the rules on a booking. */
export interface Judgement {
  problems: Problem[]
  warnings: Problem[]
  overridden: Overridden[]
  /** The rules for which the caller gives an override that the caller's roles do not allow. */
  denied: RuleKey[]
}

/** Returns a finding as a problem of the rule `booking_shape`, which nobody can override. */
export function shapeProblem(finding: Finding): Problem {
  return { ...finding, rule: 'booking_shape', overridable: false }
}
