import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'

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
export const Package = defineEntity({
  name: 'Package',
  tableName: 'package',
  properties: {
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
export const PackagePurchase = defineEntity({
  name: 'PackagePurchase',
  tableName: 'package_purchase',
  properties: {
    ...tenantRecord,
    ...terms,
    packageId: p.integer(),
    membershipId: p.integer(),
    invoiceId: p.integer(),
    granted: p.integer(),
    /** What credits on its invoice took back of it. */
    withdrawn: p.integer().default(0),
    /** What invoices that stand used of it. */
    used: p.integer().default(0),
    remaining: p.integer(),
    /** What was used beyond what stays paid, and was billed. */
    shortfallCents: p.integer().$type<Cents>().default(0),
    boughtBy: p.integer().nullable(),
  },
})
export type PackagePurchase = InferEntity<typeof PackagePurchase>
