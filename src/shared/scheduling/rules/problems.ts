import type { BookingRuleCode } from '../../platform/kernel/error-codes.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import type { GivenOverride, KeptOverride } from './override.types.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/** The codes of problems, so that a client can show why a booking is refused. */
export type ProblemCode = BookingRuleCode | 'INVALID'

/**
 * What a rule finds against a booking. `field` is the dot path in the request; the ids name the person, the resource and
 * the other booking.
 */
export interface Finding {
  code: ProblemCode
  message: Sentence
  field: string
  orgUserId?: number
  resourceId?: number
  reservationId?: number
  fix?: Fix
  /** Of a rule that blocks too, it is a warning. */
  warnsOnly?: true
}

export const fixActions = [
  'book_with_instructor',
  'record_currency',
  'record_document',
  'ask_approval',
  'sign_endorsement',
  'add_funds',
  'choose_resource',
  'choose_time',
] as const

/** What would cure a problem, in the reach of the caller. Implements interface §Booking rules. */
export type Fix = { text: Sentence } & (
  | { action: 'book_with_instructor' }
  | { action: 'record_currency'; currencyId: number; orgUserId: number }
  | { action: 'record_document'; category: string }
  | { action: 'ask_approval'; resourceId: number }
  | { action: 'sign_endorsement' }
  | { action: 'add_funds'; missingCents: number }
  | { action: 'choose_resource'; resourceIds: number[] }
  | { action: 'choose_time'; start: string; end: string }
)

/**
 * A finding with the rule that it is of: a problem refuses the booking, a warning does not. `eligibility`
 * replaces the rules about a person whose details the caller may not see.
 */
export interface Problem extends Omit<Finding, 'warnsOnly'> {
  rule: RuleKey | 'eligibility'
  /** Whether the caller's roles may book in spite of it. */
  overridable: boolean
}

/** What a rule finds that is met by an override: one kept from before, or one that is asked for now. */
export interface Overridden extends Omit<Finding, 'warnsOnly'> {
  rule: RuleKey
  override: GivenOverride | KeptOverride
}

/** What the rules say of a booking. */
export interface Judgement {
  problems: Problem[]
  warnings: Problem[]
  overridden: Overridden[]
  /** The rules that the caller asks to override and may not. */
  denied: RuleKey[]
}

/** Returns what is wrong with the shape of a booking, which nobody overrides. */
export function shapeProblem(finding: Finding): Problem {
  return { ...finding, rule: 'booking_shape', overridable: false }
}
