import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { findOwner } from '../../platform/authz/actor.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import { inSavepoint } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import { AppError } from '../../platform/kernel/errors.ts'
import { findFlight, type ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { invoiceFlight } from './invoice-flight.ts'
import { invoiceSignedOff, invoiceWaited } from './invoices.jobs.ts'

const MINUTE_MS = 60_000

/** Enqueues the invoicing of flights that are signed off, when `autoInvoice` is `signed_off`. Implements interface §Invoices. */
export const autoInvoiceSubscription: Subscription = {
  kinds: ['reservation.signed_off'],
  async handle(tx, events) {
    for (const { organizationId, subjectId: reservationId } of events) {
      const owner = await findOwner(tx.db, organizationId)
      if (owner?.organization.settings.autoInvoice !== 'signed_off') continue
      const row = await findFlight(tx.db, organizationId, reservationId)
      if (!row?.signed_off_at) continue
      tx.enqueue(invoiceSignedOff, { organizationId, reservationId }, { availableAt: dueAt(row.signed_off_at, owner) })
    }
  },
}

/** Enqueues the invoicing of flights that waited for a payer who has now signed. Implements interface §Invoices. */
export const agreedSubscription: Subscription = {
  kinds: ['reservation.confirmed'],
  async handle(tx, events) {
    for (const { organizationId, subjectId: reservationId, after } of events) {
      if (after?.agrees) tx.enqueue(invoiceWaited, { organizationId, reservationId, agreed: true })
    }
  },
}

function dueAt(signedOffAt: Date, { organization: { settings } }: Actor): Date {
  return new Date(signedOffAt.getTime() + settings.autoInvoiceDelayMinutes * MINUTE_MS)
}

/**
 * Invoices a signed-off flight in the name of an owner. When that is refused, the reason is recorded and admins are notified. Does
 * nothing when the flight was reopened, was invoiced or must not be invoiced, or when the setting was switched off.
 * Implements interface §Invoices.
 */
export async function invoiceSignedOffFlight(
  tx: Tx,
  { organizationId, reservationId }: JobPayload<typeof invoiceSignedOff>,
): Promise<void> {
  const owner = await findOwner(tx.db, organizationId)
  if (owner?.organization.settings.autoInvoice !== 'signed_off') return
  const row = await findFlight(tx.db, organizationId, reservationId)
  if (!row || !isToInvoice(row) || dueAt(row.signed_off_at!, owner) > tx.now) return
  await invoiceOrRecord(tx, owner, { organizationId, reservationId })
}

/**
 * Invoices a flight in the name of an owner, 24 hours after its payers were notified of the charge, or after one of them agreed. Does
 * nothing when the wait has ended: a change of payers or figures cleared the signatures, or the flight was invoiced, even when the desk
 * voided that invoice.
 * Implements interface §Invoices.
 */
export async function invoiceWaitedFlight(
  tx: Tx,
  { agreed = false, ...flight }: JobPayload<typeof invoiceWaited>,
): Promise<void> {
  const owner = await findOwner(tx.db, flight.organizationId)
  const row = await findFlight(tx.db, flight.organizationId, flight.reservationId)
  if (!owner || !row?.signed_off_at || row.cancelled_at) return
  if (!agreed && row.notices.length === 0) return
  const heldUntil = await invoiceOrRecord(tx, owner, flight)
  if (heldUntil) tx.enqueue(invoiceWaited, flight, { availableAt: heldUntil })
}

/** Invoices a flight, or records why that is refused. Returns until when it waits for its payers; null when it does not wait. */
async function invoiceOrRecord(
  tx: Tx,
  owner: Actor,
  flight: { organizationId: number; reservationId: number },
): Promise<Date | null> {
  const { reservationId } = flight
  if (!owner.emailVerified) {
    recordNotInvoiced(tx, { ...flight, reason: billingErrors.ownersUnverified() })
    return null
  }
  try {
    const invoice = async () => ({ keep: true, result: await invoiceFlight(tx, owner, reservationId) })
    return (await inSavepoint(tx, invoice)).heldUntil
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error.code !== 'ALREADY_INVOICED') recordNotInvoiced(tx, { ...flight, reason: error.message })
    return null
  }
}

function isToInvoice({ signed_off_at, cancelled_at, collection_style, type, invoices }: ReservationRow): boolean {
  return (
    signed_off_at !== null &&
    cancelled_at === null &&
    collection_style !== 'prepaid_fixed' &&
    typeRules[type].pays !== null &&
    !invoices.some(({ stands }) => stands)
  )
}

/** Emits the event that a flight could not be invoiced: admins are notified, and the flight stays on their to-do list. */
export function recordNotInvoiced(
  tx: Tx,
  { organizationId, reservationId, reason }: { organizationId: number; reservationId: number; reason: string },
): void {
  const subject = { kind: 'reservation', id: reservationId } as const
  emit(tx, { organizationId, orgUserId: null }, { kind: 'reservation.invoice_failed', subject, reason })
}
