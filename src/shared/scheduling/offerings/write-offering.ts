import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { Offering } from '../booking-requests.tables.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { lockOffering } from './offering.access.ts'
import { findLocationsOf, findOffering } from './offering.queries.ts'
import { hoursProblem, type OfferedHours, type Pricing, pricingProblem } from './offering.rules.ts'
import { replaceInstructors, replaceResources } from './replace-crew.ts'

export interface NewOffering extends Pricing, OfferedHours {
  name: string
  description: string | null
  /** In minutes, from 15 to 1440. */
  durationMinutes: number
  resourceIds: readonly number[]
  /** Empty: any instructor. */
  instructorOrgUserIds: readonly number[]
  active: boolean
}

export type OfferingChanges = { [Field in keyof NewOffering]?: NewOffering[Field] | undefined }

/** Adds an offering. */
export async function createOffering(tx: Tx, actor: Actor, input: NewOffering): Promise<{ id: number }> {
  const { organizationId } = actor
  const { resourceIds, instructorOrgUserIds, ...own } = input
  assertIsSound(own)
  const offering = tx.em.create(Offering, { ...own, organizationId })
  await tx.em.flush()
  await replaceResources(tx, organizationId, offering.id, resourceIds)
  if (own.daylight) await assertHasSun(tx, organizationId, resourceIds)
  await replaceInstructors(tx, organizationId, offering.id, instructorOrgUserIds)
  return { id: offering.id }
}

/**
 * Changes the given fields; `resourceIds` and `instructorOrgUserIds` replace the whole list. Existing requests keep
 * their time and price.
 */
export async function updateOffering(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: OfferingChanges,
): Promise<{ id: number }> {
  const offering = await lockOffering(tx, actor, id)
  const { resourceIds, instructorOrgUserIds, ...own } = changes
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  // Writes `updatedAt` also when only the aircraft or instructors change.
  tx.em.assign(offering, { ...given, updatedAt: tx.now })
  assertIsSound({
    collectionStyle: offering.collectionStyle,
    priceCents: offering.priceCents ?? null,
    earliestMinute: offering.earliestMinute ?? null,
    latestMinute: offering.latestMinute ?? null,
  })
  await tx.em.flush()
  if (resourceIds) await replaceResources(tx, actor.organizationId, id, resourceIds)
  if (offering.daylight && (changes.daylight || resourceIds)) {
    const { resource_ids: aircraft } = await findOffering(tx.db, actor.organizationId, id)
    await assertHasSun(tx, actor.organizationId, aircraft ?? [])
  }
  if (instructorOrgUserIds) await replaceInstructors(tx, actor.organizationId, id, instructorOrgUserIds)
  return { id }
}

/** Deletes an offering; its requests stay. */
export async function deleteOffering(tx: Tx, actor: Actor, id: number): Promise<void> {
  tx.em.remove(await lockOffering(tx, actor, id))
}

function assertIsSound(offering: Pricing & Omit<OfferedHours, 'daylight'>): void {
  const problem = pricingProblem(offering) ?? hoursProblem(offering)
  if (problem) throw new Invalid(problem)
}

/** Checks that the sun is known at the location of every aircraft of an offering by daylight. */
async function assertHasSun(tx: Tx, organizationId: number, resourceIds: readonly number[]): Promise<void> {
  const locations = await findLocationsOf(tx.db, organizationId, resourceIds)
  const names = locations.filter(({ coordinates }) => coordinates === null).map(({ name }) => name)
  if (names.length > 0) throw schedulingErrors.daylightUnknown({ names: names.join(', ') })
}
