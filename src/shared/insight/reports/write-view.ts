import { lockMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { insightErrors } from '../insight.errors.ts'
import { type ReportKey, ReportView, type ViewParameters } from '../insight.tables.ts'
import { lockOwnView } from './report-view.access.ts'
import { countViewsOf } from './report-view.queries.ts'

/** The most views that a member can save. */
const MOST_VIEWS = 100

interface NewView {
  name: string
  report: ReportKey
  parameters: ViewParameters
  shared: boolean
}

/** Saves a view of a report for the actor. Implements interface §Reports (saved views). */
export async function createView(tx: Tx, actor: Actor, input: NewView): Promise<{ id: number }> {
  const { organizationId, orgUserId } = actor
  await lockMember(tx, actor)
  if ((await countViewsOf(tx.db, actor)) >= MOST_VIEWS) {
    throw insightErrors.tooManyViews({ limit: MOST_VIEWS })
  }
  const view = tx.em.create(ReportView, { ...input, organizationId, membershipId: orgUserId })
  await tx.em.flush()
  return { id: view.id }
}

/**
 * Changes the given fields of a saved view; `parameters` replaces all parameters. Implements interface §Reports (saved
 * views).
 */
export async function updateView(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: { [Key in keyof NewView]?: NewView[Key] | undefined },
): Promise<{ id: number }> {
  const view = await lockOwnView(tx, actor, id)
  view.name = changes.name ?? view.name
  view.report = changes.report ?? view.report
  view.parameters = changes.parameters ?? view.parameters
  view.shared = changes.shared ?? view.shared
  return { id }
}

/** Deletes a saved view. Implements interface §Reports (saved views). */
export async function deleteView(tx: Tx, actor: Actor, id: number): Promise<void> {
  tx.em.remove(await lockOwnView(tx, actor, id))
}
