import { z } from 'zod'
import { invoiceStatuses } from '../../../shared/billing/invoices/invoice.states.ts'
import {
  type PackageRow,
  type PurchaseRow,
  purchaseStatuses,
} from '../../../shared/billing/packages/package.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

const ResourceIds = z.array(Id).describe('The resources whose flights it covers; empty: all')
const LineKinds = z.array(z.string()).describe('The kinds of invoice line that it covers; empty: all lines of a flight')

/** A package of credit or of hours that an organization sells. */
export const Package = z
  .object({
    id: Id,
    name: z.string(),
    priceCents: Cents.describe('Includes taxes'),
    grant: z
      .object({ amountCents: Cents.optional(), deciHours: z.int().optional() })
      .describe('What the buyer gets: exactly one of the two'),
    resourceIds: ResourceIds,
    lineKinds: LineKinds,
    expiresAfterDays: z.int().nullable().describe('Days from payment until it expires; null: it never expires'),
    active: z.boolean().describe('Whether members can buy it; admins can always sell it'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Package' })

export function packageView(row: PackageRow): z.input<typeof Package> {
  return {
    id: row.id,
    name: row.name,
    priceCents: row.price_cents,
    grant: row.unit === 'cents' ? { amountCents: row.grant_quantity } : { deciHours: row.grant_quantity },
    resourceIds: row.resource_ids,
    lineKinds: row.line_kinds,
    expiresAfterDays: row.expires_after_days,
    active: row.active,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** A package that a member bought, with the terms at the time of the purchase. */
export const PackagePurchase = z
  .object({
    id: Id,
    packageId: Id,
    orgUserId: Id,
    name: z.string(),
    priceCents: Cents.describe('Includes taxes'),
    resourceIds: ResourceIds,
    lineKinds: LineKinds,
    invoice: z.object({
      id: Id,
      number: z.int().nullable(),
      status: z.enum(invoiceStatuses),
      totalCents: Cents,
      payUrl: z
        .string()
        .nullable()
        .describe(
          'The page of the payment processor on which the member pays; null when there is none, and when a bill-to payer pays',
        ),
    }),
    status: z
      .enum(purchaseStatuses)
      .describe(
        'Only an `active` purchase covers flights. `suspended`: the payment was reversed or is disputed. `refunded`: ' +
          'the invoice is void or credited in full',
      ),
    remainingCents: Cents.nullable().describe('null for a package of hours'),
    remainingDeciHours: z.int().nullable().describe('Tenths of an hour; null for a package of credit'),
    expiresAt: Instant.nullable().describe('null before payment, and when it never expires'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'PackagePurchase' })

export function purchaseView(row: PurchaseRow): z.input<typeof PackagePurchase> {
  return {
    id: row.id,
    packageId: row.package_id,
    orgUserId: row.membership_id,
    name: row.name,
    priceCents: row.price_cents,
    resourceIds: row.resource_ids,
    lineKinds: row.line_kinds,
    invoice: {
      id: row.invoice_id,
      number: row.number,
      status: row.invoice_status,
      totalCents: row.total_cents,
      payUrl: row.pay_url,
    },
    status: row.status,
    remainingCents: row.unit === 'cents' ? row.remaining : null,
    remainingDeciHours: row.unit === 'deci_hours' ? row.remaining : null,
    expiresAt: iso(row.expires_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
