import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type { NotificationKind } from '../../../shared/communication/notifications/notification-kinds.rules.ts'
import type { Message } from '../../../shared/communication/notifications/templates/message.rules.ts'
import { findMembersWithRole } from '../../../shared/identity/members/org-user.queries.ts'
import type { Role } from '../../../shared/platform/authz/roles.ts'
import type { Database } from '../../../shared/platform/db/database.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import type { Clock } from '../../../shared/platform/kernel/clock.ts'
import { NotFound } from '../../../shared/platform/kernel/errors.ts'

/** The sources that a notification definition reads. */
export interface NotificationSources {
  database: Database
  clock: Clock
}

/** The message of a domain event, and its audience. */
export interface Notification {
  message: Message
  audience(): Promise<Audience>
  /**
   * Records who is notified, and returns those who were not notified before. Without it everyone in the audience is
   * notified.
   */
  claim?(tx: Tx, orgUserIds: readonly number[]): Promise<readonly number[]>
  /** The member who made the record. When nobody caused the event, as for a reminder, its mails count for that member. */
  madeBy?: number | undefined
  /** When its mails and pushes go out; at once when absent. */
  notBefore?: Date
}

/** Returns the notification of one kind for a domain event; null when it no longer applies. */
export type NotificationDefinition = (sources: NotificationSources, event: DomainEvent) => Promise<Notification | null>

/** The definition of every kind. */
export type NotificationDefinitions = Readonly<Record<NotificationKind, NotificationDefinition>>

/**
 * Defines a notification. `load` returns the current record, or null when the notification no longer applies.
 * `audience` and `say` return its audience and its message. `claim` returns those members who were not notified before.
 * `madeBy` returns the member who made the record. `notBefore` returns when its mails and pushes go out.
 */
export function defineNotification<Subject>(
  load: (sources: NotificationSources, event: DomainEvent) => Promise<Subject | null>,
  audience: (subject: Subject, sources: NotificationSources, event: DomainEvent) => Promise<Audience> | Audience,
  say: (subject: Subject) => Message,
  claim?: (subject: Subject, tx: Tx, event: DomainEvent, orgUserIds: readonly number[]) => Promise<number[]>,
  madeBy?: (subject: Subject) => number | undefined,
  notBefore?: (subject: Subject, now: Date) => Date,
): NotificationDefinition {
  return async (sources, event) => {
    const subject = await load(sources, event)
    if (subject === null) return null
    return {
      message: say(subject),
      audience: async () => audience(subject, sources, event),
      ...(madeBy && { madeBy: madeBy(subject) }),
      ...(notBefore && { notBefore: notBefore(subject, sources.clock()) }),
      ...(claim && { claim: (tx: Tx, orgUserIds: readonly number[]) => claim(subject, tx, event, orgUserIds) }),
    }
  }
}

/** Returns an audience of members. */
export function members(orgUserIds: readonly number[]): Audience {
  return { orgUserIds, guestIds: [] }
}

/**
 * Returns the orgUserIds of all members with one of the roles. With a location, leaves out members who chose to be
 * notified only about other locations.
 */
export function withRole(
  { database }: NotificationSources,
  organizationId: number,
  roles: readonly Role[],
  locationId?: number | null,
): Promise<number[]> {
  return findMembersWithRole(database.db, organizationId, roles, locationId)
}

/** Returns a function that returns all members with one of the roles, as the audience. */
export function everyone(roles: readonly Role[]) {
  return async (_subject: unknown, sources: NotificationSources, { organizationId }: DomainEvent): Promise<Audience> =>
    members(await withRole(sources, organizationId, roles))
}

/**
 * Returns the record; null when the lookup throws NotFound, because the record can be deleted before the notification
 * is sent.
 */
export function nullIfNotFound<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })
}
