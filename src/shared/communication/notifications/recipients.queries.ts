import { sql } from 'kysely'
import { hasRole, staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Channels, NotificationKind } from './notification-kinds.rules.ts'
import { defaultChannels, preferredAs } from './preferences.rules.ts'
import { newcomersSince } from './unproven-mail.rules.ts'

/** A member, the channels of the notification for the member, and the member's devices. */
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
 * The notifications that are mailed to managed members as to guests: about money that they owe or get back, and about
 * figures that were confirmed in their name. Managed members get no other notifications.
 */
const mailedToManaged: ReadonlySet<NotificationKind> = new Set([
  'invoice_raised',
  'invoice_changed',
  'invoice_reminder',
  'invoice_credited',
  'payment_returned',
  'paid_from_ledger',
  'ledger_pays',
  'confirmed_on_behalf',
])

/** A kind of notification in an organization, and the member who caused it. */
interface Event {
  organizationId: number
  kind: NotificationKind
  causedBy: number | null
}

/**
 * Selects the given members who get a notification of this kind, with what their channels depend on. Leaves out the
 * member who caused it, former members, deleted accounts, and, except for the kinds in `mailedToManaged`, managed members.
 */
function selectMembers(db: Db, { organizationId, kind, causedBy }: Event, orgUserIds: readonly number[]) {
  return db
    .selectFrom('membership as m')
    .leftJoin('account as a', 'a.id', 'm.account_id')
    .leftJoin('notification_preference as p', (join) =>
      join
        .onRef('p.organization_id', '=', 'm.organization_id')
        .onRef('p.membership_id', '=', 'm.id')
        .on('p.kind', '=', preferredAs(kind)),
    )
    .select(['m.id', 'm.account_id', 'm.search_email', 'a.email_verified_at', 'p.in_app', 'p.push', 'p.email'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', 'in', [...orgUserIds])
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .$if(!mailedToManaged.has(kind), (query) => query.where('m.account_id', 'is not', null))
    .$if(causedBy !== null, (query) => query.where('m.id', '!=', causedBy ?? 0))
}

type Member = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

/**
 * Returns the channels of a notification for a member. An account gets mail only at a verified address, because anyone can
 * create an account with another person's address.
 */
function channelsOf(kind: NotificationKind, member: Member): Channels {
  const defaults = defaultChannels[kind]
  const email = member.email ?? defaults.email
  if (member.account_id === null) return { inApp: false, push: false, email: email && member.search_email !== '' }
  return {
    inApp: member.in_app ?? defaults.inApp,
    push: member.push ?? defaults.push,
    email: email && member.email_verified_at !== null,
  }
}

/** Returns the given members who get a notification of this kind, with their channels and devices (`selectMembers`). */
export async function findRecipients(db: Db, event: Event, orgUserIds: readonly number[]): Promise<Recipient[]> {
  if (orgUserIds.length === 0) return []
  const members = await selectMembers(db, event, orgUserIds).orderBy('m.id').execute()
  const devices = await findDevices(
    db,
    members.flatMap((member) => member.account_id ?? []),
  )
  const devicesOf = Map.groupBy(devices, (device) => device.account_id)
  return members.map((member) => ({
    orgUserId: member.id,
    ...channelsOf(event.kind, member),
    devices: (devicesOf.get(member.account_id ?? 0) ?? []).map(({ id, token }) => ({ id, token })),
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

/**
 * Returns whether a member is a student or renter without another role. Anybody becomes a student of a public organization by
 * joining it.
 */
export async function isOfStudentsOrRenters(db: Db, organizationId: number, orgUserId: number): Promise<boolean> {
  const flags = await db
    .selectFrom('membership')
    .select([...staff, 'technician'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  return flags === undefined || !hasRole(flags, [...staff, 'technician'])
}

/**
 * Returns whether a student or renter is a newcomer: nobody of the staff invited or approved the member, who has joined within
 * a week or has not flown an aircraft of the organization.
 */
export async function isNewcomer(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from membership m
    where m.organization_id = ${organizationId} and m.id = ${orgUserId} and (
      exists (select 1 from invitation i where i.organization_id = m.organization_id and i.membership_id = m.id
        and i.accepted_at is not null)
      or exists (select 1 from join_request j where j.organization_id = m.organization_id
        and j.account_id = m.account_id and j.status = 'approved' and j.decided_by is not null)
      or (m.created_at <= ${newcomersSince(now)} and exists (select 1 from seat s
        join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
        where s.organization_id = m.organization_id and s.membership_id = m.id
          and r.ramped_in_at is not null and r.resource_id is not null)))`.execute(db)
  return rows.length === 0
}

/** The recipient of a mailed notification, and the organization that sends it. */
export interface MailReader {
  name: string
  address: string
  organization: string
  /** `customer`: a managed member who is billed. Customers have no preferences, like guests. */
  as: 'member' | 'customer' | 'guest'
}

/** Returns a member to mail; null when the member gets no mail of this kind, or has no address. */
export async function findMemberToMail(
  db: Db,
  event: Pick<Event, 'organizationId' | 'kind'>,
  orgUserId: number,
): Promise<MailReader | null> {
  const member = await selectMembers(db, { ...event, causedBy: null }, [orgUserId])
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.search_name as name', 'o.name as organization'])
    .executeTakeFirst()
  if (!member?.search_email || !channelsOf(event.kind, member).email) return null
  const { name, search_email: address, organization, account_id: accountId } = member
  return { name, address, organization, as: accountId === null ? 'customer' : 'member' }
}

/** Returns a guest to mail; null when the guest has no address or does not exist. */
export async function findGuestToMail(db: Db, organizationId: number, guestId: number): Promise<MailReader | null> {
  const row = await db
    .selectFrom('guest')
    .innerJoin('organization', 'organization.id', 'guest.organization_id')
    .select(['guest.name', 'guest.email as address', 'organization.name as organization'])
    .where('guest.organization_id', '=', organizationId)
    .where('guest.id', '=', guestId)
    .executeTakeFirst()
  return row?.address ? { ...row, address: row.address, as: 'guest' } : null
}
