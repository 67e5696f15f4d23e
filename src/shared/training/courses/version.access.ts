import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { assertTransition } from '../assert-transition.ts'
import { mustHold } from '../grants/policy.ts'
import { SyllabusVersion } from './syllabus.entity.ts'
import { type VersionTrigger, versionTransitions } from './version.states.ts'

/**
 * Loads a version to edit or publish and locks its row, so that no edit runs while it is published.
 * @throws Forbidden when the actor does not hold `configureTraining`
 * @throws NotFound when there is no such version
 * @throws Conflict VERSION_NOT_DRAFT or VERSION_IS_DRAFT when its state does not allow the trigger
 */
export async function lockVersion(tx: Tx, actor: Actor, id: number, trigger: VersionTrigger): Promise<SyllabusVersion> {
  await mustHold(tx, actor, ['configureTraining'])
  const version = await tx.em.findOne(
    SyllabusVersion,
    { id, organizationId: actor.organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!version) throw new NotFound('There is no such version.')
  assertTransition(versionTransitions, version.state, trigger)
  return version
}
