import type { AircraftFileCategory } from '../platform/authz/rule-settings.ts'
import type { ProblemListCode } from '../platform/kernel/error-codes.ts'
import type { Sentence } from '../platform/kernel/errors.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import type { Fix, Overridden, Problem } from '../scheduling/rules/problems.ts'
import type { RuleKey } from '../scheduling/rules/rule-catalogue.rules.ts'
import type { AircraftMeters } from './meters.rules.ts'

/** The checks of a dispatch beside the rules of booking. */
export const dispatchRules = [
  'open_squawk',
  'inspection_crossed',
  'meter_gap',
  'resource_out',
  'early_ramp_out',
  'aircraft_file',
  'resource_missing',
] as const
export type DispatchRule = (typeof dispatchRules)[number]

export const checkStatuses = ['ok', 'warn', 'block'] as const
export type CheckStatus = (typeof checkStatuses)[number]

/** What a check is about: one of the ids, and its name. */
export interface CheckSubject {
  orgUserId?: number | undefined
  resourceId?: number | undefined
  squawkId?: number | undefined
  reminderId?: number | undefined
  reservationId?: number | undefined
  name: string
}

/** One line of a release. */
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
  /** What an override meets that is asked for now, or was kept. */
  overridden: Overridden[]
  /** The rules that the caller asks to override and may not. */
  denied: RuleKey[]
}

/** What a release is judged by: the rules' facts as if the booking began now, and those of the aircraft. */
export interface ReleaseFacts {
  /** The facts of the rules; the resource is null when none is named. */
  booking: BookingFacts
  reservation: { id: number; title: string; start: Date }
  /** The name of who asks. */
  callerName: string
  squawks: readonly { id: number; title: string; grounding: boolean }[]
  /** The squawks that who ramps out has read. */
  acknowledged: readonly number[]
  /** The booking on which the resource is out. */
  outOn: number | null
  meters: AircraftMeters
  /** The readings about to be entered; null for one that is not told. */
  readings: AircraftMeters
  files: readonly { category: string; expiresAt: Date | null }[]
  requiredFiles: readonly AircraftFileCategory[]
  rampOutLeadMinutes: number
}
