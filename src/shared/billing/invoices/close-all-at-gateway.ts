import type { Tx } from '../../platform/db/transaction.ts'
import { closeLeftAtGateway } from './invoices.jobs.ts'
import { findLeftAtGateway, type LeftAtGateway } from './left-at-gateway.queries.ts'

/** How many one job ends. */
const AT_ONCE = 50
/** A raising that is under way has ended by then; until it has, nobody was given the address to pay at. */
const RAISED_BY_MINUTES = 15

/**
 * Owes that everything an organization has at the processor is ended there, so that nobody pays a school that is gone. To
 * be asked before its rows go: the jobs carry what they need.
 */
export async function closeAllAtGateway(tx: Tx, organizationId: number): Promise<void> {
  const left = await findLeftAtGateway(tx.db, organizationId)
  const later = new Date(tx.now.getTime() + RAISED_BY_MINUTES * 60_000)
  owe(tx, left, tx.now)
  owe(
    tx,
    left.filter(({ raising }) => raising),
    later,
  )
}

function owe(tx: Tx, left: readonly LeftAtGateway[], availableAt: Date): void {
  for (let from = 0; from < left.length; from += AT_ONCE) {
    const invoices = left
      .slice(from, from + AT_ONCE)
      .map(({ raising: _, createdAt, ...one }) => ({ ...one, createdAt: createdAt.toISOString() }))
    tx.enqueue(closeLeftAtGateway, { invoices }, { availableAt })
  }
}
