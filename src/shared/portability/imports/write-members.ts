import { changeContacts } from '../../identity/members/change-contacts.ts'
import { findMember } from '../../identity/members/member.access.ts'
import { changeProfile } from '../../identity/profiles/change-profile.ts'
import { createManagedMembers, type ManagedMember } from '../../identity/profiles/create-managed-member.ts'
import { certificateGrades, type ProfileFacts } from '../../identity/profiles/profile.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { admins, hasRole, type Role, type RoleFlags, roleFlags, roles, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { changeRoles, updateMember } from '../../workflows/update-member.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import {
  birthday,
  email,
  firstOf,
  flag,
  line,
  personName,
  positiveCents,
  word,
  words,
} from '../reading/parsers.rules.ts'
import { emailWords, nameWords, phoneWords } from './address-books.rules.ts'
import { memberName } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownMembers } from './known.queries.ts'
import { changesOf, isNamed, isNothing, nameKey } from './match.rules.ts'
import { writePayer } from './write-payer.ts'

const columns = {
  externalId: optional(line(100), {
    example: 'M-1042',
    doc: 'What your own system calls the person',
    aliases: ['id', 'member id', 'member number', 'customer number', 'employee id'],
  }),
  name: required(personName, { example: 'Ana Ruiz', doc: 'First and last name', ...nameWords }),
  email: optional(firstOf(email), { example: 'ana.ruiz@example.com', doc: 'Address', ...emailWords }),
  phone: optional(firstOf(line(40)), { example: '+1 510 555 0100', doc: 'Phone', ...phoneWords }),
  roles: optional(words(roles), { example: 'student renter', doc: 'Roles; blank: student', aliases: ['role'] }),
  birthDate: optional(birthday, {
    example: '1994-03-14',
    doc: 'Day of birth; one without a year (--03-14) is left out',
    aliases: ['date of birth', 'dob', 'birthday', 'geburtstag', 'date de naissance', 'fecha de nacimiento'],
    isDate: true,
  }),
  certificateGrade: optional(word(certificateGrades), { example: 'private', doc: 'Grade of the pilot certificate' }),
  certificateNumber: optional(line(40), { example: '3456789', doc: 'Number of the pilot certificate' }),
  emergencyContactName: optional(line(200), {
    example: 'Luis Ruiz',
    doc: 'Whom to call',
    aliases: ['emergency contact'],
  }),
  emergencyContactPhone: optional(line(40), {
    example: '+1 510 555 0101',
    doc: 'Where to call',
    aliases: ['emergency phone'],
  }),
  taxExempt: optional(flag, { example: 'no', doc: 'Invoiced without taxes: yes or no; blank: no' }),
  flightPayCents: optional(positiveCents, {
    example: '4500',
    doc: 'Cents that an instructor is paid for an hour of flight',
    aliases: ['flight pay'],
  }),
  groundPayCents: optional(positiveCents, {
    example: '3000',
    doc: 'Cents that an instructor is paid for an hour on the ground',
    aliases: ['ground pay'],
  }),
  simPayCents: optional(positiveCents, {
    example: '3500',
    doc: 'Cents that an instructor is paid for an hour in a simulator',
    aliases: ['sim pay', 'simulator pay'],
  }),
  billTo: optional(memberName, {
    example: '',
    doc: 'externalId or address of the member who pays for this one, once that member has accepted',
    aliases: ['bill to', 'payer'],
  }),
}

type Row = RowOf<typeof columns>

/**
 * Imports members. A row is matched with a stored member by `externalId`, else by email address; a row with neither, by
 * name. A new member has no account, and no mail is sent.
 */
export const importMembers = importKind({
  columns,
  bringsAddresses: true,
  refersBy: 'billTo',
  namesOf: ({ externalId, email: address, name }) => {
    const names = [externalId && `id ${nameKey(externalId)}`, address && `address ${address}`].flatMap(
      (one) => one ?? [],
    )
    return names.length > 0 ? names : [`name ${nameKey(name)}`]
  },
  problemOfShared: (name, row) =>
    name.startsWith('address ') ? { column: 'email', message: portabilityErrors.sameAddress({ row }) } : null,
  externalIdOf: ({ externalId = null }) => externalId,
  async create(tx, actor, rows) {
    const known = await loadKnown(tx, actor, rows)
    const fresh = rows.filter((row) => {
      assertGrants(actor, row)
      return !match(known, row)
    })
    if (fresh.length === 0) return new Map()
    const made = await createManagedMembers(tx, actor, fresh.map(newMember), { admin: actor.roles.owner })
    for (const [at, row] of fresh.entries()) {
      await writeMoney(tx, actor, made[at]!.id, unpaid, row)
      await writePayer(tx, actor, { ...unpaid, id: made[at]!.id }, row.billTo)
    }
    return new Map(fresh.map((row, at) => [row, { outcome: 'created', id: made[at]!.id }]))
  },
  async open(tx, actor, rows) {
    const known = await loadKnown(tx, actor, rows)
    return async (row) => {
      assertGrants(actor, row)
      const stored = match(known, row)
      if (!stored) {
        const [made] = await createManagedMembers(tx, actor, [newMember(row)], { admin: actor.roles.owner })
        await writeMoney(tx, actor, made!.id, unpaid, row)
        await writePayer(tx, actor, { ...unpaid, id: made!.id }, row.billTo)
        return { outcome: 'created', id: made!.id }
      }
      const { id } = stored
      const { contacts, problems } = contactsOf(stored, row)
      const profile = profileOf(row, stored.facts as ProfileFacts)
      const changed = [
        await writeContacts(tx, actor, id, contacts),
        await writeRoles(tx, actor, stored, row),
        !isNothing(profile) && (await changeProfile(tx, actor, id, profile)) !== null,
        await writeMoney(tx, actor, id, stored, row),
        await writePayer(tx, actor, stored, row.billTo),
      ]
      return { outcome: changed.some(Boolean) ? 'updated' : 'unchanged', id, problems }
    }
  },
})

type Known = Awaited<ReturnType<typeof findKnownMembers>>[number]

function loadKnown(tx: Tx, { organizationId }: Actor, rows: readonly Row[]): Promise<Known[]> {
  return findKnownMembers(tx.db, organizationId, {
    externalIds: rows.flatMap(({ externalId }) => (externalId === undefined ? [] : [nameKey(externalId)])),
    emails: rows.flatMap(({ email: address }) => address ?? []),
    names: rows.flatMap(({ externalId, email: address, name }) => (externalId || address ? [] : [nameKey(name)])),
  })
}

function newMember(row: Row): ManagedMember {
  const { name, email: address, phone, externalId } = row
  const flags = row.roles && roleFlags(Object.fromEntries(row.roles.map((role) => [role, true])))
  const profile = profileOf(row, {})
  return { name, email: address, phone, externalId, roles: flags, profile: isNothing(profile) ? null : profile }
}

/** Refuses a row with the role owner, and a row with the role admin unless an owner imports it. */
function assertGrants({ roles: { owner } }: Actor, row: Row): void {
  if (row.roles?.includes('owner')) throw new CellRefused('roles', portabilityErrors.ownerNotImported())
  if (row.roles?.includes('admin') && !owner) throw new CellRefused('roles', portabilityErrors.adminsByOwners())
}

function match(known: readonly Known[], { externalId, email: address, name }: Row): Known | undefined {
  const byId = known.find((one) => isNamed(one.externalId, externalId))
  const byAddress = address === undefined ? undefined : known.find((one) => one.email === address)
  const isAnother = byAddress && (byId ? byId.id !== byAddress.id : externalId && byAddress.externalId)
  if (isAnother) throw new CellRefused('email', portabilityErrors.otherAddress())
  if (byId || byAddress || externalId || address) return byId ?? byAddress
  const [named, another] = known.filter((one) => isNamed(one.name, name))
  if (another) throw new CellRefused('name', portabilityErrors.pointsAtTwo())
  return named
}

/**
 * Returns the changes of a row to the name, address, phone and external id of a member. A member with an account keeps
 * name, address and phone, and each difference is reported as a problem. A new name for a member who was not found by
 * external id is reported too, because the row may be about another person with the same address.
 */
function contactsOf(stored: Known, { name, email: address, phone, externalId }: Row) {
  const own = changesOf<object>(stored, { name, email: address, phone })
  const key = changesOf<object>(stored, { externalId })
  if (!stored.hasAccount) {
    const isRenamed = !isNamed(stored.name, name) && !isNamed(stored.externalId, externalId)
    const problems = isRenamed ? [{ column: 'name', message: portabilityErrors.renamed() }] : []
    return { contacts: { ...own, ...key }, problems }
  }
  const problems: RowProblem[] = Object.keys(own).map((column) => ({ column, message: portabilityErrors.isTheirs() }))
  return { contacts: key, problems }
}

async function writeContacts(tx: Tx, actor: Actor, id: number, contacts: object): Promise<boolean> {
  if (isNothing(contacts)) return false
  await changeContacts(tx, actor, await findMember(tx, actor.organizationId, { id }), contacts)
  return true
}

async function writeRoles(tx: Tx, actor: Actor, stored: Known, { roles: given }: Row): Promise<boolean> {
  const held = rolesOf(stored as Partial<RoleFlags>)
  const others: Role[] = held.filter((role) => role !== 'owner')
  if (!given || isNothing(changesOf({ roles: others }, { roles: given }))) return false
  if (hasRole(stored as Partial<RoleFlags>, admins) && !actor.roles.owner) {
    throw new CellRefused('roles', portabilityErrors.rolesOfLeaders())
  }
  const wanted = roleFlags(Object.fromEntries(given.map((role) => [role, true])))
  await changeRoles(tx, actor, { id: stored.id }, ({ owner }) => ({ ...wanted, owner }))
  return true
}

type Money = Pick<Known, 'taxExempt' | 'flightPayCents' | 'groundPayCents' | 'simPayCents' | 'billToId'>

/** The tax exemption, pay rates and payer of a new member. */
const unpaid: Money = {
  taxExempt: false,
  flightPayCents: null,
  groundPayCents: null,
  simPayCents: null,
  billToId: null,
}

/** Sets the tax exemption and the pay rates of a member to those of a row. Returns whether they changed. */
async function writeMoney(tx: Tx, actor: Actor, id: number, stored: Money, row: Row): Promise<boolean> {
  const { taxExempt, flightPayCents, groundPayCents, simPayCents } = row
  const changes = changesOf<Money>(stored, { taxExempt, flightPayCents, groundPayCents, simPayCents })
  if (isNothing(changes)) return false
  const payRates = { flight: changes.flightPayCents, ground: changes.groundPayCents, sim: changes.simPayCents }
  await updateMember(tx, actor, id, { taxExempt: changes.taxExempt, payRates })
  return true
}

/** Returns the changes of a row to a profile. */
function profileOf(row: Row, facts: ProfileFacts): ProfileFacts {
  const { birthDate, certificateGrade: grade, certificateNumber: number } = row
  const { emergencyContactName: name, emergencyContactPhone: phone } = row
  const pilotCertificate = changesOf<object>(facts.pilotCertificate ?? {}, { grade, number })
  const emergencyContact = changesOf<object>(facts.emergencyContact ?? {}, { name, phone })
  return {
    ...changesOf<ProfileFacts>(facts, { birthDate }),
    ...(!isNothing(pilotCertificate) && { pilotCertificate }),
    ...(!isNothing(emergencyContact) && { emergencyContact }),
  }
}
