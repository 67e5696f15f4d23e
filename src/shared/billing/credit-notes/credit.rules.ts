import { multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { BillProblem } from '../flight-bill/flight-bill.types.ts'
import type { settlements } from '../invoices/invoice.states.ts'
import { type InvoiceFigures, owedBackOf } from '../invoices/invoice-figures.rules.ts'
import { type FiguresByWay, leftAtGateway, leftOffline } from '../payments/payment.rules.ts'

/** The ways in which money goes back. */
export const givenBackBy = ['processor', 'ledger', 'offline'] as const
export type GivenBackBy = (typeof givenBackBy)[number]
/** The ways in which a credit gives money back; `none` leaves it to the payer's credit. */
export const refundWays = [...givenBackBy, 'none'] as const
export type RefundWay = (typeof refundWays)[number]

/**
 * `none`: nothing is given back. `waiting`: a second admin has yet to approve it. `pending`: a job gives it back through the
 * payment gateway.
 */
export const refundStatuses = ['none', 'waiting', 'pending', 'succeeded', 'failed'] as const

type Settlement = (typeof settlements)[number]

/** An invoice as a credit sees it. */
export interface Creditable extends FiguresByWay {
  settlement: Settlement
  /** A guest has no account with the school. */
  isGuest: boolean
}

/**
 * Returns what can still go back one way, in cents: to the card what came through the payment gateway; other money by
 * hand or to the payer's account, a charge of the account to the account alone.
 */
function leftBy(invoice: Creditable, way: GivenBackBy): Cents {
  if (way === 'processor') return leftAtGateway(invoice)
  if (way === 'ledger' && invoice.isGuest) return ZERO
  return way === 'offline' && invoice.settlement === 'ledger' ? ZERO : leftOffline(invoice)
}

/** A credit that is asked for, in positive cents. */
export interface CreditRequest {
  amountCents: Cents
  refund: RefundWay
}

/** The figures after a credit, and what of it is given back now, in cents. */
export interface Credit {
  figures: InvoiceFigures
  refundCents: Cents
}

export type CreditProblem = 'exceeds' | 'nothing_to_refund' | 'other_way'

/**
 * Decides on a credit. It first lessens what is due; only what the payer has paid beyond that is given back, at most
 * the credit itself, and by the way that it came. Implements interface §Invoices.
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
 * Decides how much of a credit that is taken off the invoice is given back now, in cents: what the payer has paid beyond what
 * is due, at most the credit itself, and by the way that it came. Implements interface §Invoices.
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

/** A refund that an admin has asked for, which no second admin approved and no other refused, in cents. */
export interface UnapprovedRefund {
  refundCents: Cents
  onInvoice: boolean
  /** Of the same local day. */
  today: boolean
}

/**
 * Decides whether a refund waits for a second admin. The limit is for what an admin gives back alone: of one invoice, and to
 * one payer on one local day, this refund included, so that it cannot be gone round in parts. `before`: what they gave back alone
 * of this invoice, and to this payer. Implements interface §Invoices.
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

/** A credit note, as far as its money may have gone back. */
interface CreditRefund {
  refundStatus: (typeof refundStatuses)[number]
  refundedCents: Cents
}

/** Says why a credit note cannot be refunded again; null when nothing of it went back, and nothing is on its way. */
export function refundAgainProblem({ refundStatus, refundedCents }: CreditRefund): 'under_way' | 'went_back' | null {
  if (refundStatus === 'waiting' || refundStatus === 'pending') return 'under_way'
  return refundStatus === 'succeeded' || refundedCents > 0 ? 'went_back' : null
}

function leftByAnyWay({ amountPaidCents, refundedCents }: InvoiceFigures): Cents {
  return minus(amountPaidCents, refundedCents)
}

/** What is taken off one line of an invoice, in positive cents. */
export interface LineCredit {
  itemId: number
  /** With its tax; of a request, the line's amount without tax stands for all of it. */
  amountCents: Cents
}

/** What a credit note takes off one line of its invoice, with the words of that line. */
export interface CreditedItem extends LineCredit {
  description: string
  /** The tax within the amount. */
  taxCents: Cents
}

/**
 * Returns the tax within a credit, in cents: that of the credited lines, or its part of the invoice's tax, rounded half up.
 * The credit that leaves nothing takes what is left of the tax, so that all credits together take exactly the tax.
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
 * Returns what is credited of each line in the order of the lines, amounts of the same line added up; or the problems: a
 * line that the invoice does not have, a discount, and a line of which less is left after earlier credits. The amount that
 * an invoice shows of a line is without its tax: a credit of just that, the first of the line, takes its tax off too, so that
 * no tax is left due on nothing.
 */
export function creditLines(
  lines: readonly { id: number; description: string; amountCents: Cents; taxCents: Cents }[],
  before: readonly LineCredit[],
  asked: readonly LineCredit[],
): { items: CreditedItem[]; problems: BillProblem[] } {
  const creditedOf = (credits: readonly LineCredit[], itemId: number) =>
    sum(credits.filter((credit) => credit.itemId === itemId).map(({ amountCents }) => amountCents))
  const isWhole = ({ id, amountCents }: { id: number; amountCents: Cents }) =>
    creditedOf(asked, id) === amountCents && creditedOf(before, id) === 0
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
