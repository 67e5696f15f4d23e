import type { AircraftFileCategory } from '../platform/authz/rule-settings.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import type { ProblemListCode } from '../platform/kernel/problem-codes.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import type { Fix, Overridden, Problem } from '../scheduling/rules/problems.ts'
import type { RuleKey } from '../scheduling/rules/rule-catalogue.rules.ts'
import type { AircraftMeters } from './meters.rules.ts'

/** The keys of the release checks that are not booking rules. */
export const dispatchRules = [
  'open_squawk',
  'inspection_crossed',
  'meter_gap',
  'resource_out',
  'early_ramp_out',
  'aircraft_file',
  'resource_missing',
  'solo_route',
] as const
export type DispatchRule = (typeof dispatchRules)[number]

export const checkStatuses = ['ok', 'warn', 'block'] as const
export type CheckStatus = (typeof checkStatuses)[number]

/** The subject of a check: one of the ids, and its name. */
export interface CheckSubject {
  orgUserId?: number | undefined
  resourceId?: number | undefined
  squawkId?: number | undefined
  reminderId?: number | undefined
  reservationId?: number | undefined
  name: string
}

/** One check of a release: a rule applied to a subject. */
export interface ReleaseCheck {
  rule: Problem['rule'] | DispatchRule
  code: ProblemListCode
  status: CheckStatus
  message: Sentence
  subject: CheckSubject
  overridable: boolean
  fix?: Fix | undefined
  overriddenBy?: { orgUserId: number; name: string } | undefined
}

export const verdicts = ['released', 'advisory', 'blocked'] as const

/** Whether a booking may leave, and why. */
export interface Release {
  verdict: (typeof verdicts)[number]
  checks: ReleaseCheck[]
  /** The findings that an override meets: one that is given now, or one that is stored on the booking. */
  overridden: Overridden[]
  /** The rules for which the caller gave an override that the caller may not give. */
  denied: RuleKey[]
  /** The problems of overrides that lack the paper which they need. */
  paperless: Problem[]
}

/** The facts of a release: the facts of the booking rules as if the booking began now, and the facts of the aircraft. */
export interface ReleaseFacts {
  /** The facts of the booking rules; the resource is null when the booking names none. */
  booking: BookingFacts
  reservation: { id: number; title: string; start: Date }
  /** The name of the caller, shown with an override that the caller gives now. */
  callerName: string
  squawks: readonly { id: number; title: string; grounding: boolean }[]
  /** The squawks that the caller has acknowledged. */
  acknowledged: readonly number[]
  /** The id of the other booking on which the resource is out. */
  outOn: number | null
  meters: AircraftMeters
  /** The readings about to be entered; null for one that is not given. */
  readings: AircraftMeters
  files: readonly { category: string; expiresAt: Date | null }[]
  requiredFiles: readonly AircraftFileCategory[]
  rampOutLeadMinutes: number
}
