import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import { type RoleFlags, rolesOf } from '../../platform/authz/roles.ts'
import { referencesOf } from '../../platform/db/declare-table.ts'
import type { ReferenceKind } from '../../platform/db/member-columns.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { identityErrors } from '../identity.errors.ts'
import type { Membership } from '../members.tables.ts'

/** Returns whether the actor is let in as a registrar: by the desk grant, and not by a role. */
export function actsAsRegistrar({ grant }: Pick<Actor, 'grant'>): boolean {
  return grant === 'registrar'
}

/** Returns whether a registrar may act on a member with these roles: only student and renter are among them. */
export function isForRegistrar(roles: Partial<RoleFlags>): boolean {
  return rolesOf(roles).every((role) => role === 'student' || role === 'renter')
}

/**
 * Checks that a registrar acts on a member who is only student or renter. Does nothing for admins.
 * Implements interface §Desk grants.
 */
export function assertIsForRegistrar(actor: Pick<Actor, 'grant'>, roles: Partial<RoleFlags>): void {
  if (actsAsRegistrar(actor) && !isForRegistrar(roles)) throw identityErrors.registrarLimits()
}

/** The kinds of papers that are a member's history. Facts that a desk enters with a new member are none. */
const papers: readonly ReferenceKind[] = [
  'documents',
  'currencies',
  'endorsements',
  'enrollments',
  'training_tests',
  'training_records',
]

/**
 * Checks that a registrar does not give another address to a managed member with a booking, money or a paper. Whoever
 * has the address can take over the membership with its history.
 * Implements interface §Desk grants.
 */
export async function assertMayGiveAddress(
  tx: Tx,
  actor: Pick<Actor, 'grant'>,
  member: Pick<Membership, 'organizationId' | 'id'>,
): Promise<void> {
  if (actsAsRegistrar(actor) && (await hasHistory(tx, member))) throw identityErrors.addressForAdmins()
}

/**
 * Checks that an invitation of a registrar to an address that a registrar gave still lets somebody take over the membership:
 * not once the member has a booking, money or a paper. `invitedBy` counts as a registrar unless they are an admin now.
 * Implements interface §Desk grants.
 */
export async function assertMayClaim(
  tx: Tx,
  { organizationId, id }: Pick<Membership, 'organizationId' | 'id'>,
  invitedBy: number,
): Promise<void> {
  const { rows } = await sql`
    select from membership i where i.organization_id = ${organizationId} and i.id = ${invitedBy} and not (i.owner or i.admin)
      and exists (select from event e
        where e.organization_id = i.organization_id and e.subject_kind = 'member' and e.subject_id = ${id}
          and e.kind = 'member.changed' and e.after->'fields' ? 'email' and e.membership_id = i.id)`.execute(tx.db)
  if (rows.length > 0 && (await hasHistory(tx, { organizationId, id }))) throw identityErrors.claimForAdmins()
}

async function hasHistory(tx: Tx, { organizationId, id }: Pick<Membership, 'organizationId' | 'id'>): Promise<boolean> {
  const history = referencesOf(tx.tables, ['bookings', 'money', 'papers'])
    .filter(({ part, kind }) => part !== 'papers' || papers.includes(kind))
    .map(({ table, column }) => {
      const of = sql`organization_id = ${organizationId} and ${sql.ref(column)} = ${id}`
      return sql`exists (select from ${sql.table(table)} where ${of})`
    })
  const { rows } = await sql<{ has: boolean }>`select ${sql.join(history, sql` or `)} as has`.execute(tx.db)
  return rows[0]?.has ?? false
}
