import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  endorsedAsChanged,
  type ResourceTemplateData,
  resourceGrounded,
  resourceReturned,
} from '../../../shared/communication/notifications/templates/resource.rules.ts'
import { namesOf } from '../../../shared/fleet/resources/model-names.rules.ts'
import { findBookedMembers, findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  nullIfNotFound,
  withRole,
} from '../../communication/notifications/define-notification.ts'

/** Returns a resource that is still grounded, by a person or by a system hold; null otherwise. */
const grounded = (sources: NotificationSources, event: DomainEvent) => load(sources, event, true)

/** Returns a resource that is still in service; null otherwise. */
const inService = (sources: NotificationSources, event: DomainEvent) => load(sources, event, false)

/** Returns a resource with what names its make and model in endorsements; null when it was deleted. */
async function anyResource({ database }: NotificationSources, { organizationId, subjectId }: DomainEvent) {
  const row = await nullIfNotFound(findResource(database.db, organizationId, subjectId))
  if (!row) return null
  const endorsedAs = namesOf({ ...row, endorsedAs: row.endorsed_as }, row.unlike)
  return { id: row.id, name: row.name, groundedReason: null, endorsedAs }
}

/**
 * Returns desk staff of the resource's location, and the members on the resource's bookings that end after the event.
 */
async function deskAndBooked(
  { id, locationId }: ResourceTemplateData & { locationId: number },
  sources: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<Audience> {
  const booked = await findBookedMembers(sources.database.db, organizationId, id, new Date(happenedAt))
  return members([...(await withRole(sources, organizationId, deskStaff, locationId)), ...booked])
}

async function load(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  wanted: boolean,
): Promise<(ResourceTemplateData & { locationId: number }) | null> {
  const row = await nullIfNotFound(findResource(database.db, organizationId, subjectId))
  if (!row) return null
  const isGrounded = row.grounded_by_person || row.system_hold_reason !== null
  if (isGrounded !== wanted) return null
  return {
    id: row.id,
    locationId: row.location_id,
    name: row.name,
    groundedReason: row.grounded_by_person ? row.grounded_reason : row.system_hold_reason,
  }
}

/** The notifications of resources, by their kind. */
export const resourceNotifications = {
  resource_grounded: defineNotification(grounded, deskAndBooked, resourceGrounded),
  resource_returned: defineNotification(inService, deskAndBooked, resourceReturned),
  endorsed_as_changed: defineNotification(anyResource, everyone(['instructor']), endorsedAsChanged),
} satisfies Partial<NotificationDefinitions>
