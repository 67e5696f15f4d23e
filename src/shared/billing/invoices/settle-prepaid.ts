import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden, Invalid } from '../../platform/kernel/errors.ts'
import { lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import type { InvoiceOfReservation, ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { lockUnpaid } from './find-for-action.ts'
import { issueAtGateway } from './invoices.jobs.ts'
import { markPaid } from './mark-paid.ts'
import { raisePrepaid } from './raise-prepaid.ts'
import { lockInvoice } from './sync-from-gateway.ts'

/** Which booking, and the invoice of its package. */
export interface PrepaidInvoice {
  id: number
  invoiceId: number
}

/**
 * Sees to it that the package of a prepaid booking is charged: raised when no invoice stands, tried once more while
 * the processor does not have it.
 * @throws Forbidden for who may not, and for demo organizations; Invalid when the booking is billed after the flight.
 */
export async function ensurePrepaid(tx: Tx, actor: Actor, id: number): Promise<PrepaidInvoice> {
  const { row, standing } = await lockPrepaid(tx, actor, id)
  if (actor.organization.demo) throw new Forbidden('A demo organization does not charge packages.')
  if (!standing) return { id, ...(await raisePrepaid(tx, actor, row.id)) }
  const { organizationId } = actor
  const invoice = await lockInvoice(tx, organizationId, standing.id)
  if (invoice?.status === 'pending') {
    tx.enqueue(issueAtGateway, { organizationId, invoiceId: invoice.id, revision: invoice.revision ?? 0 })
  }
  return { id, invoiceId: standing.id }
}

/**
 * Notes that the package of a prepaid booking was paid by cash or check; its invoice is written when none stands.
 * @throws Forbidden for who may not; Invalid when the booking is billed after the flight or the package is paid.
 */
export async function recordPrepaidOffline(
  tx: Tx,
  actor: Actor,
  id: number,
  method: 'cash' | 'check',
): Promise<PrepaidInvoice> {
  const { row, standing } = await lockPrepaid(tx, actor, id)
  if (!standing) return { id, ...(await raisePrepaid(tx, actor, row.id, method)) }
  if (standing.status === 'paid') throw new Invalid('The package is paid already.')
  await markPaid(tx, actor, await lockUnpaid(tx, actor, standing.id), method)
  return { id, invoiceId: standing.id }
}

/** A prepaid booking for those who handle its money: desk staff, its instructor, and who booked it. */
async function lockPrepaid(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ row: ReservationRow; standing: InvoiceOfReservation | undefined }> {
  const row = await lockReservation(tx, actor, id)
  const teaches = row.seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === actor.orgUserId)
  if (!is(actor, deskStaff) && !teaches && row.created_by !== actor.orgUserId) {
    throw new Forbidden('Only desk staff, the instructor of the booking and who made it handle its package.')
  }
  if (row.collection_style !== 'prepaid_fixed') throw new Invalid('The booking is billed after the flight.')
  if (row.cancelled_at) throw new Invalid('The booking is cancelled.')
  return { row, standing: row.invoices.find((invoice) => invoice.status !== 'void') }
}
