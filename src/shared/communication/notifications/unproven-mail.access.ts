import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { inSavepoint } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { countAgainst, type MailLimit } from './mail-count.access.ts'
import { type MailReason, mostToAddress, mostUnproven, usableBy } from './unproven-mail.rules.ts'

/** A mail to an address that never confirmed anything with the service: a guest’s, a managed member’s, an invited one. */
export interface UnprovenMail {
  organizationId: number
  address: string
  reason: MailReason
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
 * Counts a mail to an address that never confirmed anything: against the mails of today of its mailbox, of the organization,
 * and of each owner over all organizations of the owner. Returns why it must not go: the address wants none, or they are used
 * up; null when it goes. A mail that must not go is not counted.
 */
export async function countUnproven(
  tx: Tx,
  { organizationId, address, reason }: UnprovenMail,
  factor: number,
): Promise<'ended' | 'address' | 'organization' | null> {
  if (await hasEndedMail(tx.db, organizationId, hashOfAddress(address))) return 'ended'
  if (reason === 'asked') return null
  const senders = await findSenders(tx, organizationId, factor)
  if (senders.length === 0) return 'ended'
  const limits: MailLimit[] = [
    ...senders.map((sender): MailLimit => ({ ...sender, per: 'day', most: usableBy(reason, sender.most) })),
    {
      scope: reason === 'owed' ? 'owed_address' : 'address',
      ...{ key: hashOfAddress(mailboxOf(address)), per: 'day', most: mostToAddress(factor) },
    },
  ]
  const [full] = await inSavepoint(tx, async () => {
    const used = await countAgainst(tx, limits)
    return { keep: used.length === 0, result: used }
  })
  if (!full) return null
  return full.scope === 'organization' || full.scope === 'owner' ? 'organization' : 'address'
}

/** Returns the organization and its owners, with the mails that each may send a day: an owner as many as their best organization. */
async function findSenders(tx: Tx, organizationId: number, factor: number): Promise<Omit<MailLimit, 'per'>[]> {
  const { rows } = await sql<{ ownerId: number | null; createdAt: Date; settings: unknown }>`
    select null::int as "ownerId", created_at as "createdAt", settings from organization where id = ${organizationId}
    union all
    select m.account_id, o.created_at, o.settings from membership mine
    join membership m on m.account_id = mine.account_id and m.owner and m.removed_at is null
    join organization o on o.id = m.organization_id
    where mine.organization_id = ${organizationId} and mine.owner and mine.removed_at is null`.execute(tx.db)
  const most = new Map<string, Omit<MailLimit, 'per'>>()
  for (const { ownerId, createdAt, settings } of rows) {
    const takesPayments = readSettings(settings).stripeAccountReady
    const { ofOrganization } = mostUnproven({ createdAt, takesPayments }, tx.now, factor)
    const [scope, key] = ownerId === null ? (['organization', organizationId] as const) : (['owner', ownerId] as const)
    const known = most.get(`${scope} ${key}`)?.most ?? 0
    most.set(`${scope} ${key}`, { scope, key: String(key), most: Math.max(known, ofOrganization) })
  }
  return [...most.values()]
}
