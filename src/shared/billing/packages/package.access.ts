import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus, ZERO } from '../../platform/kernel/units.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { coversAt } from '../../scheduling/rules/paid-ahead.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import type { CoveringPackage, PackageUse } from '../flight-bill/flight-bill.types.ts'
import { creditableOf, reducePackage } from '../flight-bill/packages.rules.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { Invoice } from '../invoices.tables.ts'
import { Package, PackagePurchase } from '../packages.tables.ts'
import { billShortfall } from './packages.jobs.ts'

interface OfOrganization {
  organizationId: number
}

/** Returns a package to sell; throws when there is no such package. */
export async function findPackageToSell(
  tx: Tx,
  { organizationId }: OfOrganization,
  id: number,
  options: { lockMode?: LockMode } = {},
): Promise<Package> {
  const found = await tx.em.findOne(Package, { organizationId, id }, options)
  if (!found) throw billingErrors.noSuchPackage()
  return found
}

/** Locks a package to change, so that the audit log has each change from what was there. */
export function lockPackage(tx: Tx, of: OfOrganization, id: number): Promise<Package> {
  return findPackageToSell(tx, of, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

export async function assertHasResources(
  tx: Tx,
  { organizationId }: OfOrganization,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const known = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  const ours = new Set(known.map(({ id }) => id))
  const strange = ids.findIndex((id) => !ours.has(id))
  if (strange >= 0) throw fleetErrors.unknownResource({ field: `resourceIds.${strange}` })
}

/** Locks the invoice that charges a purchase, then the purchase, until the commit. Returns both; null when the purchase is gone. */
export async function lockPurchase(
  tx: Tx,
  { organizationId, purchaseId }: { organizationId: number; purchaseId: number },
): Promise<{ purchase: PackagePurchase; invoice: Invoice } | null> {
  const found = await tx.em.findOne(PackagePurchase, { organizationId, id: purchaseId })
  const invoice = found && (await lockInvoice(tx, organizationId, found.invoiceId))
  const purchase = invoice && (await findPurchaseOf(tx, invoice))
  return invoice && purchase ? { purchase, invoice } : null
}

/**
 * Locks the packages of a loaded flight until the commit, and returns those that still cover it, with their present remaining
 * quantity: another invoice may have used them since the flight was loaded.
 */
export async function lockPackages(
  tx: Tx,
  organizationId: number,
  { packages, ends_at, ramped_in_at }: ReservationRow,
): Promise<CoveringPackage[]> {
  const ids = packages.map(({ purchaseId }) => purchaseId)
  const endedAt = ramped_in_at && ramped_in_at < ends_at ? ramped_in_at : ends_at
  const { rows } = await sql<{ id: number; remaining: number }>`
    select p.id, p.remaining from package_purchase p
    join invoice b on b.organization_id = p.organization_id and b.id = p.invoice_id
    where p.organization_id = ${organizationId} and p.id = any(${ids}) and ${coversAt(sql`${endedAt}::timestamptz`)}
    order by p.id for update of p for share of b`.execute(tx.db)
  const left = new Map(rows.map(({ id, remaining }) => [id, remaining]))
  return packages.flatMap((one) => {
    const remaining = left.get(one.purchaseId)
    return remaining === undefined ? [] : [{ ...one, remaining }]
  })
}

/** Reduces packages by quantities without an invoice, for a dry run that is rolled back. A package with less left is used up. */
export async function usePackages(
  tx: Tx,
  { organizationId }: OfOrganization,
  uses: readonly Pick<PackageUse, 'purchaseId' | 'quantity'>[],
): Promise<void> {
  if (uses.length === 0) return
  const quantities = new Map(uses.map(({ purchaseId, quantity }) => [purchaseId, quantity]))
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } } as const
  for (const one of await tx.em.find(PackagePurchase, { organizationId, id: [...quantities.keys()] }, locked)) {
    const quantity = Math.min(quantities.get(one.id) ?? 0, one.remaining)
    tx.em.assign(one, { used: (one.used ?? 0) + quantity, remaining: one.remaining - quantity })
  }
}

/** Returns the purchase that an invoice charges, locked until the commit; null when it charges none. */
export async function findPurchaseOf(
  tx: Tx,
  { organizationId, id: invoiceId }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<PackagePurchase | null> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  return tx.em.findOne(PackagePurchase, { organizationId, invoiceId }, locked)
}

/** Returns whether an invoice charges a package that flights have used. */
export async function isUsedPackage(tx: Tx, invoice: Invoice): Promise<boolean> {
  return ((await findPurchaseOf(tx, invoice))?.used ?? 0) > 0
}

/** Returns whether an invoice cannot become void: a part of it is paid, or it charges a package that flights have used. */
export async function assertStands(tx: Tx, invoice: Invoice): Promise<boolean> {
  return (invoice.amountPaidCents ?? ZERO) > 0 || isUsedPackage(tx, invoice)
}

/** Checks that a credit of an invoice that charges a package is at most the price of the unused part. */
export async function assertIsUnused(tx: Tx, invoice: Invoice, amountCents: Cents): Promise<void> {
  const purchase = await findPurchaseOf(tx, invoice)
  if (!purchase) return
  const left = creditableOf(purchase, invoice.totalCents)
  if (amountCents > left) throw billingErrors.packageCreditExceeds({ left })
}

/**
 * Reduces the package that a locked invoice charges, in proportion to the price that is left after credits. When flights have used
 * more than that, for example because the payment gateway refunded the payer, a job bills the difference.
 */
export async function followPurchase(tx: Tx, invoice: Invoice): Promise<void> {
  const purchase = await findPurchaseOf(tx, invoice)
  if (!purchase) return
  const { totalCents, creditedCents = ZERO } = invoice
  const { withdrawn, remaining, shortfallCents } = reducePackage(
    { granted: purchase.granted, used: purchase.used ?? 0 },
    { totalCents, creditedCents },
  )
  tx.em.assign(purchase, { withdrawn, remaining })
  if (minus(shortfallCents, purchase.shortfallCents ?? ZERO) <= 0) return
  tx.enqueue(billShortfall, { organizationId: invoice.organizationId, purchaseId: purchase.id })
}
