import type Stripe from 'stripe'
import { cents } from '../../../kernel/units.ts'
import { GatewayUnavailable } from '../gateway-errors.ts'
import type { GatewayInvoice, GatewayInvoiceStatus, GatewayReference, IssuedInvoice } from '../payment-gateway.port.ts'
import { isStorable, KEY } from './client.ts'

/** The largest value of an integer column. */
const INT4 = 2_147_483_647

const STATUSES: readonly string[] = ['draft', 'open', 'paid', 'void', 'uncollectible'] satisfies GatewayInvoiceStatus[]

/**
 * Converts Stripe's invoice, and checks at run time every field that the service relies on.
 * @throws GatewayUnavailable when a field is missing or malformed
 */
export function viewInvoice(invoice: Stripe.Invoice): GatewayInvoice {
  const { id, status, total, currency } = invoice
  const paid = invoice.amount_paid
  const remaining = invoice.amount_remaining
  const readable =
    isStorable(id) &&
    isStatus(status) &&
    isStorable(currency) &&
    [total, paid, remaining].every(isCents) &&
    [invoice.hosted_invoice_url, invoice.invoice_pdf, invoice.metadata?.[KEY]].every(isStorableOrNothing)
  if (!readable) throw new GatewayUnavailable('The payment processor gave an invoice that cannot be read.')
  return {
    gatewayInvoiceId: id,
    gatewayCustomerId: customerOf(invoice),
    status,
    payUrl: invoice.hosted_invoice_url || null,
    pdfUrl: invoice.invoice_pdf || null,
    currency,
    totalCents: cents(total),
    amountPaidCents: cents(paid),
    amountDueCents: cents(remaining),
    paidAt: instant(invoice.status_transitions?.paid_at),
    key: invoice.metadata?.[KEY] ?? null,
    reference: referenceOf(invoice.metadata),
  }
}

/**
 * Converts an invoice that must be payable, like `viewInvoice`.
 * @throws GatewayUnavailable when it has no payment page
 */
export function viewRaised(invoice: Stripe.Invoice): IssuedInvoice {
  const view = viewInvoice(invoice)
  if (view.payUrl === null) throw new GatewayUnavailable('The payment processor gave no address to pay at.')
  return { ...view, payUrl: view.payUrl }
}

function isStatus(status: unknown): status is GatewayInvoiceStatus {
  return typeof status === 'string' && STATUSES.includes(status)
}

function isCents(amount: unknown): boolean {
  return Number.isSafeInteger(amount) && Number(amount) >= 0 && Number(amount) <= INT4
}

function isStorableOrNothing(text: unknown): boolean {
  return text === undefined || text === null || text === '' || isStorable(text)
}

function customerOf({ customer }: Stripe.Invoice): string {
  const id = typeof customer === 'string' ? customer : customer?.id
  return isStorable(id) ? id : ''
}

function instant(seconds: number | null | undefined): Date | null {
  const at = new Date(Number(seconds ?? Number.NaN) * 1000)
  return seconds && Number.isFinite(at.getTime()) ? at : null
}

/**
 * Returns the metadata of an invoice: the reference to its row, and the key that identifies invoices of the service.
 */
export function metadataFor(key: string, reference: GatewayReference): Stripe.MetadataParam {
  return { [KEY]: key, organizationId: String(reference.organizationId), invoiceId: String(reference.invoiceId) }
}

/** Returns the reference in the metadata of an invoice; null when the service did not create it. */
export function referenceOf(metadata: Stripe.Metadata | null | undefined): GatewayReference | null {
  const organizationId = Number(metadata?.organizationId)
  const invoiceId = Number(metadata?.invoiceId)
  const ours =
    Boolean(metadata?.[KEY]) && [organizationId, invoiceId].every((id) => Number.isInteger(id) && id > 0 && id <= INT4)
  return ours ? { organizationId, invoiceId } : null
}
