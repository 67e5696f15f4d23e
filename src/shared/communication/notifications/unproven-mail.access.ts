import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mostUnproven } from './unproven-mail.rules.ts'

/** A mail to an address that never confirmed anything with the service: a guest’s, a managed member’s, an invited one. */
export interface UnprovenMail {
  organizationId: number
  address: string
}

/** Returns the hash under which an address is counted, in any spelling of its letters. */
export function hashOfAddress(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('base64url')
}

/** Returns whether an address wants no more mail from an organization. */
export async function hasEndedMail(db: Db, organizationId: number, addressHash: string): Promise<boolean> {
  const found = await db
    .selectFrom('ended_mail')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
  return found !== undefined
}

/** Ends all mail of an organization to an address that never confirmed anything. */
export async function endMail(tx: Tx, organizationId: number, addressHash: string): Promise<void> {
  await tx.db
    .insertInto('ended_mail')
    .values({ organization_id: organizationId, address_hash: addressHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Counts a mail to an address that never confirmed anything. Returns why it must not go: the address wants none, or it or
 * the organization has had its mails of today; null when it goes.
 */
export async function countUnproven(
  tx: Tx,
  { organizationId, address }: UnprovenMail,
  factor: number,
): Promise<'ended' | 'address' | 'organization' | null> {
  const hash = hashOfAddress(address)
  if (await hasEndedMail(tx.db, organizationId, hash)) return 'ended'
  const organization = await tx.db
    .selectFrom('organization')
    .select(['created_at', 'settings'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!organization) return 'ended'
  const takesPayments = readSettings(organization.settings).stripeAccountReady
  const most = mostUnproven({ createdAt: organization.created_at, takesPayments }, tx.now, factor)
  if (!(await count(tx, 'address', hash, most.toAddress))) return 'address'
  return (await count(tx, 'organization', String(organizationId), most.ofOrganization)) ? null : 'organization'
}

/** Counts one mail of today, unless there were as many as may be. Returns whether it did. */
async function count(tx: Tx, scope: 'address' | 'organization', key: string, most: number): Promise<boolean> {
  const { rows } = await sql`
    insert into mail_count as c (scope, key, day, mails, created_at)
    values (${scope}, ${key}, ${tx.now.toISOString().slice(0, 10)}, 1, ${tx.now})
    on conflict (scope, key, day) do update set mails = c.mails + 1, updated_at = ${tx.now} where c.mails < ${most}
    returning id`.execute(tx.db)
  return rows.length > 0
}
