import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { findOwnerAccounts } from '../../identity/members/user.queries.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mailboxOf } from '../../platform/kernel/mailbox.ts'
import { countOnce, type MailLimit, type MailScope } from './mail-count.access.ts'
import type { NotificationKind } from './notification-kinds.rules.ts'
import {
  type MailReason,
  mostByMembers,
  mostMails,
  mostToAddress,
  mostUnproven,
  usableBy,
  usableByNewcomers,
  usableToReceiver,
} from './unproven-mail.rules.ts'

/**
 * The groups of mail; the mails to one address are counted per group. The limits for all mail of an organization do not
 * apply to `security`.
 */
export type MailGroup = NotificationKind | 'joining' | 'requests' | 'charges' | 'webhooks' | 'security'

/** A mail of an organization. */
export interface CountedMail {
  /** The job that sends the mail. A job can run several times for its one mail, which counts once. */
  jobId: string
  organizationId: number
  address: string
  group: MailGroup
  reason: MailReason
  /**
   * Whether nobody has confirmed the address to the service: that of a guest, of a managed member, or of an invited
   * person.
   */
  unproven: boolean
  /** The orgUserId of the student or renter who caused it; undefined when nobody or somebody of the staff did. */
  byMember: number | undefined
  /** Whether that student or renter is a newcomer (`isNewcomer`). */
  byNewcomer: boolean
}

/** Returns the hash under which an address is counted. Upper and lower case give the same hash. */
export function hashOfAddress(address: string): string {
  return createHash('sha256').update(address.trim().toLowerCase()).digest('base64url')
}

/** Returns whether the owner of an address unsubscribed from all mail of an organization. */
export async function hasEndedMail(db: Db, organizationId: number, addressHash: string): Promise<boolean> {
  const found = await db
    .selectFrom('ended_mail')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
  return found !== undefined
}

/** Unsubscribes an unconfirmed address from all mail of an organization. */
export async function endMail(tx: Tx, organizationId: number, addressHash: string): Promise<void> {
  await tx.db
    .insertInto('ended_mail')
    .values({ organization_id: organizationId, address_hash: addressHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Counts a mail against the daily limits:
 * - of the organization, of each of its owners (all organizations of an owner together), of the address for this group
 *   of mails, and of the student or renter who caused it; not for `security`;
 * - for an unconfirmed address also the limits for such addresses: of the mailbox, of the organization, and of each of
 *   its owners. It is 0 while none of the owners has verified an address: whoever signs up can found an organization, and
 *   with it book guests and offer flights to the public.
 * Returns null when the mail may be sent. Otherwise nothing is counted, and the result is the reason: `ended`
 * (unsubscribed, or the organization is deleted), or the limit that is reached (`address` or `organization`). Mail with
 * the reason `asked` is not counted, except that to a member, which has a counter of its own per address. A mail counts
 * once: later runs of its job, also those of a worker that was killed or got no connection, find it counted. When members
 * used up the limits of what they cause, one `billed` mail a day is still sent to each payer, out of the other limits.
 */
export async function countMail(
  tx: Tx,
  mail: CountedMail,
  factor: number,
): Promise<'ended' | 'address' | 'organization' | null> {
  const { organizationId, address, reason } = mail
  if (mail.unproven && (await hasEndedMail(tx.db, organizationId, hashOfAddress(address)))) return 'ended'
  const { senders, ownersVerified } = mail.unproven ? await findSenders(tx, organizationId, factor) : noSenders
  if (mail.unproven && senders.length === 0) return 'ended'
  if (mail.unproven && !ownersVerified) return 'organization'
  if (reason === 'asked' && mail.unproven) return null
  const owners = await findOwnerAccounts(tx.db, organizationId)
  const limits: MailLimit[] = [
    ...limitsOfAll(mail, owners, factor),
    ...senders.map((sender): MailLimit => ({ ...sender, per: 'day', most: usableBy(reason, sender.most) })),
  ]
  if (mail.unproven && reason !== 'asked') {
    limits.push({
      scope: addressScopes[reason],
      key: hashOfAddress(mailboxOf(address)),
      per: 'day',
      most: usableToAddress(reason, mostToAddress(factor)),
    })
  }
  const ofMembers = limitsOfMembers(mail, owners, factor)
  if (limits.length + ofMembers.length === 0) return null
  const reached = await countOnce(tx, mail.jobId, [...ofMembers, ...limits])
  const onlyByMembers = reached.length > 0 && reached.every((limit) => ofMembers.includes(limit))
  const [full] =
    reason === 'billed' && onlyByMembers ? await countOnce(tx, mail.jobId, [ofPayer(mail), ...limits]) : reached
  if (!full) return null
  return ofAddress.has(full.scope) ? 'address' : 'organization'
}

/** The counters of mails to one address. */
const ofAddress: ReadonlySet<MailScope> = new Set([
  'receiver',
  'newcomers_receiver',
  'address',
  'owed_address',
  'charge_address',
])

/** Returns the limit of `billed` mails to one payer that are sent although members used up their limits. */
function ofPayer({ organizationId, address }: CountedMail): MailLimit {
  return { scope: 'billed_payer', key: `${organizationId} ${hashOfAddress(address)}`, per: 'day', most: 1 }
}

/** Returns the counter of an address for this group of mails, which counts those that are `caused` or `asked` by themselves. */
function receiverOf({ organizationId, address, group, reason }: CountedMail): string {
  const apart = reason === 'asked' ? 'asked ' : reason === 'caused' || reason === 'billed' ? 'caused ' : ''
  return `${apart}${organizationId} ${group} ${hashOfAddress(address)}`
}

/**
 * Returns the daily limits for all mail of an organization: of the organization, of each of its owners (all
 * organizations of an owner together), and of the address for this group of mails. None for mail of the group `security`; for mail with the reason `asked` only that of the
 * address.
 */
function limitsOfAll(mail: CountedMail, owners: readonly number[], factor: number): MailLimit[] {
  const { organizationId, group, reason } = mail
  if (group === 'security') return []
  const { ofOrganization, toReceiver } = mostMails(factor)
  const receiver: MailLimit = {
    scope: 'receiver',
    key: receiverOf(mail),
    per: 'day',
    most: usableToReceiver(reason, toReceiver),
  }
  if (reason === 'asked') return [receiver]
  return [
    { scope: 'all_mail', key: String(organizationId), per: 'day', most: usableBy(reason, ofOrganization) },
    ...owners.map(
      (id): MailLimit => ({
        scope: 'all_mail_owner',
        key: String(id),
        per: 'day',
        most: usableBy(reason, ofOrganization),
      }),
    ),
    receiver,
  ]
}

/**
 * Returns the limits of a mail that a student or renter causes: of that member, of all of them in the organization, and of all
 * of them in the organizations of each owner; when that member is a newcomer, also those of newcomers. None for other mails.
 */
function limitsOfMembers(mail: CountedMail, owners: readonly number[], factor: number): MailLimit[] {
  const { organizationId, group, reason, byMember, byNewcomer } = mail
  if (group === 'security' || byMember === undefined || reason === 'owed' || reason === 'asked') return []
  const { ofOrganization, toReceiver } = mostMails(factor)
  const { ofMember, together, ofNewcomers } = mostByMembers(reason, ofOrganization, factor)
  const limits: MailLimit[] = [
    { scope: 'by_member', key: String(byMember), per: 'day', most: ofMember },
    { scope: 'by_members', key: String(organizationId), per: 'day', most: together },
    ...owners.map((id): MailLimit => ({ scope: 'by_members_owner', key: String(id), per: 'day', most: together })),
  ]
  if (!byNewcomer) return limits
  return [
    ...limits,
    { scope: 'newcomers', key: String(organizationId), per: 'day', most: ofNewcomers },
    ...owners.map((id): MailLimit => ({ scope: 'newcomers_owner', key: String(id), per: 'day', most: ofNewcomers })),
    {
      scope: 'newcomers_receiver',
      key: receiverOf(mail),
      per: 'day',
      most: usableByNewcomers(reason, toReceiver),
    },
  ]
}

const addressScopes = {
  owed: 'owed_address',
  caused: 'owed_address',
  billed: 'owed_address',
  charge: 'charge_address',
  usual: 'address',
} as const

/**
 * Returns the limit of a mailbox for mails with this reason, out of a limit of `most`: mails that are `caused` or `billed` share a
 * counter with invitations and first invoices, and leave one.
 */
function usableToAddress(reason: MailReason, most: number): number {
  return reason === 'caused' || reason === 'billed' ? usableBy(reason, most) : most
}

interface Senders {
  senders: Omit<MailLimit, 'per'>[]
  ownersVerified: boolean
}

const noSenders: Senders = { senders: [], ownersVerified: true }

/**
 * Returns the daily limits for mail to unconfirmed addresses: of the organization, and of each of its owners (all
 * organizations of an owner together). The limit of an owner is the highest limit of these organizations.
 * `ownersVerified`: whether one of the owners has a verified address; true for a demo organization.
 */
async function findSenders(tx: Tx, organizationId: number, factor: number): Promise<Senders> {
  const { rows } = await sql<{ ownerId: number | null; createdAt: Date; settings: unknown; verified: boolean }>`
    select null::int as "ownerId", created_at as "createdAt", settings, demo as verified
    from organization where id = ${organizationId}
    union all
    select m.account_id, o.created_at, o.settings, a.email_verified_at is not null from membership mine
    join account a on a.id = mine.account_id
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
  return { senders: [...most.values()], ownersVerified: rows.some(({ verified }) => verified) }
}
