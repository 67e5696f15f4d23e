import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, staff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { InvoiceOfReservation } from '../../scheduling/reservations/booking-parts.types.ts'
import { lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../../scheduling/scheduling.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { createPackageInvoice } from './create-prepaid.ts'
import { lockInvoice, lockUnpaid } from './invoice.access.ts'
import { issueAtGateway } from './invoices.jobs.ts'
import { markPaid } from './mark-paid.ts'

/** The ids of a booking and of its package invoice. */
export interface PrepaidInvoice {
  id: number
  invoiceId: number
}

/**
 * Ensures that the package of a prepaid booking is charged: raises an invoice when there is no standing one, and enqueues
 * another issue job while the gateway has not accepted it.
 * Implements interface §Reservations, POST prepaid/ensure.
 */
export async function ensurePrepaid(tx: Tx, actor: Actor, id: number): Promise<PrepaidInvoice> {
  const { row, standing } = await lockPrepaid(tx, actor, id)
  if (actor.organization.demo) throw billingErrors.noPackagesInDemo()
  if (!standing) return { id, ...(await createPackageInvoice(tx, actor, row)) }
  const { organizationId } = actor
  const invoice = await lockInvoice(tx, organizationId, standing.id)
  if (invoice?.status === 'pending') {
    tx.enqueue(issueAtGateway, { organizationId, invoiceId: invoice.id, revision: invoice.revision ?? 0 })
  }
  return { id, invoiceId: standing.id }
}

/**
 * Marks the package of a prepaid booking as paid by cash or check, and writes its invoice when there is no standing one.
 * Implements interface §Reservations, POST prepaid/record-offline.
 */
export async function recordPrepaidOffline(
  tx: Tx,
  actor: Actor,
  id: number,
  method: 'cash' | 'check',
): Promise<PrepaidInvoice> {
  const { row, standing } = await lockPrepaid(tx, actor, id)
  if (!is(actor, staff)) throw billingErrors.offlineForStaff()
  if (!standing) return { id, ...(await createPackageInvoice(tx, actor, row, method)) }
  if (standing.status === 'paid') throw billingErrors.packagePaid()
  await markPaid(tx, actor, await lockUnpaid(tx, actor, standing.id), { method })
  return { id, invoiceId: standing.id }
}

/**
 * Returns the locked booking and its standing invoice for those who may handle the package: desk staff, the booking's
 * instructor and its creator.
 */
async function lockPrepaid(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ row: ReservationRow; standing: InvoiceOfReservation | undefined }> {
  const row = await lockReservation(tx, actor, id)
  const teaches = row.seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === actor.orgUserId)
  if (!is(actor, deskStaff) && !teaches && row.created_by !== actor.orgUserId) {
    throw billingErrors.packageForStaff()
  }
  if (row.collection_style !== 'prepaid_fixed') throw billingErrors.billedAfterFlight()
  if (row.cancelled_at) throw schedulingErrors.bookingCancelled()
  return { row, standing: row.invoices.find(({ stands }) => stands) }
}
