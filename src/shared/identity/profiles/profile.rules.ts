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

/** What a member says of themselves, and the school of them. Days are `YYYY-MM-DD`. */
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
    | { number?: string | null; expiresAt?: string | null; ratings?: string[] | null }
    | null
    | undefined
  /** How the school verified the citizenship (49 CFR 1552.7(a)), the member who did, and when (ISO 8601). */
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
  'citizenshipVerification',
  'weightPounds',
  'notes',
]

/** What currencies and logs rely on, and so only as staff verified it. */
export const verifiableFields = ['birthDate', 'pilotCertificate', 'instructorCertificate'] as const
export type VerifiableField = (typeof verifiableFields)[number]

/** The value of a field as it was verified last, by whom and when; `self` when that was the member, as an admin. */
export interface VerifiedValue<Value = unknown> {
  value: Value
  by: number
  at: string
  self: boolean
}
export type VerifiedFacts = { [Field in VerifiableField]?: VerifiedValue<NonNullable<ProfileFacts[Field]>> }

/** Who reads or writes a profile, and whose it is. */
export interface ProfileReader {
  self: boolean
  roles: RoleFlags
  /** The roles of the member whose profile it is. */
  ofRoles: RoleFlags
  /** Whether the reader instructs the member: by an open enrollment, or a booking sixty days back or ahead. */
  ownStudent: boolean
}

/**
 * Returns the fields that somebody may read. Members read all but the notes about them, admins all of others;
 * dispatchers what a flight needs to know; instructors that and the pilot certificate of students and renters, and of
 * their own students the rest of what they train for. Nothing is for anybody else.
 */
export function readableFields({ self, roles, ofRoles, ownStudent }: ProfileReader): readonly ProfileField[] {
  if (self) return everything.filter((field) => field !== 'notes')
  if (hasRole(roles, admins)) return everything
  const fields = new Set<ProfileField>()
  const add = (...more: ProfileField[]) => more.forEach((field) => void fields.add(field))
  if (roles.dispatcher) add('emergencyContact', 'weightPounds')
  if (roles.instructor && hasRole(ofRoles, ['student', 'renter'])) {
    add('emergencyContact', 'weightPounds', 'pilotCertificate')
    if (ownStudent) add('birthDate', 'address', 'citizenshipVerification')
  }
  return everything.filter((field) => fields.has(field))
}

/** Returns whether somebody may write a field: members their own, admins those of others and what the school states. */
export function mayWriteField(field: ProfileField, { self, roles }: Pick<ProfileReader, 'self' | 'roles'>): boolean {
  const isAdmin = hasRole(roles, admins)
  if (field === 'notes') return isAdmin && !self
  if (field === 'citizenshipVerification') return isAdmin
  return self || isAdmin
}

/** Returns whether somebody may verify a field: who reads it of another member as staff, and admins for themselves. */
export function mayVerifyField(field: VerifiableField, reader: ProfileReader): boolean {
  return reader.self ? hasRole(reader.roles, admins) : readableFields(reader).includes(field)
}

/** Returns the facts after changes: objects are merged key by key, null clears, what is left out stays. */
export function mergeProfile(facts: ProfileFacts, changes: ProfileFacts): ProfileFacts {
  const merged: Record<string, unknown> = { ...facts }
  for (const [field, change] of Object.entries(changes)) {
    if (change === undefined) continue
    merged[field] = isObject(change) ? { ...(merged[field] as object | null), ...definedOf(change) } : change
  }
  return merged as ProfileFacts
}

/** Returns whether the value of a field is the one that was verified last. */
export function isVerified(field: VerifiableField, facts: ProfileFacts, verified: VerifiedFacts): boolean {
  const last = verified[field]
  return last !== undefined && isDeepStrictEqual(last.value, facts[field])
}

/**
 * Returns the verified values after a change: what an admin writes is verified, for themselves as `self`; what members
 * write of themselves leaves the last verified value as it is. An admin who clears a field of another clears it here too.
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
