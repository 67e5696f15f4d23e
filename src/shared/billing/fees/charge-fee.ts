import { findOwner } from '../../platform/authz/actor.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import { inSavepoint } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/kernel/errors.ts'
import { hundredths } from '../../platform/kernel/units.ts'
import { lockEntity } from '../../scheduling/reservations/reservation.access.ts'
import { findFlight, type ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { titleFor } from '../flight-bill/flight-charge.ts'
import { createInvoice } from '../invoices/create-invoice.ts'
import { decided, type LockedFee, lockFee, postponeFee } from './fee.access.ts'
import type { chargeFee } from './fees.jobs.ts'

/**
 * Charges a locked fee: by an invoice, or on the ledger of a ledger-mode payer. The invoice has no booking, so that the booking can be
 * restored, flown and billed.
 * @throws the refusals of an invoice, such as of a payer without an address
 */
export async function chargeLocked(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  fee: LockedFee,
  reason: string | null,
): Promise<void> {
  const invoice = await createInvoice(tx, actor, {
    payer: fee.share,
    lines: [
      {
        kind: 'cancellation_fee',
        description: billingErrors.feeLine({ booking: titleFor(row, fee.share) }),
        quantityHundredths: hundredths(100),
        unit: 'cancellation',
        unitPrice: fee.cents,
        amountCents: fee.cents,
      },
    ],
    memo: null,
    reservationId: null,
    locationId: row.location?.id ?? row.resource?.locationId ?? null,
    ledgerKind: 'invoice_charge',
  })
  await decided(tx, actor, fee, { status: 'charged', reason, invoiceId: invoice.id })
}

/**
 * Charges a fee whose time for review is over, in the name of an owner. One that cannot be charged is left to the desk, with the reason.
 * One of 0 cents ends. Does nothing when it was decided, objected to or dropped.
 * Implements interface §Cancellation fees.
 */
export async function chargeWhenDue(
  tx: Tx,
  { organizationId, reservationId, feeId }: JobPayload<typeof chargeFee>,
): Promise<void> {
  await lockEntity(tx, { organizationId }, reservationId)
  const fee = await lockFee(tx, { organizationId }, { reservationId, feeId })
  if (fee?.status !== 'proposed' || fee.chargeAt === null || fee.chargeAt > tx.now) return
  const owner = await findOwner(tx.db, organizationId)
  const row = await findFlight(tx.db, organizationId, reservationId)
  if (!owner || !row) return
  if (fee.cents === 0) return decided(tx, owner, fee, { status: 'waived', reason: null, invoiceId: null })
  try {
    await inSavepoint(tx, async () => ({ keep: true, result: await chargeLocked(tx, owner, row, fee, null) }))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await postponeFee(tx, { organizationId }, fee, error.message)
  }
}
