import { type Cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { BillProblem } from '../flight-bill/flight-bill.types.ts'
import type { settlements } from '../invoices/invoice.states.ts'
import { type InvoiceFigures, owedBackOf } from '../invoices/invoice-figures.rules.ts'

/** The ways in which a credit gives money back; `none` leaves it to the payer's credit. */
export const refundWays = ['processor', 'ledger', 'offline', 'none'] as const
export type RefundWay = (typeof refundWays)[number]

type Settlement = (typeof settlements)[number]

/** The ways back for money, by the way that it came. Implements interface §Invoices. */
const waysBack: Record<Settlement, readonly RefundWay[]> = {
  processor: ['processor', 'none'],
  ledger: ['ledger', 'none'],
  offline: ['offline', 'ledger', 'none'],
}

/** An invoice as a credit sees it. */
export interface Creditable extends InvoiceFigures {
  settlement: Settlement
  /** A guest has no account with the school. */
  isGuest: boolean
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
  const { totalCents, amountPaidCents, refundedCents, settlement, isGuest } = invoice
  const creditedCents = plus(invoice.creditedCents, amountCents)
  if (creditedCents > totalCents) return 'exceeds'
  const figures = { totalCents, creditedCents, amountPaidCents, refundedCents }
  if (refund === 'none') return { figures, refundCents: ZERO }
  if (!waysBack[settlement].includes(refund) || (refund === 'ledger' && isGuest)) return 'other_way'
  const owedBack = owedBackOf(figures)
  const refundCents = owedBack < amountCents ? owedBack : amountCents
  if (refundCents === 0) return 'nothing_to_refund'
  return { figures: { ...figures, refundedCents: plus(refundedCents, refundCents) }, refundCents }
}

/** Returns the refunded cents of an invoice after a refund of `wantedCents` has given back `actualCents`. */
export function refundedAfter(refundedCents: Cents, wantedCents: Cents, actualCents: Cents): Cents {
  return plus(minus(refundedCents, wantedCents), actualCents)
}

/** What is taken off one line of an invoice, in positive cents. */
export interface LineCredit {
  itemId: number
  amountCents: Cents
}

/** What a credit note takes off one line of its invoice, with the words of that line. */
export interface CreditedItem extends LineCredit {
  description: string
}

/**
 * Returns what is credited of each line in the order of the lines, amounts of the same line added up; or the problems: a
 * line that the invoice does not have, and a line of which less is left after earlier credits.
 */
export function creditLines(
  lines: readonly { id: number; description: string; amountCents: Cents }[],
  before: readonly LineCredit[],
  asked: readonly LineCredit[],
): { items: CreditedItem[]; problems: BillProblem[] } {
  const creditedOf = (credits: readonly LineCredit[], itemId: number) =>
    sum(credits.filter((credit) => credit.itemId === itemId).map(({ amountCents }) => amountCents))
  const problems = asked.flatMap(({ itemId }, index): BillProblem[] => {
    const line = lines.find(({ id }) => id === itemId)
    const [noLine, tooMuch] = [`items.${index}.itemId`, `items.${index}.amountCents`]
    if (!line) return [{ field: noLine, message: billingErrors.noSuchLine({ field: noLine }) }]
    const left = minus(line.amountCents, creditedOf(before, itemId))
    if (creditedOf(asked.slice(0, index + 1), itemId) <= left) return []
    return [{ field: tooMuch, message: billingErrors.lineExceeded({ field: tooMuch, left }) }]
  })
  const items = lines.map(({ id, description }) => ({ itemId: id, description, amountCents: creditedOf(asked, id) }))
  return { items: items.filter(({ amountCents }) => amountCents > 0), problems }
}
