import { type Channels, type NotificationKind, notificationKinds, ruleOf } from './notification-kinds.rules.ts'

export interface Preference extends Channels {
  kind: NotificationKind
}

/** The default channels of each kind. */
export const defaultChannels = Object.fromEntries(
  notificationKinds.map((kind) => [kind, ruleOf(kind).channels]),
) as Readonly<Record<NotificationKind, Channels>>

/** Returns the channels that a change turns off, for a kind by which staff oversee others; none for another kind. */
export function oversightTurnedOff({ kind, ...before }: Preference, change: Partial<Channels>): (keyof Channels)[] {
  if (!ruleOf(kind).oversight) return []
  return (['inApp', 'push', 'email'] as const).filter((way) => before[way] && change[way] === false)
}

/** Returns the kind whose preferences apply to a kind. */
export function preferredAs(kind: NotificationKind): NotificationKind {
  return ruleOf(kind).preferredAs ?? kind
}

/** The kinds that have preferences of their own. */
export const preferredKinds = notificationKinds.filter((kind) => preferredAs(kind) === kind)

/**
 * Returns one preference for each kind that has its own preferences: the stored one, or the default.
 * Implements interface §Notifications (preferences).
 */
export function preferencesOf(stored: readonly Preference[]): Preference[] {
  const byKind = new Map(stored.map((row) => [row.kind, row]))
  return preferredKinds.map((kind) => byKind.get(kind) ?? { kind, ...defaultChannels[kind] })
}
