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
  { organizationId, id }: Pick<Membership, 'organizationId' | 'id'>,
): Promise<void> {
  if (!actsAsRegistrar(actor)) return
  const history = referencesOf(tx.tables, ['bookings', 'money', 'papers'])
    .filter(({ part, kind }) => part !== 'papers' || papers.includes(kind))
    .map(({ table, column }) => {
      const of = sql`organization_id = ${organizationId} and ${sql.ref(column)} = ${id}`
      return sql`exists (select from ${sql.table(table)} where ${of})`
    })
  const { rows } = await sql<{ has: boolean }>`select ${sql.join(history, sql` or `)} as has`.execute(tx.db)
  if (rows[0]?.has) throw identityErrors.addressForAdmins()
}
