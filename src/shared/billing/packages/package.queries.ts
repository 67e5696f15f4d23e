import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { invoiceStatuses } from '../invoices/invoice.states.ts'

/**
 * The status of a purchase. `suspended`: its payment was reversed or is disputed. `refunded`: its invoice is void, failed or credited
 * in full.
 */
export const purchaseStatuses = ['unpaid', 'active', 'suspended', 'used', 'expired', 'refunded'] as const

export const packageSortKeys: SortKeys = {
  id: byValue('id'),
  name: byText('name'),
  priceCents: byValue('price_cents'),
  'grant.amountCents': sql`case when unit = 'cents' then grant_quantity end`,
  'grant.deciHours': sql`case when unit = 'deci_hours' then grant_quantity end`,
  expiresAfterDays: byValue('expires_after_days'),
  active: byValue('active'),
  createdAt: byValue('created_at'),
  updatedAt: byValue('updated_at'),
}

function selectPackages(db: Db, organizationId: number) {
  return db
    .selectFrom('package')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
}

export type PackageRow = Awaited<ReturnType<ReturnType<typeof selectPackages>['execute']>>[number]

/** Returns the packages of an organization as a list source, by name; `soldOnly` leaves out packages that are not active. */
export function listPackages(db: Db, organizationId: number, { soldOnly }: { soldOnly: boolean }) {
  const query = selectPackages(db, organizationId).$if(soldOnly, (all) => all.where('active', '=', true))
  return pageable(db, query, packageSortKeys)
}

/** Returns a package, active or not. */
export async function findPackage(db: Db, organizationId: number, id: number): Promise<PackageRow> {
  const row = await selectPackages(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw billingErrors.noSuchPackage()
  return row
}

/** When a purchase `p` expires, counted from the payment of its invoice `i`; null before the payment, or when it does not expire. */
const expiresAt = sql<Date | null>`(i.paid_at + p.expires_after_days * interval '24 hours')`

const status = (now: Date) => sql<(typeof purchaseStatuses)[number]>`case
  when not invoice_stands(i.status, i.total_cents, i.credited_cents) then 'refunded'
  when i.dispute_status = 'open' then 'suspended'
  when i.status <> 'paid' then case when p.used > 0 or i.dispute_status = 'lost' or exists (select from payment y
    where y.organization_id = i.organization_id and y.invoice_id = i.id and y.reversed_cents > 0) then 'suspended' else 'unpaid' end
  when p.remaining = 0 then 'used'
  when ${expiresAt} <= ${now} then 'expired'
  else 'active' end`

/** The payment page of an invoice `i` for the member who bought the package; null when a bill-to payer pays. */
const payUrl = sql<string | null>`case when i.billed_for_id is null then i.pay_url end`

/** The sort keys of purchases `p` and their invoices `i`. */
export const purchaseSortKeys = (now: Date): SortKeys => ({
  id: byValue('p.id'),
  packageId: byValue('p.package_id'),
  orgUserId: byValue('p.membership_id'),
  name: byText('p.name'),
  priceCents: byValue('p.price_cents'),
  'invoice.id': byValue('i.id'),
  'invoice.number': byValue('i.number'),
  'invoice.status': byText('i.status'),
  'invoice.totalCents': byValue('i.total_cents'),
  'invoice.payUrl': byText(payUrl),
  status: status(now),
  remainingCents: sql`case when p.unit = 'cents' then p.remaining end`,
  remainingDeciHours: sql`case when p.unit = 'deci_hours' then p.remaining end`,
  expiresAt,
  createdAt: byValue('p.created_at'),
  updatedAt: byValue('p.updated_at'),
})

function selectPurchases(db: Db, organizationId: number, now: Date) {
  return db
    .selectFrom('package_purchase as p')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'p.organization_id').onRef('i.id', '=', 'p.invoice_id'),
    )
    .select([
      'p.id',
      'p.created_at',
      'p.updated_at',
      'p.package_id',
      'p.membership_id',
      'p.name',
      'p.price_cents',
      'p.unit',
      'p.remaining',
    ])
    .select(['p.resource_ids', 'p.line_kinds', 'i.id as invoice_id', 'i.number', 'i.total_cents'])
    .select(payUrl.as('pay_url'))
    .select([sql<(typeof invoiceStatuses)[number]>`i.status`.as('invoice_status'), expiresAt.as('expires_at')])
    .select(status(now).as('status'))
    .where('p.organization_id', '=', organizationId)
    .orderBy('p.id', 'desc')
}

export type PurchaseRow = Awaited<ReturnType<ReturnType<typeof selectPurchases>['execute']>>[number]

/** Returns the package purchases of a member as a list source, latest first. */
export function listPurchases(db: Db, organizationId: number, orgUserId: number, now: Date) {
  const query = selectPurchases(db, organizationId, now).where('p.membership_id', '=', orgUserId)
  return pageable(db, query, () => purchaseSortKeys(now))
}

/** Returns the package purchases of a member whose invoice stands, latest first. */
export async function findStandingPurchases(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  now: Date,
): Promise<PurchaseRow[]> {
  return selectPurchases(db, organizationId, now)
    .where('p.membership_id', '=', orgUserId)
    .where(sql<boolean>`invoice_stands(i.status, i.total_cents, i.credited_cents)`)
    .execute()
}

/** Returns how many purchases of a member have an invoice that is not paid. */
export async function countUnpaidPurchases(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<number> {
  const { unpaid } = await db
    .selectFrom('package_purchase as p')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'p.organization_id').onRef('i.id', '=', 'p.invoice_id'),
    )
    .select(({ fn }) => fn.countAll<number>().as('unpaid'))
    .where('p.organization_id', '=', organizationId)
    .where('p.membership_id', '=', orgUserId)
    .where('i.status', 'in', ['pending', 'open'])
    .executeTakeFirstOrThrow()
  return Number(unpaid)
}

/** Returns a purchase. The caller knows that it exists. */
export function findPurchase(db: Db, organizationId: number, id: number, now: Date): Promise<PurchaseRow> {
  return selectPurchases(db, organizationId, now).where('p.id', '=', id).executeTakeFirstOrThrow()
}

/**
 * The value in cents of the rest of a purchase `p` with its invoice `i`: the remaining credit, or the price in proportion to the
 * remaining hours. 0 when the purchase does not cover flights now.
 */
export const worthOfPackages = (now: Date) => sql<Cents>`case when ${status(now)} <> 'active' then 0
  when p.unit = 'cents' then p.remaining
  else (p.price_cents::bigint * p.remaining / p.granted)::int end`
