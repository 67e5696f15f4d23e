import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { Offering } from './offering.entity.ts'
import { type Pricing, pricingProblem } from './offering.rules.ts'
import { putInstructors, putResources } from './put-crew.ts'

export interface NewOffering extends Pricing {
  name: string
  description: string | null
  /** From 15 to 1440. */
  durationMinutes: number
  resourceIds: readonly number[]
  /** Empty: any instructor. */
  instructorOrgUserIds: readonly number[]
  active: boolean
}

export type OfferingChanges = { [Field in keyof NewOffering]?: NewOffering[Field] | undefined }

/**
 * Adds what the public can ask for.
 * @throws Invalid naming the field: an aircraft or instructor that is none of the organization's, a package without price.
 */
export async function createOffering(tx: Tx, actor: Actor, input: NewOffering): Promise<{ id: number }> {
  const { organizationId } = actor
  const { resourceIds, instructorOrgUserIds, ...own } = input
  mustBePriced(own)
  const offering = tx.em.create(Offering, { ...own, organizationId })
  await tx.em.flush()
  await putResources(tx, organizationId, offering.id, resourceIds)
  await putInstructors(tx, organizationId, offering.id, instructorOrgUserIds)
  return { id: offering.id }
}

/**
 * Changes what is given; aircraft and instructors replace the whole list. Requests that are under way keep the time and
 * the price that they were made for.
 * @throws NotFound; Invalid as for a new one.
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
  tx.em.assign(offering, { ...given, updatedAt: tx.now })
  mustBePriced({ collectionStyle: offering.collectionStyle, priceCents: offering.priceCents ?? null })
  await tx.em.flush()
  if (resourceIds) await putResources(tx, actor.organizationId, id, resourceIds)
  if (instructorOrgUserIds) await putInstructors(tx, actor.organizationId, id, instructorOrgUserIds)
  return { id }
}

/** Takes an offering away; requests for it stay with the desk. @throws NotFound */
export async function deleteOffering(tx: Tx, actor: Actor, id: number): Promise<void> {
  tx.em.remove(await lockOffering(tx, actor, id))
}

async function lockOffering(tx: Tx, { organizationId }: Actor, id: number): Promise<Offering> {
  const offering = await tx.em.findOne(Offering, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!offering) throw new NotFound()
  return offering
}

function mustBePriced(pricing: Pricing): void {
  const problem = pricingProblem(pricing)
  if (problem) throw new Invalid(problem)
}
