import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { Package, type packageUnits } from '../packages.tables.ts'
import { assertHasResources, lockPackage } from './package.access.ts'

export interface NewPackage {
  name: string
  /** The price with taxes. */
  priceCents: Cents
  unit: (typeof packageUnits)[number]
  /** The granted quantity, in `unit`: cents of credit, or tenths of an hour. */
  grantQuantity: number
  resourceIds: number[]
  lineKinds: string[]
  expiresAfterDays: number | null
  active: boolean
}

export type PackageChanges = { [Field in keyof NewPackage]?: NewPackage[Field] | undefined }

/**
 * Adds a package that the organization sells.
 * Implements interface §Invoices: POST /packages.
 */
export async function createPackage(tx: Tx, actor: Actor, input: NewPackage): Promise<{ id: number }> {
  const { organizationId } = actor
  await assertHasResources(tx, actor, input.resourceIds)
  const made = tx.em.create(Package, { ...input, organizationId })
  await tx.em.flush()
  emit(tx, actor, { kind: 'package.changed', subject: { kind: 'package', id: made.id }, after: factsOf(made) })
  return { id: made.id }
}

/**
 * Changes the given fields of a package. Earlier purchases keep their terms.
 * Implements interface §Invoices: PATCH /packages/{id}.
 */
export async function changePackage(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: PackageChanges,
): Promise<{ id: number }> {
  const found = await lockPackage(tx, actor, id)
  await assertHasResources(tx, actor, changes.resourceIds ?? [])
  const before = factsOf(found)
  tx.em.assign(found, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  emit(tx, actor, { kind: 'package.changed', subject: { kind: 'package', id }, before, after: factsOf(found) })
  return { id }
}

function factsOf({ name, priceCents, unit, grantQuantity, expiresAfterDays = null, active }: Package) {
  return { name, priceCents, unit, grantQuantity, expiresAfterDays, active }
}
