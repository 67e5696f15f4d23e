import { formatMoney } from '../../../shared/platform/kernel/money.ts'

/** One request of the story, told in a line. */
export interface ReportedStep {
  step: string
  method: string
  path: string
  status: number
  /** What came back, in a few words. */
  outcome: string
}

const WIDTHS = { step: 40, request: 39 } as const

/** The line of one request: number, what is done, the request, the status, what came back. */
export function stepLine(number: number, { step, method, path, status, outcome }: ReportedStep): string {
  const request = `${method.padEnd(5)} ${path}`
  return `${String(number).padStart(3)}  ${step.padEnd(WIDTHS.step)} ${request.padEnd(WIDTHS.request)} ${status}  ${outcome}\n`
}

/** What of an invoice the demo shows. */
export interface PaidInvoice {
  number: number
  status: string
  customer: { name: string } | null
  items: { description: string; amountCents: number }[]
  totalCents: number
  currency: string
  paidAt: string | null
  paymentMethod: string | null
}

/** The invoice as it stands, item by item. */
export function invoiceText(invoice: PaidInvoice): string {
  const { currency } = invoice
  const rows = [
    ...invoice.items.map(({ description, amountCents }) => [description, amountCents] as const),
    ['Total', invoice.totalCents] as const,
  ]
  const lines = rows.map(([text, cents]) => `     ${text.padEnd(56)} ${formatMoney(cents, currency).padStart(12)}\n`)
  const how = `${invoice.status} ${invoice.paidAt ?? ''} by ${invoice.paymentMethod ?? 'nobody'}`
  return `\n     Invoice ${invoice.number} for ${invoice.customer?.name ?? 'a guest'}: ${how}\n${lines.join('')}\n`
}
