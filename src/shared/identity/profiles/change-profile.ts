import type { Actor } from '../../platform/authz/actor.ts'
import { type Role, roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { actsAsRegistrar, isForRegistrar } from '../members/registrar.access.ts'
import { MemberProfile, type Membership } from '../members.tables.ts'
import { lockProfile } from './profile.access.ts'
import { findProfile } from './profile.queries.ts'
import {
  mayVerifyField,
  mayWriteField,
  mergeProfile,
  type ProfileFacts,
  type ProfileField,
  type ProfileReader,
  readableFields,
  type VerifiableField,
  verifiableFields,
  verifiedAfter,
} from './profile.rules.ts'
import { recordReading } from './record-reading.ts'

/** Changes of a profile. `verify` names fields whose stored values the actor confirms. */
export interface ProfileChanges extends Omit<ProfileFacts, 'citizenshipVerification'> {
  citizenshipVerification?: { kind: string } | null | undefined
  verify?: VerifiableField[] | undefined
}

/** The most different profiles that a registrar reads or changes in 24 hours. */
export const MOST_PROFILES = 60

/**
 * Changes a member's profile field by field, and verifies fields. Values that an admin writes are verified immediately.
 * Values that other members write about themselves are not verified, and currencies do not use them.
 * `most`: the limit of a registrar.
 * Implements interface §Members, PATCH /orgUsers/{id}/profile.
 */
export async function changeProfile(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  changes: ProfileChanges,
  most = MOST_PROFILES,
): Promise<{ orgUserId: number }> {
  const { organizationId } = actor
  const stored = await lockProfile(tx, { organizationId, orgUserId })
  const { reader } = await findProfile(tx, actor, orgUserId, tx.now)
  writeProfile(tx, actor, stored ?? blankProfile(tx, organizationId, orgUserId), { reader, changes })
  if (!reader.self) await recordReading(tx, actor, { kind: 'profile.read', orgUserId, most })
  return { orgUserId }
}

/** Creates the profiles of members whom the actor has just added. */
export async function createProfiles(
  tx: Tx,
  actor: Actor,
  profiles: readonly { member: Pick<Membership, 'id' | Role>; changes: ProfileChanges }[],
): Promise<void> {
  for (const { member, changes } of profiles) {
    const ofRoles = roleFlags(member)
    const registrar = actsAsRegistrar(actor) && isForRegistrar(ofRoles)
    const reader = { self: false, roles: actor.roles, ofRoles, ownStudent: false, registrar }
    writeProfile(tx, actor, blankProfile(tx, actor.organizationId, member.id), { reader, changes })
  }
  await tx.em.flush()
}

function blankProfile(tx: Tx, organizationId: number, membershipId: number): MemberProfile {
  return tx.em.create(MemberProfile, { organizationId, membershipId, facts: {}, verified: {} })
}

/** Checks that the actor may make the changes, writes them into the profile and emits events for them. */
function writeProfile(
  tx: Tx,
  actor: Actor,
  profile: MemberProfile,
  { reader, changes: { verify = [], ...given } }: { reader: ProfileReader; changes: ProfileChanges },
): void {
  const changes = stated(given, actor, tx.now)
  assertIsAllowed(reader, Object.keys(changes) as ProfileField[], verify)
  if (changes.birthDate && changes.birthDate >= localDate(tx.now, actor.organization.timeZoneName)) {
    throw identityErrors.birthDateAhead()
  }
  const facts = mergeProfile(profile.facts, changes)
  const missing = verify.findIndex((field) => facts[field] == null)
  if (missing >= 0) throw identityErrors.nothingToVerify({ index: missing })
  const taken = verifiableFields.filter((field) => field in changes && mayVerifyField(field, reader))
  const fields = [...new Set([...taken, ...verify])]
  const mark = { fields, by: actor.orgUserId, at: tx.now.toISOString(), self: reader.self }
  profile.facts = facts
  profile.verified = verifiedAfter(profile.verified, facts, mark)
  const subject = { kind: 'member', id: profile.membershipId } as const
  if (Object.keys(changes).length > 0) emit(tx, actor, { kind: 'profile.changed', subject })
  if (fields.length > 0) emit(tx, actor, { kind: 'profile.verified', subject })
}

/** Returns the fields that are not undefined. Adds the actor and the present time to a verification of citizenship. */
function stated({ citizenshipVerification, ...others }: Omit<ProfileChanges, 'verify'>, actor: Actor, now: Date) {
  const verified = citizenshipVerification && {
    ...citizenshipVerification,
    at: now.toISOString(),
    by: actor.orgUserId,
  }
  const all: ProfileFacts = { ...others, citizenshipVerification: verified }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ProfileFacts
}

function assertIsAllowed(reader: ProfileReader, written: ProfileField[], verified: VerifiableField[]): void {
  if (readableFields(reader).length === 0) throw platformErrors.notAllowed()
  if (!written.every((field) => mayWriteField(field, reader))) throw identityErrors.profileOfOthers()
  if (!verified.every((field) => mayVerifyField(field, reader))) throw identityErrors.verifiedByOthers()
}
