import { multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { BillProblem } from '../flight-bill/flight-bill.types.ts'
import type { settlements } from '../invoices/invoice.states.ts'
import { type InvoiceFigures, owedBackOf } from '../invoices/invoice-figures.rules.ts'
import { type FiguresByWay, leftAtGateway, leftByHand, leftOffline } from '../payments/payment.rules.ts'

/** The ways of a refund. `processor`: to the card, through the payment gateway. `ledger`: to the payer's account. `offline`: by hand. */
export const givenBackBy = ['processor', 'ledger', 'offline'] as const
export type GivenBackBy = (typeof givenBackBy)[number]
/** The ways in which a credit refunds money. `none`: no refund; the money stays the payer's credit. */
export const refundWays = [...givenBackBy, 'none'] as const
export type RefundWay = (typeof refundWays)[number]

/**
 * `none`: nothing is refunded. `waiting`: a second admin must approve the refund. `pending`: a job makes the refund through the
 * payment gateway.
 */
export const refundStatuses = ['none', 'waiting', 'pending', 'succeeded', 'failed'] as const

type Settlement = (typeof settlements)[number]

/** The facts of an invoice that the credit rules need. */
export interface Creditable extends FiguresByWay {
  settlement: Settlement
  /** Whether the payer is a guest, who has no account with the school. */
  isGuest: boolean
}

/**
 * Returns the amount that can still be refunded in one way, in cents. Money that came through the payment gateway goes back to the
 * card. Other money goes back by hand or to the payer's account; what came from the account goes back only to the account.
 */
function leftBy(invoice: Creditable, way: GivenBackBy): Cents {
  if (way === 'processor') return leftAtGateway(invoice)
  if (way === 'ledger' && invoice.isGuest) return ZERO
  if (way === 'ledger') return leftOffline(invoice)
  return invoice.settlement === 'ledger' ? ZERO : leftByHand(invoice)
}

/** A requested credit, in positive cents. */
export interface CreditRequest {
  amountCents: Cents
  refund: RefundWay
}

/** The figures of the invoice after a credit, and the amount that is refunded now, in cents. */
export interface Credit {
  figures: InvoiceFigures
  refundCents: Cents
}

export type CreditProblem = 'exceeds' | 'nothing_to_refund' | 'other_way'

/**
 * Decides on a credit. The credit first reduces the amount due. Only money that was paid beyond the amount then due is refunded: at
 * most the credit, and in the way in which the money came. Implements interface §Invoices.
 */
export function decideCredit(invoice: Creditable, { amountCents, refund }: CreditRequest): Credit | CreditProblem {
  const { totalCents, amountPaidCents, refundedCents } = invoice
  const creditedCents = plus(invoice.creditedCents, amountCents)
  if (creditedCents > totalCents) return 'exceeds'
  const figures = { totalCents, creditedCents, amountPaidCents, refundedCents }
  if (refund === 'none') return { figures, refundCents: ZERO }
  const refundCents = decideRefundOf({ ...invoice, creditedCents }, { amountCents, refund })
  if (typeof refundCents === 'string') return refundCents
  return { figures: { ...figures, refundedCents: plus(refundedCents, refundCents) }, refundCents }
}

/**
 * Returns how much of a credit is refunded now, in cents, or why nothing is. `invoice.creditedCents` already includes the credit. The
 * refund is the money that was paid beyond the amount due: at most the credit, and in the way in which the money came.
 * Implements interface §Invoices.
 */
export function decideRefundOf(
  invoice: Creditable,
  { amountCents, refund }: { amountCents: Cents; refund: GivenBackBy },
): Cents | Exclude<CreditProblem, 'exceeds'> {
  const left = leftBy(invoice, refund)
  if (left <= 0 && leftByAnyWay(invoice) > 0) return 'other_way'
  const refundCents = cents(Math.min(owedBackOf(invoice), amountCents, left))
  return refundCents <= 0 ? 'nothing_to_refund' : refundCents
}

/** A refund that an admin requested and that no second admin has approved or declined, in cents. */
export interface UnapprovedRefund {
  refundCents: Cents
  onInvoice: boolean
  /** Whether it was requested on the present local day. */
  today: boolean
}

/**
 * Returns whether a refund must wait for a second admin; false without a limit. The limit applies to the sum of the refunds that one
 * admin makes alone, of one invoice or to one payer on one local day, so that it cannot be avoided by several small refunds. `before`:
 * the earlier refunds that the admin made alone, of this invoice or to this payer. Implements interface §Invoices.
 */
export function needsSecondAdmin(
  limitCents: Cents | null,
  refundCents: Cents,
  before: readonly UnapprovedRefund[],
): boolean {
  if (limitCents === null) return false
  const withThis = (those: readonly UnapprovedRefund[]) => plus(refundCents, sum(those.map((one) => one.refundCents)))
  const ofInvoice = withThis(before.filter(({ onInvoice }) => onInvoice))
  const ofDay = withThis(before.filter(({ today }) => today))
  return ofInvoice > limitCents || ofDay > limitCents
}

/** The refund of a credit note. */
interface CreditRefund {
  refundStatus: (typeof refundStatuses)[number]
  refundedCents: Cents
}

/** Returns why a credit note cannot be refunded again; null when nothing of it was refunded and no refund is under way. */
export function refundAgainProblem({ refundStatus, refundedCents }: CreditRefund): 'under_way' | 'went_back' | null {
  if (refundStatus === 'waiting' || refundStatus === 'pending') return 'under_way'
  return refundStatus === 'succeeded' || refundedCents > 0 ? 'went_back' : null
}

function leftByAnyWay({ amountPaidCents, refundedCents }: InvoiceFigures): Cents {
  return minus(amountPaidCents, refundedCents)
}

/** The amount that is credited on one line of an invoice, in positive cents. */
export interface LineCredit {
  itemId: number
  /** With tax. In a request, exactly the line's amount without tax means the whole line with its tax. */
  amountCents: Cents
}

/** The amount that a credit note credits on one line of its invoice, with the description of that line. */
export interface CreditedItem extends LineCredit {
  description: string
  /** The tax within the amount. */
  taxCents: Cents
}

/**
 * Returns the tax in a credit, in cents: the tax of the credited lines; without lines, the invoice's tax in proportion to the amount,
 * rounded half up. A credit that leaves nothing of the invoice gets the rest of the tax, so that all credits together contain exactly
 * the invoice's tax. `before`: the tax in the earlier credits.
 */
export function taxOfCredit(
  { totalCents, taxCents, creditedCents }: { totalCents: Cents; taxCents: Cents; creditedCents: Cents },
  before: Cents,
  { amountCents, items }: { amountCents: Cents; items: readonly CreditedItem[] },
): Cents {
  const left = minus(taxCents, before)
  if (plus(creditedCents, amountCents) >= totalCents) return left
  const part =
    items.length > 0 ? sum(items.map((item) => item.taxCents)) : multiplyShare(amountCents, taxCents, totalCents)
  return cents(Math.min(part, left, amountCents))
}

/**
 * Returns the credited amount per line, in the order of the lines; several amounts of one line are added up. `problems`: the invoice
 * does not have the line, the line is a discount, or less is left of the line after earlier credits. An invoice shows the amount of a
 * line without tax. When the first credit of a line is exactly that amount, the line's tax is credited too, so that no tax stays due
 * on a line of 0. With `exact`, each amount is what it says.
 */
export function creditLines(
  lines: readonly { id: number; description: string; amountCents: Cents; taxCents: Cents }[],
  before: readonly LineCredit[],
  asked: readonly LineCredit[],
  { exact = false }: { exact?: boolean } = {},
): { items: CreditedItem[]; problems: BillProblem[] } {
  const creditedOf = (credits: readonly LineCredit[], itemId: number) =>
    sum(credits.filter((credit) => credit.itemId === itemId).map(({ amountCents }) => amountCents))
  const isWhole = ({ id, amountCents }: { id: number; amountCents: Cents }) =>
    !exact && creditedOf(asked, id) === amountCents && creditedOf(before, id) === 0
  const problems = asked.flatMap(({ itemId }, index): BillProblem[] => {
    const line = lines.find(({ id }) => id === itemId)
    const [noLine, tooMuch] = [`items.${index}.itemId`, `items.${index}.amountCents`]
    if (!line) return [{ field: noLine, message: billingErrors.noSuchLine({ field: noLine }) }]
    if (line.amountCents < 0) return [{ field: noLine, message: billingErrors.negativeLine({ field: noLine }) }]
    const left = minus(plus(line.amountCents, line.taxCents), creditedOf(before, itemId))
    if (creditedOf(asked.slice(0, index + 1), itemId) <= left) return []
    return [{ field: tooMuch, message: billingErrors.lineExceeded({ field: tooMuch, left }) }]
  })
  const items = lines.map(({ id, description, ...line }) => {
    const whole = plus(line.amountCents, line.taxCents)
    const amountCents = isWhole({ id, ...line }) ? whole : creditedOf(asked, id)
    const taxCents = whole > 0 ? multiplyShare(amountCents, line.taxCents, whole) : ZERO
    return { itemId: id, description, amountCents, taxCents }
  })
  return { items: items.filter(({ amountCents }) => amountCents > 0), problems }
}
