import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { hasLesson } from './syllabus.queries.ts'
import { lockVersion } from './version.access.ts'
import { versionTransitions } from './version.states.ts'

/** What a version is published with: its approval, and the days after graduation in which its graduates may take the test. */
interface VersionTerms {
  approvedAt: Date | null
  approvalReference: string | null
  graduationWithinDays?: number | undefined
}

/**
 * Publishes a draft and stores its Part 141 approval, if it has one. Then the database refuses changes of the syllabus.
 * Implements interface §Syllabus version: POST publish.
 */
export async function publishVersion(
  tx: Tx,
  actor: Actor,
  id: number,
  { graduationWithinDays, ...approval }: VersionTerms,
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, id, 'publish')
  const lessons = await hasLesson(tx.db, { organizationId: actor.organizationId, versionId: id })
  if (!lessons) throw trainingErrors.versionEmpty()
  tx.em.assign(version, {
    state: assertTransition(versionTransitions, version.state, 'publish'),
    publishedAt: tx.now,
    publishedBy: actor.orgUserId,
    ...approval,
    graduationWithinDays: graduationWithinDays ?? version.graduationWithinDays,
  })
  return { id }
}

/** Sets in how many days after graduation the graduates of a draft may take the test. */
export async function setGraduationWithinDays(tx: Tx, actor: Actor, id: number, days: number): Promise<void> {
  const version = await lockVersion(tx, actor, id, 'edit')
  version.graduationWithinDays = days
}

/**
 * Closes a published version to new enrollments, or opens it again. Enrolled students stay on it.
 * Implements interface §Syllabus version: POST retire.
 */
export async function retireVersion(tx: Tx, actor: Actor, id: number, retired: boolean): Promise<{ id: number }> {
  const trigger = retired ? 'retire' : 'unretire'
  const version = await lockVersion(tx, actor, id, trigger)
  version.state = assertTransition(versionTransitions, version.state, trigger)
  return { id }
}
