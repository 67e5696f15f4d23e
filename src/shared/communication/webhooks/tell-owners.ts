import type { Tx } from '../../platform/db/transaction.ts'
import type { StoredEvent } from '../../platform/events/event.table.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import { findOwners, findUrlsMadeBy } from './recipients.queries.ts'
import { webhooksLeftMail } from './webhooks.jobs.ts'

/**
 * Mails the owners which endpoints a member made who was removed, or is neither owner nor admin any more: those endpoints
 * go on, and their receiver may be that member's.
 */
export const webhookMakersSubscription: Subscription = {
  kinds: ['member.removed', 'member.roles_changed'],
  tell: tellOwners,
}

async function tellOwners(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  for (const { organizationId, subjectId: madeBy, after } of events) {
    if (leads(after?.roles)) continue
    if ((await findUrlsMadeBy(tx.db, { organizationId, madeBy })).length === 0) continue
    for (const orgUserId of await findOwners(tx.db, organizationId)) {
      tx.enqueue(webhooksLeftMail, { organizationId, madeBy, orgUserId })
    }
  }
}

function leads(roles: unknown): boolean {
  return Array.isArray(roles) && (roles.includes('owner') || roles.includes('admin'))
}
