import { isDeepStrictEqual } from 'node:util'
import { admins, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'

/** A postal address as it was given. */
export interface ProfileAddress {
  line1?: string | null | undefined
  line2?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  postalCode?: string | null | undefined
  country?: string | null | undefined
}

export const certificateGrades = [
  'student',
  'sport',
  'recreational',
  'private',
  'commercial',
  'airline_transport',
] as const

/** Complex, high-performance and tailwheel airplanes. */
export const trainingLoggedBefore = ['CPX', 'HP', 'TW'] as const

/** The facts that a member states, and those that the school states about the member. Days are `YYYY-MM-DD`. */
export interface ProfileFacts {
  birthDate?: string | null | undefined
  address?: ProfileAddress | null | undefined
  emergencyContact?: { name?: string | null; phone?: string | null; relation?: string | null } | null | undefined
  pilotCertificate?:
    | {
        grade?: (typeof certificateGrades)[number] | null
        number?: string | null
        ratings?: string[] | null
        issuedAt?: string | null
      }
    | null
    | undefined
  instructorCertificate?:
    | { number?: string | null; validUntil?: string | null; ratings?: string[] | null }
    | null
    | undefined
  /**
   * What was logged elsewhere before the member came: the additional training that 14 CFR 61.31(e)(2), (f)(2) and (i)(2) let
   * stand in for an endorsement, and tenths of an hour as pilot in command by make and model (61.195(f)).
   */
  priorExperience?:
    | {
        loggedBefore?: (typeof trainingLoggedBefore)[number][] | null
        hours?: { makeAndModel: string; picDeciHours: number }[] | null
      }
    | null
    | undefined
  /** How the school verified the citizenship (49 CFR 1552.7(a)), the orgUserId of who did, and when (ISO 8601). */
  citizenshipVerification?: { kind: string; at: string; by: number } | null | undefined
  weightPounds?: number | null | undefined
  notes?: string | null | undefined
}

export type ProfileField = keyof ProfileFacts

const everything: readonly ProfileField[] = [
  'birthDate',
  'address',
  'emergencyContact',
  'pilotCertificate',
  'instructorCertificate',
  'priorExperience',
  'citizenshipVerification',
  'weightPounds',
  'notes',
]

/** What a registrar reads and writes. */
const registered = everything.filter((field) => field !== 'notes' && field !== 'citizenshipVerification')

/** The fields that can be verified. Currencies, logs and booking rules use only their verified values. */
export const verifiableFields = ['birthDate', 'pilotCertificate', 'instructorCertificate', 'priorExperience'] as const
export type VerifiableField = (typeof verifiableFields)[number]

/**
 * The last verified value of a field, the orgUserId of the member who verified it, and when (ISO 8601). `self`: an
 * admin verified their own profile.
 */
export interface VerifiedValue<Value = unknown> {
  value: Value
  by: number
  at: string
  self: boolean
}
export type VerifiedFacts = { [Field in VerifiableField]?: VerifiedValue<NonNullable<ProfileFacts[Field]>> }

/** The reader or writer of a profile, and their relation to its member. */
export interface ProfileReader {
  self: boolean
  roles: RoleFlags
  /** The roles of the member whose profile it is. */
  ofRoles: RoleFlags
  /** Whether the reader instructs the member: by an open enrollment, or a booking within 60 days back or ahead. */
  ownStudent: boolean
  /** Whether the reader holds the desk grant `registrar`, and the member is only student or renter. */
  registrar?: boolean
}

/**
 * Returns the fields that somebody may read. Members read all of their own but the notes; admins read all of others.
 * Dispatchers read emergency contact and weight. Instructors read these, the pilot certificate and the prior experience of
 * students and renters, and of their own students also birth date, address and citizenship. Registrars read all of students
 * and renters but notes and citizenship, besides what their role reads. Anyone else reads none.
 * Implements interface §Members, GET /orgUsers/{id}/profile, and the desk grants of the interface.
 */
export function readableFields({
  self,
  roles,
  ofRoles,
  ownStudent,
  registrar,
}: ProfileReader): readonly ProfileField[] {
  if (self) return everything.filter((field) => field !== 'notes')
  if (hasRole(roles, admins)) return everything
  const fields = new Set<ProfileField>()
  const add = (...more: ProfileField[]) => more.forEach((field) => void fields.add(field))
  if (registrar) add(...registered)
  if (roles.dispatcher) add('emergencyContact', 'weightPounds')
  if (roles.instructor && hasRole(ofRoles, ['student', 'renter'])) {
    add('emergencyContact', 'weightPounds', 'pilotCertificate', 'priorExperience')
    if (ownStudent) add('birthDate', 'address', 'citizenshipVerification')
  }
  return everything.filter((field) => fields.has(field))
}

/**
 * Returns whether somebody may write a field. Members may write their own profile, admins every profile. Exceptions:
 * only admins may write `citizenshipVerification`; only admins may write `notes`, and not about themselves. Registrars
 * write what they read as registrars.
 * Implements interface §Members, PATCH /orgUsers/{id}/profile, and the desk grants of the interface.
 */
export function mayWriteField(
  field: ProfileField,
  { self, roles, registrar = false }: Pick<ProfileReader, 'self' | 'roles' | 'registrar'>,
): boolean {
  const isAdmin = hasRole(roles, admins)
  if (field === 'notes') return isAdmin && !self
  if (field === 'citizenshipVerification') return isAdmin
  return self || isAdmin || registrar
}

/**
 * Returns whether somebody may verify a field. In another member's profile, everyone who may read the field; in their
 * own profile, only admins. A registrar verifies nothing.
 * Implements interface §Members, PATCH /orgUsers/{id}/profile, and the desk grants of the interface.
 */
export function mayVerifyField(field: VerifiableField, reader: ProfileReader): boolean {
  if (reader.registrar) return false
  return reader.self ? hasRole(reader.roles, admins) : readableFields(reader).includes(field)
}

/**
 * Returns the facts after changes: objects are merged key by key, null clears, and absent fields stay.
 * Implements interface §Members, PATCH /orgUsers/{id}/profile.
 */
export function mergeProfile(facts: ProfileFacts, changes: ProfileFacts): ProfileFacts {
  const merged: Record<string, unknown> = { ...facts }
  for (const [field, change] of Object.entries(changes)) {
    if (change === undefined) continue
    merged[field] = isObject(change) ? { ...(merged[field] as object | null), ...definedOf(change) } : change
  }
  return merged as ProfileFacts
}

/** Returns whether the value of a field equals the one that was verified last. */
export function isVerified(field: VerifiableField, facts: ProfileFacts, verified: VerifiedFacts): boolean {
  const last = verified[field]
  return last !== undefined && isDeepStrictEqual(last.value, facts[field])
}

/**
 * Returns the verified values after `fields` were verified: their present values, or none for a cleared field. Other
 * fields keep their last verified value, even when the member has changed the field since.
 * Implements interface §Members, PATCH /orgUsers/{id}/profile.
 */
export function verifiedAfter(
  verified: VerifiedFacts,
  facts: ProfileFacts,
  { fields, by, at, self }: { fields: readonly VerifiableField[]; by: number; at: string; self: boolean },
): VerifiedFacts {
  const after: Record<string, VerifiedValue> = { ...verified }
  for (const field of fields) {
    const value = facts[field]
    if (value == null) delete after[field]
    else after[field] = { value, by, at, self }
  }
  return after as VerifiedFacts
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function definedOf(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined))
}
