import type { Role } from './roles.ts'

/** The categories of documents. An organization can require some of them for each role. */
export const documentCategories = [
  'medical',
  'certificate',
  'identification',
  'insurance',
  'contract',
  'other',
] as const
export type DocumentCategory = (typeof documentCategories)[number]

/** The categories of documents that can show a rating or an endorsement. */
export const provingCategories: readonly DocumentCategory[] = ['certificate', 'other']

/** The enforcement of a rule of booking: not evaluated, a warning, or a refusal. */
export const enforcements = ['off', 'warn', 'block'] as const

export type Enforcement = (typeof enforcements)[number]

/** The roles that may be allowed to override a rule; student and renter are not among them. */
export const overridingRoles = [
  'owner',
  'admin',
  'dispatcher',
  'instructor',
  'technician',
] as const satisfies readonly Role[]

export type OverridingRole = (typeof overridingRoles)[number]

/** The categories of an aircraft's files. An organization can require some of them for a release. */
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

/** The types of bookings. */
export const reservationTypes = ['solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance'] as const

/** The categories of cancellations that never cost: nobody on the booking caused them. */
export const freeCategories: readonly string[] = ['weather', 'maintenance', 'instructor', 'administrative']

/** What the release checks do at ramp-out: nothing, warn, or refuse the ramp-out when a check blocks it. */
export const dispatchCheckModes = ['off', 'warn', 'block'] as const

/** The settings of an organization for one rule of booking. */
export interface RuleSettings {
  enforcement: Enforcement
  /** Whether the rule does not apply to the other people on a booking with an instructor. */
  liftedWhenSupervised: boolean
  overridableBy: readonly OverridingRole[]
}
