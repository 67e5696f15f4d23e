import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  deferralEnded,
  type MaintenanceItemTemplateData,
  maintenanceDue,
  type SquawkTemplateData,
  squawkOpened,
} from '../../../shared/communication/notifications/templates/maintenance.rules.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { dueOf, findMaintenanceItem, metersOfRow } from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { firstDue, maintenanceStatus } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { findSquawk, type SquawkRow } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  nullIfNotFound,
  withRole,
} from '../../communication/notifications/define-notification.ts'

/** A squawk with the location of its resource. */
type SquawkOfLocation = SquawkTemplateData & { locationId: number }

/** Returns a squawk that is still open; null otherwise. */
function openSquawk(sources: NotificationSources, event: DomainEvent): Promise<SquawkOfLocation | null> {
  return loadSquawk(sources, event, ({ status }) => status === 'open')
}

/**
 * Returns the members who maintain the fleet and the dispatchers of the squawk's location, as the audience. Leaves out
 * dispatchers who chose to be notified only about other locations.
 */
async function maintainersAndDispatchers(
  { locationId }: SquawkOfLocation,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  const maintaining = await withRole(sources, organizationId, maintainers)
  const dispatching = await withRole(sources, organizationId, ['dispatcher'], locationId)
  return members([...new Set([...maintaining, ...dispatching])])
}

/** Returns a squawk whose deferral has ended and that was not resolved or deferred again afterwards; null otherwise. */
function endedDeferral(sources: NotificationSources, event: DomainEvent): Promise<SquawkTemplateData | null> {
  return loadSquawk(sources, event, ({ status, deferral_ended }) => status === 'deferred' && deferral_ended)
}

async function loadSquawk(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  applies: (squawk: SquawkRow) => boolean,
): Promise<SquawkOfLocation | null> {
  const row = await nullIfNotFound(findSquawk(database.db, organizationId, subjectId))
  if (!row || !applies(row)) return null
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    locationId: row.location_id,
    title: row.title,
    description: row.description,
    grounding: row.severity === 'grounding',
    reporter: row.reporter_name,
  }
}

/** Returns a maintenance item that is still due soon or overdue; null otherwise. */
async function dueMaintenanceItem(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<MaintenanceItemTemplateData | null> {
  const row = await nullIfNotFound(findMaintenanceItem(database.db, organizationId, subjectId))
  if (!row) return null
  const at = { now: clock(), meters: metersOfRow(row) }
  const status = maintenanceStatus(dueOf(row), at)
  if (status !== 'due_soon' && status !== 'overdue') return null
  const { basis, dueAt, due } = firstDue(dueOf(row), at)
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    name: row.name,
    overdue: status === 'overdue',
    grounding: row.grounding,
    scope: row.scope,
    basis,
    dueAt,
    due,
    zone: row.zone,
  }
}

/** The notifications of maintenance, by their kind. */
export const maintenanceNotifications = {
  squawk_opened: defineNotification(openSquawk, maintainersAndDispatchers, squawkOpened),
  deferral_ended: defineNotification(endedDeferral, everyone(maintainers), deferralEnded),
  maintenance_due: defineNotification(dueMaintenanceItem, everyone(maintainers), maintenanceDue),
} satisfies Partial<NotificationDefinitions>
