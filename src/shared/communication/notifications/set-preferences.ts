import { assertHasLocations } from '../../identity/locations/location.access.ts'
import { findMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { findPreferences } from './notification.queries.ts'
import type { Channels, NotificationKind } from './notification-kinds.rules.ts'
import { defaultChannels, oversightTurnedOff } from './preferences.rules.ts'

/** A change of one kind's channels; an absent channel stays. */
export interface PreferenceChange extends Partial<Channels> {
  kind: NotificationKind
}

/**
 * Changes the actor's notification channels. Writes only the given channels, so that concurrent changes of different
 * channels are both kept. Of two changes of the same channel, the later one wins. Turning off a kind by which staff
 * oversee others emits an event for the audit log.
 * Implements interface §Notifications (preferences).
 */
export async function setPreferences(
  tx: Tx,
  actor: Pick<Actor, 'organizationId' | 'orgUserId'>,
  changes: readonly PreferenceChange[],
): Promise<void> {
  const before = new Map((await findPreferences(tx.db, actor)).map((preference) => [preference.kind, preference]))
  for (const { kind, inApp, push, email } of changes) {
    const stored = before.get(kind)
    const channels = stored ? oversightTurnedOff(stored, { inApp, push, email }) : []
    if (channels.length > 0) {
      const subject = { kind: 'member', id: actor.orgUserId } as const
      emit(tx, actor, { kind: 'notifications.turned_off', subject, after: { kind, channels } })
    }
    const defaults = defaultChannels[kind]
    await tx.db
      .insertInto('notification_preference')
      .values({
        organization_id: actor.organizationId,
        membership_id: actor.orgUserId,
        kind,
        in_app: inApp ?? defaults.inApp,
        push: push ?? defaults.push,
        email: email ?? defaults.email,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'membership_id', 'kind']).doUpdateSet((stored) => ({
          in_app: inApp ?? stored.ref('notification_preference.in_app'),
          push: push ?? stored.ref('notification_preference.push'),
          email: email ?? stored.ref('notification_preference.email'),
        })),
      )
      .execute()
  }
}

/**
 * Sets the locations about whose groundings, returns to service, squawks and cancellations the actor is notified as
 * staff; an empty list: all locations.
 * Implements interface §Dispatch.
 */
export async function setNotifiedLocations(
  tx: Tx,
  actor: Pick<Actor, 'organizationId' | 'orgUserId'>,
  locationIds: readonly number[],
): Promise<void> {
  await assertHasLocations(tx, actor, locationIds)
  const member = await findMember(tx, actor.organizationId, { id: actor.orgUserId })
  member.notifiedLocationIds = [...locationIds]
}
