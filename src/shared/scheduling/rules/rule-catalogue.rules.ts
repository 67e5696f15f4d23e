import { admins, deskStaff } from '../../platform/authz/roles.ts'
import type { OverridingRole, RuleSettings } from '../../platform/authz/rule-settings.ts'

/** A booking rule. A rule without settings is fixed: it always blocks and cannot be overridden. */
interface RuleDefinition {
  title: string
  description: string
  settings: RuleSettings | null
  /** Its findings are about facts that only staff and the person may see (medicals, documents, hours). */
  personal?: true
}

const fixed = { settings: null }

function warns(overridableBy: readonly OverridingRole[]) {
  return { settings: { enforcement: 'warn', liftedWhenSupervised: false, overridableBy } as const }
}

function isOff(overridableBy: readonly OverridingRole[]) {
  return { settings: { enforcement: 'off', liftedWhenSupervised: false, overridableBy } as const }
}

function blocks(overridableBy: readonly OverridingRole[], liftedWhenSupervised = false) {
  return { settings: { enforcement: 'block', liftedWhenSupervised, overridableBy } as const }
}

/**
 * The booking rules with their default settings, in the order in which they are listed; each currency is one more rule,
 * with settings of its own. Implements interface §Booking rules.
 */
export const ruleCatalogue = {
  type_not_allowed: {
    ...fixed,
    title: 'Type of booking',
    description: 'The roles of the person who books allow the type of booking.',
  },
  booking_shape: {
    ...fixed,
    title: 'Basics of the booking',
    description:
      'The times and the length are valid, each person is on one side and has a role that fits it, and the resource ' +
      'fits the type.',
  },
  side_limit: {
    ...fixed,
    title: 'Number of people',
    description: 'Each side has neither too many nor too few people.',
  },
  resource_clash: { ...fixed, title: 'Resource free', description: 'A resource has one booking at a time.' },
  person_clash: { ...fixed, title: 'People free', description: 'A person is on one booking at a time.' },
  resource_grounded: {
    ...fixed,
    title: 'Resource not grounded',
    description:
      'A grounded resource can only be booked for maintenance. An overdue maintenance item with a scope prevents ' +
      'only the bookings of that scope: for hire or instruction (14 CFR 91.409(b)), or under instrument flight ' +
      'rules (91.411).',
  },
  person_grounded: {
    ...fixed,
    personal: true,
    title: 'People not grounded',
    description:
      'Nobody on the booking is grounded by the organization. A member who is grounded as pilot in command ' +
      '(`groundedFor: pic`) can be booked in another capacity.',
  },
  opening_hours: {
    ...blocks(deskStaff),
    title: 'Flying day',
    description: 'The booking starts and ends within the flying day of the resource or of the organization.',
  },
  availability: {
    ...blocks(deskStaff),
    title: 'Availability',
    description: 'Everybody is within their weekly availability, and has no time off.',
  },
  closed_period: {
    ...blocks(deskStaff),
    title: 'Closures',
    description:
      'Nothing that the booking needs is closed: the organization, the location or the resource (`GET /closures`).',
  },
  aircraft_approval: {
    ...blocks(admins, true),
    title: 'Approval on the aircraft',
    description:
      'The person who would be pilot in command of a solo, rental or shared flight is approved on the aircraft. ' +
      'Checked only when `settings.aircraftApprovalRequired` is set.',
  },
  booking_limits: {
    ...blocks(deskStaff),
    personal: true,
    title: 'Limits of a member’s own bookings',
    description:
      'Members who book for themselves stay within `settings.bookingLimits` of their roles: days ahead, length, ' +
      'notice, open bookings and hours a week. Desk staff have no limits.',
  },
  endorsement: {
    ...warns(admins),
    personal: true,
    title: 'Solo endorsements',
    description:
      'The student of a solo flight has the endorsements A.3, A.4 and A.6 or A.7 of AC 61-65 for the make and model, ' +
      'and at night also A.5 (14 CFR 61.87). Night is from the end of evening to the start of morning civil ' +
      'twilight; at a location without coordinates, from 21:00 to 05:00. An endorsement counts only if it is proven: ' +
      'an instructor signed or confirmed it, or a verified document shows it.',
  },
  pilot_rating: {
    ...warns(admins),
    personal: true,
    title: 'Ratings and endorsements',
    description:
      'The pilot in command of a rental or shared flight has a certificate above student with the category and class of ' +
      'the aircraft, and the endorsements for a complex, high-performance or tailwheel airplane (14 CFR 61.3(a), ' +
      '61.31). A seated instructor has these endorsements, the category and class on both certificates, the instrument ' +
      'rating on both for a lesson of an instrument course, and 5 hours as pilot in command in the make and model of a ' +
      'multiengine airplane or helicopter (61.195(b), (c), (f)). Only verified profiles and proven endorsements count. ' +
      'What is not on record only gives a warning for 30 days after the rule first blocks.',
  },
  instructor_duty: {
    ...warns(admins),
    personal: true,
    title: 'Instructor’s hours',
    description:
      'No instructor gives more than 8 hours of flight training in any 24 consecutive hours (14 CFR 61.195(a)). ' +
      'Dual, guest and rental flights with an instructor count: completed ones with their Hobbs time, future ones ' +
      'with their booked length. Ground and simulator time do not count.',
  },
  inspection_due: {
    ...warns([...admins, 'technician']),
    title: 'Maintenance due',
    description:
      'No maintenance item that applies to the booking is due before the booking ends, or would be exceeded by the ' +
      'booked hours.',
  },
  documents: {
    ...warns(admins),
    personal: true,
    title: 'Documents',
    description:
      'Everybody has the documents that `settings.requiredDocuments` asks of their roles, unexpired at the start.',
  },
  minimum_balance: {
    ...isOff(deskStaff),
    personal: true,
    title: 'Balance',
    description:
      'Each payer keeps `settings.minimumBalanceCents` on the ledger after the expected cost of the booking: its ' +
      'booked time at the rates of the aircraft and of the instructor, less what packages cover, with the taxes of ' +
      'the rest. A bill-to payer’s ledger counts in place of the member’s. Prepaid bookings and guests are not checked.',
  },
  payment_declined: {
    ...warns(deskStaff),
    personal: true,
    title: 'Payment',
    description:
      'No payer, or bill-to payer of one, has an open invoice for which autopay was declined. Prepaid bookings are not ' +
      'checked.',
  },
  citizenship: {
    ...isOff(admins),
    personal: true,
    title: 'Citizenship',
    description:
      'The citizenship of each student of a dual, solo or simulator booking is verified: in the profile, or by an ' +
      'endorsement A.14 (49 CFR 1552.7(a), 1552.15(c)). Ground lessons, rentals and guests are not checked.',
  },
  pilot_minimums: {
    settings: { enforcement: 'off', liftedWhenSupervised: true, overridableBy: [...admins, 'instructor'] },
    personal: true,
    title: 'Weather limits',
    description:
      'The weather at the airport of the booking, by its forecast and its last report, is within the limits of the ' +
      'person who would fly (`PUT /orgUsers/{id}/minimums`). Checked for flights that start within two hours, and at ' +
      'release. It gives only a warning when there is no report, or when the crosswind depends on the runway.',
  },
} as const satisfies Record<string, RuleDefinition>

/** The key of a rule of the catalogue. */
export type CatalogueKey = keyof typeof ruleCatalogue

/** The key of a rule: of the catalogue, or of a currency by its id. */
export type RuleKey = CatalogueKey | `currency:${number}`

/** The settings of rules that an organization stored, by key. */
export type StoredRules = Readonly<Record<string, StoredRule | undefined>>

/** Stored settings of a rule; `blockedSince` is the instant (ISO 8601) at which `pilot_rating` first blocked. */
interface StoredRule extends Partial<RuleSettings> {
  blockedSince?: string | undefined
}

/** The settings of a fixed rule. */
const always: RuleSettings = { enforcement: 'block', liftedWhenSupervised: false, overridableBy: [] }

/** Returns the settings of a rule: the stored ones over the defaults. Implements interface §Booking rules. */
export function settingsOf(key: CatalogueKey, stored: StoredRules): RuleSettings {
  const { settings } = ruleCatalogue[key]
  if (settings === null) return always
  const { blockedSince: _, ...own } = stored[key] ?? {}
  return { ...settings, ...own }
}

/**
 * Returns whether a word names a rule that can be overridden: a rule that is not fixed, a currency, or `currency` for all
 * currencies. Implements interface §Booking rules (overrides).
 */
export function isOverridable(word: string): boolean {
  return isCatalogueKey(word) ? ruleCatalogue[word].settings !== null : isRule(word)
}

/** Returns whether a word names a rule: a key of the catalogue, a currency, or `currency` for all currencies. */
export function isRule(word: string): boolean {
  return isCatalogueKey(word) || /^currency(:[1-9]\d{0,8})?$/.test(word)
}

/** Returns whether a word is the key of a rule of the catalogue. */
export function isCatalogueKey(word: string): word is CatalogueKey {
  return Object.hasOwn(ruleCatalogue, word)
}
