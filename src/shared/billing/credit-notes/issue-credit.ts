import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, sum } from '../../platform/kernel/units.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { lockInvoice, remainderTooSmall } from '../invoices/invoice.access.ts'
import { findItems, hasRefundUnderWay } from '../invoices/invoice.queries.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import type { Invoice } from '../invoices.tables.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { assertIsUnused } from '../packages/package.access.ts'
import {
  type Credit,
  type CreditedItem,
  creditLines,
  decideCredit,
  type LineCredit,
  type RefundWay,
} from './credit.rules.ts'
import { creditableOf } from './credit-note.access.ts'
import { findCredits } from './credit-note.queries.ts'
import { startRefund } from './give-back.ts'
import { followCredit, writeCredit } from './write-credit.ts'

/** The input of a credit: amounts of lines of the invoice, or one amount for the invoice as a whole; in positive cents. */
export interface CreditInput {
  items?: readonly LineCredit[] | undefined
  amountCents?: Cents | undefined
  reason: string
  refund: RefundWay
  /** Whether the amounts of lines are exact: an amount without tax then does not mean the whole line. */
  exact?: boolean
}

/**
 * Credits an invoice and refunds the money that was paid beyond the amount then due; above `settings.refundApprovalCents`, the refund
 * waits for a second admin. An unpaid invoice that is credited in full becomes void, so that its flight can be billed again. Jobs update
 * the payment gateway: an unpaid invoice is replaced there by an invoice of the rest, and a refund goes to the card that paid.
 * Implements interface §Invoices: POST credits.
 */
export async function issueCredit(
  tx: Tx,
  actor: Actor,
  id: number,
  input: CreditInput,
): Promise<{ id: number; number: number }> {
  const { organizationId, orgUserId } = actor
  const { refund, reason } = input
  const invoice = await lockInvoice(tx, organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  if (!invoice.number || invoice.status === 'void' || invoice.status === 'failed') {
    throw billingErrors.notCreditable({ status: invoice.status })
  }
  if (refund === 'processor' && (await hasRefundUnderWay(tx.db, invoice))) throw billingErrors.refundUnderWay()
  if (refund !== 'none' && invoice.refundWaitingAt) throw billingErrors.refundUnderWay()
  const items = input.items ? await assertHasLines(tx, invoice, input) : []
  const amountCents = input.amountCents ?? sum(items.map((item) => item.amountCents))
  await assertIsUnused(tx, invoice, amountCents)
  const credit = assertCredits(invoice, { amountCents, refund })
  const note = await writeCredit(tx, invoice, {
    items,
    amountCents,
    reason,
    refund,
    refundStatus: refund === 'none' ? 'none' : 'waiting',
    refundCents: credit.refundCents,
    createdBy: orgUserId,
  })
  const noRefund = { own: invoice.membershipId === orgUserId, ownPayment: false }
  const { own, ownPayment } = refund === 'none' ? noRefund : await startRefund(tx, actor, invoice, note)
  if (invoice.status !== 'paid') followCredit(tx, invoice)
  const reissued = invoice.status === 'pending' || invoice.status === 'open'
  if (own || ownPayment) {
    await notifyOwnersOfOwnMoney(tx, actor, {
      what: own ? 'credit' : 'refund',
      amountCents: own ? amountCents : credit.refundCents,
      currency: invoice.currency,
    })
  }
  emit(tx, actor, {
    kind: 'invoice.credited',
    subject: { kind: 'invoice', id },
    after: { number: note.number, amountCents, refund, refundCents: credit.refundCents, own, ownPayment, reissued },
    reason,
  })
  return { id: note.id, number: note.number }
}

/** Returns the decision about the credit of a locked invoice; throws when the credit is refused. */
function assertCredits(invoice: Invoice, request: { amountCents: Cents; refund: RefundWay }): Credit {
  const creditable = creditableOf(invoice)
  const credit = decideCredit(creditable, request)
  if (credit === 'exceeds') {
    throw billingErrors.creditExceeds({ left: creditable.totalCents - creditable.creditedCents })
  }
  if (credit === 'nothing_to_refund') throw billingErrors.nothingToRefund()
  if (credit === 'other_way') throw billingErrors.paidAnotherWay()
  const due = balanceOf(credit.figures)
  if (invoice.status !== 'paid' && due > 0 && due < LEAST_SHARE_CENTS) {
    throw remainderTooSmall(due)
  }
  return credit
}

async function assertHasLines(
  tx: Tx,
  invoice: Invoice,
  { items: asked = [], exact = false }: CreditInput,
): Promise<CreditedItem[]> {
  const lines = await findItems(tx.db, invoice)
  const before = await findCredits(tx.db, invoice.organizationId, invoice.id)
  const { items, problems } = creditLines(
    lines,
    before.flatMap((note) => note.items),
    asked,
    { exact },
  )
  if (problems.length > 0) throw invalidFields(problems)
  return items
}
