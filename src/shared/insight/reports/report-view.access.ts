import { LockMode } from '@mikro-orm/core'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { insightErrors } from '../insight.errors.ts'
import { ReportView } from '../insight.tables.ts'

/**
 * Returns a saved view to change, locked until the commit. Its author may change it, and admins may when it is shared.
 */
export async function lockOwnView(tx: Tx, actor: Actor, id: number): Promise<ReportView> {
  const { organizationId, orgUserId } = actor
  const view = await tx.em.findOne(
    ReportView,
    { id, organizationId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  if (!view || (!view.shared && view.membershipId !== orgUserId)) throw insightErrors.noSuchView()
  if (view.membershipId !== orgUserId && !is(actor, admins)) {
    throw insightErrors.viewOfOthers()
  }
  return view
}
