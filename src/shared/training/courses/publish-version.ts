import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { assertTransition } from '../assert-transition.ts'
import { lockVersion } from './lock-version.ts'
import { SyllabusLesson } from './syllabus.entity.ts'
import { versionTransitions } from './version.states.ts'

/**
 * Publishes a draft with what the authority approved; from then on the database itself refuses to change it.
 * @throws Forbidden without the grant; NotFound; Conflict when it is published already; Invalid without a lesson.
 */
export async function publishVersion(
  tx: Tx,
  actor: Actor,
  id: number,
  approval: { approvedAt: Date | null; approvalReference: string | null },
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, id, 'publish')
  const lessons = await tx.em.count(SyllabusLesson, { organizationId: actor.organizationId, versionId: id })
  if (lessons === 0) throw new Invalid('The version has no lessons: add one before publishing it.')
  tx.em.assign(version, {
    state: assertTransition(versionTransitions, version.state, 'publish'),
    publishedAt: tx.now,
    publishedBy: actor.orgUserId,
    ...approval,
  })
  return { id }
}

/**
 * Closes a published version to new students, who are in finish; or opens it again.
 * @throws Forbidden without the grant; NotFound; Conflict for a draft.
 */
export async function retireVersion(tx: Tx, actor: Actor, id: number, retired: boolean): Promise<{ id: number }> {
  const trigger = retired ? 'retire' : 'unretire'
  const version = await lockVersion(tx, actor, id, trigger)
  version.state = assertTransition(versionTransitions, version.state, trigger)
  return { id }
}
