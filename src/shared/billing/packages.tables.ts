import { type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'

/** What a package grants: cents of credit, or tenths of an hour. */
export const packageUnits = ['cents', 'deci_hours'] as const

/** The terms of a package, copied into each purchase. The price includes taxes. */
const terms = {
  name: p.text(),
  priceCents: p.integer().$type<Cents>(),
  unit: p.enum(packageUnits),
  /** The resources whose flights it covers; empty: any. */
  resourceIds: p.json<number[]>().default([]),
  /** The kinds of line that it covers; empty: all charges of a flight. */
  lineKinds: p.json<string[]>().default([]),
  /** Days from payment; null: it does not lapse. */
  expiresAfterDays: p.integer().nullable(),
}

/** A package of credit or of hours that an organization sells ahead. */
export const Package = aggregate('package', {
  exported: true,
  columns: {
    ...tenantRecord,
    ...terms,
    /** In its unit. */
    grantQuantity: p.integer(),
    /** Whether members may buy it. */
    active: p.boolean().default(true),
  },
})
export type Package = InferEntity<typeof Package>

/**
 * A package that a member bought, paid by an invoice. Quantities are in its unit. It covers flights while its invoice is
 * paid and not disputed, and until it lapses.
 */
export const PackagePurchase = aggregate('package_purchase', {
  exported: true,
  columns: {
    ...tenantRecord,
    ...terms,
    packageId: p.integer(),
    membershipId: member.money('invoices', 'stay'),
    invoiceId: p.integer(),
    granted: p.integer(),
    /** What credits on its invoice took back of it. */
    withdrawn: p.integer().default(0),
    /** What invoices that stand used of it. */
    used: p.integer().default(0),
    remaining: p.integer(),
    /** What was used beyond what stays paid, and was billed. */
    shortfallCents: p.integer().$type<Cents>().default(0),
    boughtBy: member.act('invoices', 'money').nullable(),
  },
})
export type PackagePurchase = InferEntity<typeof PackagePurchase>

/** What one invoice used of a purchased package; a trigger returns it when the invoice stops standing. */
export const PackageUse = set('package_use', {
  exported: true,
  columns: {
    ...tenantRecord,
    purchaseId: p.integer(),
    invoiceId: p.integer(),
    /** In the unit of the package. */
    quantity: p.integer(),
    coveredCents: p.integer().$type<Cents>(),
    returnedAt: instant().nullable(),
  },
})
