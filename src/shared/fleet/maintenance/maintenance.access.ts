import { LockMode, raw } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { hundredths } from '../../platform/kernel/units.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { MaintenanceItem, Resource, Squawk } from '../fleet.tables.ts'
import { zoneOfResource } from '../resources/resource.queries.ts'
import { isDeferralOver } from './deferral.rules.ts'
import { dueOf, findMaintenanceItem } from './maintenance-item.queries.ts'
import type { Limit, MeterReadings } from './maintenance-item.rules.ts'

/*
 * Every change that may affect a hold locks the resource before it writes a row that refers to it. The foreign key
 * takes a weaker lock, and two transactions that both hold the weaker one would deadlock.
 */

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** Returns, locked, the resource that a body names. */
export async function assertHasResource(tx: Tx, actor: Actor, id: number): Promise<Resource> {
  const resource = await lockResourceIfAny(tx, actor.organizationId, id)
  if (!resource) throw fleetErrors.unknownResource({ field: 'resource.id' })
  return resource
}

/** Returns the squawk to change, locked. */
export async function lockSquawk(tx: Tx, actor: Actor, id: number): Promise<Squawk> {
  const squawk = await tx.em.findOne(Squawk, { id, organizationId: actor.organizationId }, locked)
  if (!squawk) throw fleetErrors.noSuchSquawk()
  return squawk
}

/** A maintenance item to change and its resource, both locked, with the item's limits and the resource's zone. */
export interface LockedMaintenanceItem {
  item: MaintenanceItem
  resource: Resource
  limits: readonly Limit[]
  zone: string
}

/** Returns the maintenance item to change and its resource, both locked. */
export async function lockMaintenanceItem(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
): Promise<LockedMaintenanceItem> {
  const resourceOfItem = raw<number>(
    '(select resource_id from maintenance_item where organization_id = ? and id = ?)',
    [organizationId, id],
  )
  const resource = await lockResourceIfAny(tx, organizationId, resourceOfItem)
  const item = resource && (await tx.em.findOne(MaintenanceItem, { id, organizationId }, locked))
  if (!item) throw fleetErrors.noSuchMaintenanceItem()
  const row = await findMaintenanceItem(tx.db, organizationId, id)
  return { item, resource, limits: dueOf(row).limits, zone: row.zone }
}

/** Ensures that the severity of a squawk fits the kind of resource: a room cannot be grounded. */
export function assertSeverityFits(kind: string, severity: string): void {
  if (kind === 'room' && severity === 'grounding') throw fleetErrors.roomSeverity()
}

/** Ensures that the booking that a body names is a booking of the resource. */
export async function assertIsBookingOf(
  tx: Tx,
  resource: Pick<Resource, 'id' | 'organizationId'>,
  reservationId: number,
): Promise<void> {
  const booking = await tx.db
    .selectFrom('reservation')
    .select('resource_id')
    .where('organization_id', '=', resource.organizationId)
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!booking) throw fleetErrors.unknownBooking({ field: 'reservationId' })
  if (booking.resource_id !== resource.id) throw fleetErrors.bookingOfOther()
}

/** Returns the maintenance items of a resource, for a change. The caller holds the resource's lock. */
export function loadMaintenanceItems(tx: Tx, { id, organizationId }: Resource): Promise<MaintenanceItem[]> {
  return tx.em.find(MaintenanceItem, { organizationId, resourceId: id })
}

/**
 * Ends the deferrals of a resource whose last day is past. Returns the squawks whose deferrals this call ended. The
 * caller holds the resource's lock.
 */
export async function endPastDeferrals(tx: Tx, resource: Resource): Promise<Squawk[]> {
  const today = localDate(tx.now, await zoneOfResource(tx.db, resource))
  return endDeferrals(tx, resource, ({ deferredUntil }) => isDeferralOver(deferredUntil, today))
}

/**
 * Ends the deferrals of a resource for which `ends` returns true. Returns the squawks whose deferrals this call ended.
 * The caller holds the resource's lock.
 */
export async function endDeferrals(tx: Tx, resource: Resource, ends: (squawk: Squawk) => boolean): Promise<Squawk[]> {
  const { organizationId, id: resourceId } = resource
  const deferred = await tx.em.find(
    Squawk,
    { organizationId, resourceId, status: 'deferred', deferralEnded: false },
    { orderBy: { id: 'asc' } },
  )
  const ended = deferred.filter(ends)
  for (const squawk of ended) squawk.deferralEnded = true
  return ended
}

/** Returns the present meters of a resource. */
export function metersOf({ hobbsHundredths, tachHundredths, landings }: Resource): MeterReadings {
  return { hobbs: hobbsHundredths ?? null, tach: tachHundredths ?? null, landings: hundredths(landings * 100) }
}

/** Returns a resource, locked, by its id; null when it is deleted. The id may be a subquery. */
export function lockResourceIfAny(tx: Tx, organizationId: number, id: number): Promise<Resource | null> {
  return tx.em.findOne(Resource, { id, organizationId }, locked)
}
