import { formatMoney } from '../../../src/shared/platform/kernel/money.ts'
import type { Cents } from '../../../src/shared/platform/kernel/units.ts'

/** One printed request. */
export interface ReportedStep {
  step: string
  method: string
  path: string
  status: number
  /** A short summary of the answer. */
  outcome: string
}

const WIDTHS = { step: 40, request: 39 } as const

/** Returns the line of one request: number, step, request, status, outcome. */
export function stepLine(number: number, { step, method, path, status, outcome }: ReportedStep): string {
  const request = `${method.padEnd(5)} ${path}`
  return `${String(number).padStart(3)}  ${step.padEnd(WIDTHS.step)} ${request.padEnd(WIDTHS.request)} ${status}  ${outcome}\n`
}

/** The printed fields of an invoice. */
export interface PaidInvoice {
  number: number
  status: string
  customer: { name: string } | null
  items: { description: string; amountCents: Cents }[]
  totalCents: Cents
  currency: string
  paidAt: string | null
  paymentMethod: string | null
}

/** Returns the invoice as text, item by item. */
export function invoiceText(invoice: PaidInvoice): string {
  const { currency } = invoice
  const rows = [
    ...invoice.items.map(({ description, amountCents }) => [description, amountCents] as const),
    ['Total', invoice.totalCents] as const,
  ]
  const lines = rows.map(([text, amount]) => `     ${text.padEnd(56)} ${formatMoney(amount, currency).padStart(12)}\n`)
  const how = `${invoice.status} ${invoice.paidAt ?? ''} by ${invoice.paymentMethod ?? 'nobody'}`
  return `\n     Invoice ${invoice.number} for ${invoice.customer?.name ?? 'a guest'}: ${how}\n${lines.join('')}\n`
}
