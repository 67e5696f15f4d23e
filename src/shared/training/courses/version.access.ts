import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { SyllabusVersion } from '../courses.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { type VersionTrigger, versionTransitions } from './version.states.ts'

/**
 * Returns a version and locks its row until the commit, so that it cannot be edited while it is published. What this transaction has changed of
 * it is stored before it is read again.
 */
export async function lockVersion(tx: Tx, actor: Actor, id: number, trigger: VersionTrigger): Promise<SyllabusVersion> {
  await assertHolds(tx, actor, ['configureTraining'])
  await tx.em.flush()
  const version = await tx.em.findOne(
    SyllabusVersion,
    { id, organizationId: actor.organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!version) throw trainingErrors.noSuchVersion()
  assertTransition(versionTransitions, version.state, trigger)
  return version
}

/**
 * Returns the version on which a student enrolls. Its row has a shared lock until the commit, so that it cannot be
 * retired meanwhile.
 */
export async function lockNamedVersion(tx: Tx, { organizationId }: Actor, id: number): Promise<SyllabusVersion> {
  const version = await tx.em.findOne(
    SyllabusVersion,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_READ, refresh: true },
  )
  if (!version) throw trainingErrors.unknownVersion({ field: 'versionId' })
  return version
}

/** Returns the version to copy, which can belong to any course of the organization; null for a null id. */
export async function findVersionToCopy(
  tx: Tx,
  { organizationId }: Actor,
  id: number | null,
): Promise<SyllabusVersion | null> {
  if (id === null) return null
  const version = await tx.em.findOne(SyllabusVersion, { id, organizationId })
  if (!version) throw trainingErrors.unknownVersion({ field: 'copyFromVersionId' })
  return version
}
