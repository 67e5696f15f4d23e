import { momentInWords } from '../../communication/notifications/templates/when.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, cents, minus, ZERO } from '../../platform/kernel/units.ts'
import { mayBeCharging } from '../autopay/autopay.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { accountPaysFrom } from '../flight-bill/taking.rules.ts'
import { assertIsUnpaid, lockInvoice, remainderTooSmall } from '../invoices/invoice.access.ts'
import { findNotifiedAt } from '../invoices/invoice.queries.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { consentsToLedger } from '../invoices/payer.queries.ts'
import type { Invoice } from '../invoices.tables.ts'
import {
  actsAsCashier,
  assertIsNotOwnInvoice,
  assertWithinCashierLimit,
  isOwnInvoice,
} from '../ledger/cashier.access.ts'
import { lockAvailable } from '../ledger/ledger.access.ts'
import { addFromLedger } from './add-from-ledger.ts'
import { numberBeforeAccount } from './add-ledger-payment.ts'
import { figuresByWay } from './payment.access.ts'
import { ledgerProblem } from './payment.rules.ts'

/**
 * Pays an unpaid invoice from the ledger of its payer, in full or in part: at most what is due and what the ledger can pay. The payer pays
 * at once. Others pay at once what the payer signed for or bought, and admins what they did not raise and have no part in; anything else 24 hours after
 * the payer was asked to pay it, and not while the mail about it is given up. Locks the invoice, then the account.
 * A cashier pays within the limit of a cashier, but own invoices from the own ledger as every payer does.
 * Implements interface §Invoices: POST payments.
 */
export async function payFromLedger(
  tx: Tx,
  actor: Actor,
  id: number,
  amountCents: Cents,
): Promise<{ id: number; raisedAgain: boolean }> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice || !mayPayFromLedger(actor, invoice)) throw billingErrors.noSuchInvoice()
  assertIsUnpaid(invoice)
  if (invoice.membershipId !== actor.orgUserId) await assertMayTake(tx, actor, invoice)
  await assertPayerAgrees(tx, actor, invoice)
  if (await mayBeCharging(tx, invoice)) throw billingErrors.cardUnderWay()
  await numberBeforeAccount(tx, invoice)
  await tx.em.flush()
  const { organizationId, membershipId } = invoice
  // A guest has no account.
  const availableCents = membershipId == null ? ZERO : await lockAvailable(tx, organizationId, membershipId, id)
  assertCanPay(invoice, amountCents, availableCents)
  if (membershipId !== actor.orgUserId) {
    await assertWithinCashierLimit(tx, actor, { orgUserId: membershipId ?? null, guestId: null }, amountCents)
  }
  return { id, raisedAgain: await addFromLedger(tx, actor, invoice, amountCents) }
}

/** Returns whether the actor may pay an invoice from the ledger of its payer: the payer, admins and cashiers may. */
function mayPayFromLedger(actor: Actor, invoice: Invoice): boolean {
  return invoice.membershipId === actor.orgUserId || is(actor, admins) || actsAsCashier(actor)
}

/**
 * Checks that somebody else than the payer may pay an invoice from the payer's ledger: a bill-to payer has to have consented, and a
 * cashier may not gain by it.
 */
async function assertMayTake(tx: Tx, actor: Actor, invoice: Invoice): Promise<void> {
  await assertIsNotOwnInvoice(tx, actor, invoice)
  if (invoice.billedForId != null && !(await consentsToLedger(tx.db, invoice)))
    throw billingErrors.billToWithoutLedger()
}

async function assertPayerAgrees(tx: Tx, actor: Actor, invoice: Invoice): Promise<void> {
  const isOther = is(actor, admins) && invoice.raisedBy !== actor.orgUserId && !(await isOwnInvoice(tx, actor, invoice))
  const from = accountPaysFrom(
    {
      byPayer: invoice.membershipId === actor.orgUserId,
      byOtherAdmin: isOther,
      ledgerFrom: invoice.ledgerFrom ?? null,
      notifiedAt: await findNotifiedAt(tx.db, invoice),
    },
    tx.now,
  )
  if (from <= tx.now) return
  const moment = momentInWords(from, actor.organization.timeZoneName)
  throw billingErrors.paymentWaits({ moment }, { from: from.toISOString() })
}

function assertCanPay(invoice: Invoice, amountCents: Cents, availableCents: Cents): void {
  const figures = figuresByWay(invoice)
  const due = balanceOf(figures)
  const problem = ledgerProblem(figures, amountCents, availableCents)
  if (problem === 'exceeds_due') throw billingErrors.paymentExceedsDue({ due })
  if (problem === 'leaves_too_little') throw remainderTooSmall(minus(due, amountCents))
  if (problem === null) return
  const left = cents(Math.max(0, availableCents))
  throw billingErrors.paymentExceedsBalance({ available: left }, { availableCents: left })
}
