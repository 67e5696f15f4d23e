import type { Role } from './roles.ts'

/** How a rule of booking is enforced: not evaluated, a warning, or a refusal. */
export const enforcements = ['off', 'warn', 'block'] as const

export type Enforcement = (typeof enforcements)[number]

/** The roles that a rule can name as those who override it; nobody overrides as a student or renter. */
export const overridingRoles = [
  'owner',
  'admin',
  'dispatcher',
  'instructor',
  'technician',
] as const satisfies readonly Role[]

export type OverridingRole = (typeof overridingRoles)[number]

/** The kinds of files of an aircraft, some of which an organization wants aboard. */
export const aircraftFileCategories = [
  'poh',
  'weight_and_balance',
  'insurance',
  'form_337',
  'logbook_scan',
  'registration',
  'airworthiness',
  'other',
] as const
export type AircraftFileCategory = (typeof aircraftFileCategories)[number]

/** What becomes of a ramp-out that the checks of a release stand against. */
export const dispatchCheckModes = ['off', 'warn', 'block'] as const

/** What an organization decides of a rule of booking. */
export interface RuleSettings {
  enforcement: Enforcement
  /** Whether an instructor aboard lifts the rule from everybody else. */
  liftedWhenSupervised: boolean
  overridableBy: readonly OverridingRole[]
}
