import type { Db } from '../../platform/db/database.ts'
import type { NotificationKind } from './kinds.ts'
import { type Channels, defaultChannels } from './preferences.rules.ts'

/** A member, the channels they want, and the devices that a push reaches. */
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
 * members and deleted accounts. Mail goes only to verified addresses: otherwise an account with a stranger's address
 * could flood their inbox.
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
        .on('p.kind', '=', event.kind),
    )
    .select(['m.id', 'm.account_id', 'a.email_verified_at', 'p.in_app', 'p.push', 'p.email'])
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
