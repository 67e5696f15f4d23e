import type { Db } from '../../platform/db/database.ts'
import type { NotificationKind } from './notification-kinds.types.ts'
import { type Channels, defaultChannels, preferredAs } from './preferences.rules.ts'

/** A member, their channels, and the devices that a push reaches. */
export interface Recipient extends Channels {
  orgUserId: number
  devices: Device[]
}

/** A device, and its token at the push service. */
export interface Device {
  id: number
  token: string
}

/**
 * Returns which of the given members get a notification of this kind. It leaves out the member who caused it, former
 * and managed members and deleted accounts. Mail goes only to verified addresses, because anyone can create an account
 * with another person's address.
 */
export async function findRecipients(
  db: Db,
  event: { organizationId: number; kind: NotificationKind; causedBy: number | null },
  orgUserIds: readonly number[],
): Promise<Recipient[]> {
  if (orgUserIds.length === 0) return []
  const members = await db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .leftJoin('notification_preference as p', (join) =>
      join
        .onRef('p.organization_id', '=', 'm.organization_id')
        .onRef('p.membership_id', '=', 'm.id')
        .on('p.kind', '=', preferredAs(event.kind)),
    )
    .select(['m.id', 'a.id as account_id', 'a.email_verified_at', 'p.in_app', 'p.push', 'p.email'])
    .where('m.organization_id', '=', event.organizationId)
    .where('m.id', 'in', [...orgUserIds])
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .$if(event.causedBy !== null, (query) => query.where('m.id', '!=', event.causedBy ?? 0))
    .orderBy('m.id')
    .execute()
  const devices = await findDevices(
    db,
    members.map((member) => member.account_id),
  )
  const devicesOf = Map.groupBy(devices, (device) => device.account_id)
  const defaults = defaultChannels[event.kind]
  return members.map((member) => ({
    orgUserId: member.id,
    inApp: member.in_app ?? defaults.inApp,
    push: member.push ?? defaults.push,
    email: (member.email ?? defaults.email) && member.email_verified_at !== null,
    devices: (devicesOf.get(member.account_id) ?? []).map(({ id, token }) => ({ id, token })),
  }))
}

async function findDevices(db: Db, accountIds: number[]) {
  if (accountIds.length === 0) return []
  return db
    .selectFrom('push_device')
    .select(['id', 'token', 'account_id'])
    .where('account_id', 'in', accountIds)
    .orderBy('id')
    .execute()
}

/** The recipient of a mailed notification, and the organization that sends it. */
export interface MailReader {
  name: string
  address: string
  organization: string
  /** True for a member, false for a guest. */
  member: boolean
}

/** Returns a member to mail; null when the account is deleted. */
export async function findMemberToMail(db: Db, organizationId: number, orgUserId: number): Promise<MailReader | null> {
  const row = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('organization', 'organization.id', 'membership.organization_id')
    .select(['account.name', 'account.email as address', 'organization.name as organization'])
    .where('membership.organization_id', '=', organizationId)
    .where('membership.id', '=', orgUserId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? { ...row, member: true } : null
}

/** Returns a guest to mail; null when the guest has no address. */
export async function findGuestToMail(db: Db, organizationId: number, guestId: number): Promise<MailReader | null> {
  const row = await db
    .selectFrom('guest')
    .innerJoin('organization', 'organization.id', 'guest.organization_id')
    .select(['guest.name', 'guest.email as address', 'organization.name as organization'])
    .where('guest.organization_id', '=', organizationId)
    .where('guest.id', '=', guestId)
    .executeTakeFirst()
  return row?.address ? { ...row, address: row.address, member: false } : null
}
