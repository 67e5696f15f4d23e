import { z } from 'zod'
import { invoiceStatuses } from '../../../shared/billing/invoices/invoice.states.ts'
import {
  type PackageRow,
  type PurchaseRow,
  purchaseStatuses,
} from '../../../shared/billing/packages/package.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

/** A package of credit or of hours that an organization sells. */
export const Package = z
  .object({
    id: Id,
    name: z.string().meta({ examples: ['Ten hours in the Skyhawk'] }),
    priceCents: Cents.describe('With taxes'),
    grant: z
      .object({ amountCents: Cents.optional(), deciHours: z.int().optional() })
      .describe('Cents of credit, or tenths of an hour')
      .meta({ examples: [{ deciHours: 100 }] }),
    resourceIds: z.array(Id).describe('Whose flights it covers; empty: any'),
    lineKinds: z.array(z.string()).describe('What it covers of a flight; empty: all of it'),
    expiresAfterDays: z
      .int()
      .nullable()
      .describe('From payment; null: it does not lapse')
      .meta({ examples: [365] }),
    active: z.boolean().describe('Whether members may buy it'),
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

/** What a member bought, at the terms of that day. */
export const PackagePurchase = z
  .object({
    id: Id,
    packageId: Id,
    orgUserId: Id,
    name: z.string().meta({ examples: ['Ten hours in the Skyhawk'] }),
    priceCents: Cents.describe('With taxes'),
    resourceIds: z.array(Id),
    lineKinds: z.array(z.string()),
    invoice: z.object({
      id: Id,
      number: z.int().nullable(),
      status: z.enum(invoiceStatuses),
      totalCents: Cents,
      payUrl: z.string().nullable().describe('Where it is paid'),
    }),
    status: z
      .enum(purchaseStatuses)
      .describe(
        'It covers flights while `active`. `suspended`: the payment was taken back or is disputed; `refunded`: its invoice is credited in full or void',
      ),
    remainingCents: Cents.nullable().describe('null of a package of hours'),
    remainingDeciHours: z.int().nullable().describe('Tenths of an hour; null of a package of credit'),
    expiresAt: Instant.nullable().describe('Counts from payment'),
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
