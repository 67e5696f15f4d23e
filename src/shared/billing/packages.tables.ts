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
  /** The resources whose flights the package covers; empty: all. */
  resourceIds: p.json<number[]>().default([]),
  /** The kinds of line that the package covers; empty: all charges of a flight. */
  lineKinds: p.json<string[]>().default([]),
  /** The days from payment to expiry; null: the package does not expire. */
  expiresAfterDays: p.integer().nullable(),
}

/** A package of credit or of hours that an organization sells in advance. */
export const Package = aggregate('package', {
  exported: true,
  columns: {
    ...tenantRecord,
    ...terms,
    /** The granted quantity, in `unit`. */
    grantQuantity: p.integer(),
    /** Whether members may buy it. */
    active: p.boolean().default(true),
  },
})
export type Package = InferEntity<typeof Package>

/**
 * A package that a member bought, paid by an invoice. Quantities are in `unit`. It covers flights while its invoice is paid and not
 * disputed, until it expires.
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
    /** The part of the grant that credits on its invoice took back. */
    withdrawn: p.integer().default(0),
    /** The quantity that invoices used and did not return. */
    used: p.integer().default(0),
    remaining: p.integer(),
    /** The price of the part that was used beyond the paid part and was billed for that reason. */
    shortfallCents: p.integer().$type<Cents>().default(0),
    boughtBy: member.act('invoices', 'money').nullable(),
  },
})
export type PackagePurchase = InferEntity<typeof PackagePurchase>

/** The use of a purchased package by one invoice. A trigger returns it when `invoice_stands` becomes false, unless the package expired. */
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
