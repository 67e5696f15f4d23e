import type { Tx } from '../../platform/db/transaction.ts'
import { closeLeftAtGateway } from './invoices.jobs.ts'
import { findLeftAtGateway, type LeftAtGateway } from './left-at-gateway.queries.ts'

/** The number of invoices per job. */
const AT_ONCE = 50
/** The minutes after which an issue job that is running now has ended. Until then, nobody has the pay link of its invoice. */
const RAISED_BY_MINUTES = 15

/**
 * Enqueues jobs that close all invoices of a deleted organization at the payment gateway, so that nobody can pay them
 * any more. Call it before the rows are deleted: the jobs carry all data they need.
 */
export async function closeAllAtGateway(tx: Tx, organizationId: number): Promise<void> {
  const left = await findLeftAtGateway(tx.db, organizationId)
  const later = new Date(tx.now.getTime() + RAISED_BY_MINUTES * 60_000)
  enqueueClosures(tx, left, tx.now)
  enqueueClosures(
    tx,
    left.filter(({ raising }) => raising),
    later,
  )
}

function enqueueClosures(tx: Tx, left: readonly LeftAtGateway[], availableAt: Date): void {
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const invoices = left
      .slice(from, from + AT_ONCE)
      .map(({ raising: _, createdAt, ...one }) => ({ ...one, createdAt: createdAt.toISOString() }))
    tx.enqueue(closeLeftAtGateway, { invoices }, { availableAt })
  }
}
