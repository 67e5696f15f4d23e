import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { assertTransition } from '../assert-transition.ts'
import { mustHold } from '../grants/policy.ts'
import { SyllabusVersion } from './syllabus.entity.ts'
import { type VersionTrigger, versionTransitions } from './version.states.ts'

/**
 * The version to configure, locked, so that nothing is edited while it is being published.
 * @throws Forbidden without the grant; NotFound; Conflict when its state does not allow it.
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
