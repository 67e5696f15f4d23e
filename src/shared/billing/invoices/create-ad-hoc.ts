import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import { actsAsCashier, assertIsNotOwnMoney } from '../ledger/cashier.access.ts'
import { createInvoice } from './create-invoice.ts'
import { guestToBill, memberToBill } from './invoice.access.ts'
import { type ItemInput, linesOf } from './items.rules.ts'

/** The payer: a member, an existing guest, or a new guest. In one organization, the same email means the same guest. */
export type AdHocPayer =
  | { orgUserId: number }
  | { guestId: number }
  | { guest: { name: string; email: string; phone: string | null } }

export interface AdHocInvoice {
  payer: AdHocPayer
  items: readonly ItemInput[]
  memo: string | null
  /** The due date. Absent: the organization's default number of days from now; null: no due date. */
  dueAt?: Date | null
}

/**
 * Raises an invoice for something other than a flight. A ledger-mode member is charged on the ledger. A cashier writes
 * lines above 0 only, and none to themself.
 * Implements interface §Invoices and the desk grants of the interface.
 */
export async function createAdHocInvoice(
  tx: Tx,
  actor: Actor,
  { payer, items, ...terms }: AdHocInvoice,
): Promise<{ invoiceIds: number[]; warnings: string[] }> {
  const { lines, problems } = linesOf(items)
  if (actsAsCashier(actor)) {
    for (const [index, { amountCents }] of lines.entries()) {
      const field = `items.${index}.unitPrice`
      if (amountCents <= 0) problems.push({ field, message: billingErrors.cashierLine({ field }) })
    }
  }
  if (problems.length > 0) {
    throw invalidFields(problems)
  }
  if ('orgUserId' in payer) await assertIsNotOwnMoney(tx, actor, [payer.orgUserId])
  const invoice = await createInvoice(tx, actor, {
    ...terms,
    payer: await payerOf(tx, actor.organizationId, payer),
    direct: true,
    lines,
    reservationId: null,
    ledgerKind: 'invoice_charge',
  })
  return { invoiceIds: [invoice.id], warnings: [] }
}

async function payerOf(tx: Tx, organizationId: number, payer: AdHocPayer): Promise<PayerId> {
  if ('guest' in payer) return { orgUserId: null, guestId: await findOrAddGuest(tx, organizationId, payer.guest) }
  if ('guestId' in payer) return guestToBill(tx, organizationId, payer.guestId)
  return memberToBill(tx, organizationId, payer.orgUserId)
}
