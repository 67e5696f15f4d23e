import { createInvoice } from '../../billing/invoices/create-invoice.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { hundredths } from '../../platform/kernel/units.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { courseOf } from '../courses/course.access.ts'
import { assertHolds, holds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { lockEnrollment } from './enrollment.access.ts'
import { isFeeInvoiced } from './fee-invoice.queries.ts'

/** The smallest charge of the payment gateway, in cents. A smaller fee is not invoiced. */
const LEAST_CENTS = 50

/**
 * Invoices the fee that was stored at enrolment, once. Invoices that are void, failed or credited in full do not count. A member who may
 * also write courses, and so set the fee, cannot take it from an account: a ledger is debited immediately, and needs a second person.
 * Implements interface §Training: POST fee.
 */
export async function invoiceFee(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ invoiceIds: number[]; warnings: string[] }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  const { feeCents, feeLabel, membershipId } = enrollment
  if (feeCents == null || feeCents < LEAST_CENTS) throw trainingErrors.noFee()
  if (await isFeeInvoiced(tx.db, enrollment)) {
    throw platformErrors.feeInvoiced()
  }
  const { name } = await courseOf(tx, enrollment)
  const invoice = await createInvoice(tx, actor, {
    payer: { orgUserId: membershipId, guestId: null },
    lines: [
      {
        kind: 'enrollment_fee',
        description: feeLabel ?? `Enrollment fee: ${name}`,
        quantityHundredths: hundredths(100),
        unit: 'enrollment',
        unitPrice: feeCents,
        amountCents: feeCents,
      },
    ],
    memo: name,
    reservationId: null,
    enrollmentId: id,
    ledgerKind: 'invoice_charge',
  })
  const setsFee = !is(actor, admins) && (await holds(tx, actor, ['configureTraining']))
  if (invoice.settlement === 'ledger' && setsFee) throw trainingErrors.feeOnAccount()
  return { invoiceIds: [invoice.id], warnings: [] }
}
