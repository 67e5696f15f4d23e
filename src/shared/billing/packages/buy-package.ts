import { lockMember } from '../../identity/members/member.access.ts'
import { findOwner } from '../../platform/authz/actor.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, hundredths, minus, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { reducePackage } from '../flight-bill/packages.rules.ts'
import { createInvoice } from '../invoices/create-invoice.ts'
import { memberToBill } from '../invoices/invoice.access.ts'
import { actsAsCashier, assertIsNotOwnMoney } from '../ledger/cashier.access.ts'
import { lockAvailable } from '../ledger/ledger.access.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { PackagePurchase } from '../packages.tables.ts'
import { findPackageToSell, lockPurchase } from './package.access.ts'
import { countUnpaidPurchases } from './package.queries.ts'

/** The most unpaid package purchases that a member may have. */
export const MOST_UNPAID = 3
/** The seconds after which a member who has reached this limit may try again. */
const RETRY_SECONDS = 3_600

/** The package, the member who gets and pays it, and the most unpaid purchases that a member may have. */
export interface PackageToBuy {
  packageId: number
  orgUserId: number
  mostUnpaid: number
}

/**
 * Sells a package to a member. Its invoice is raised immediately; on the ledger it is also paid immediately. The purchase keeps a copy
 * of the present terms. Admins sell any package to any member, cashiers active ones to others. Other members buy active packages for
 * themselves. The invoice goes to the member's bill-to payer when there is one; the package is the member's. Unless an admin sells, the balance of a ledger must not fall below `settings.minimumBalanceCents`.
 * Implements interface §Invoices: POST /packages/{id}/purchases, and the desk grants of the interface.
 */
export async function buyPackage(
  tx: Tx,
  actor: Actor,
  { packageId, orgUserId, mostUnpaid }: PackageToBuy,
): Promise<{ id: number; invoiceIds: number[]; warnings: string[] }> {
  const { organizationId } = actor
  const sold = await findPackageToSell(tx, actor, packageId)
  const { name, priceCents, unit, resourceIds, lineKinds, expiresAfterDays = null, grantQuantity: granted } = sold
  const sells = is(actor, admins)
  const forOthers = orgUserId !== actor.orgUserId
  if (!sells && forOthers && !actsAsCashier(actor)) throw billingErrors.packageForOthers()
  if (!sells && !sold.active) throw billingErrors.packageNotSold()
  await memberToBill(tx, organizationId, orgUserId, 'orgUserId')
  await assertIsNotOwnMoney(tx, actor, [orgUserId])
  const invoice = await createPackageInvoice(tx, actor, {
    orgUserId,
    name,
    priceCents,
    kind: 'package',
  })
  const { minimumBalanceCents: least } = actor.organization.settings
  if (
    !sells &&
    invoice.settlement === 'ledger' &&
    (await lockAvailable(tx, organizationId, invoice.membershipId!)) < least
  ) {
    throw billingErrors.packageBalanceTooLow({ minimum: least })
  }
  if (!sells && !forOthers && invoice.settlement === 'processor') {
    // The invoice's number locks the organization. The member is locked after it, in the same order as by a charge on the ledger.
    await lockMember(tx, actor)
    const unpaid = await countUnpaidPurchases(tx.db, actor)
    if (unpaid >= mostUnpaid) throw billingErrors.packagesUnpaid({ retryAfterSeconds: RETRY_SECONDS, unpaid })
  }
  const purchase = tx.em.create(PackagePurchase, {
    name,
    priceCents,
    unit,
    resourceIds: resourceIds ?? [],
    lineKinds: lineKinds ?? [],
    expiresAfterDays,
    organizationId,
    packageId,
    membershipId: orgUserId,
    invoiceId: invoice.id,
    granted,
    remaining: granted,
    boughtBy: actor.orgUserId,
  })
  await tx.em.flush()
  if (sells && orgUserId === actor.orgUserId) {
    const { currency } = actor.organization.settings
    await notifyOwnersOfOwnMoney(tx, actor, { what: 'package', amountCents: priceCents, currency })
  }
  return { id: purchase.id, invoiceIds: [invoice.id], warnings: [] }
}

/**
 * Bills the part of a package that flights used beyond its paid part, in the name of an owner. What was billed before is not billed
 * again. Does nothing when the amount is too small to collect, or when the organization or the purchase does not exist any more.
 */
export async function billShortfallOf(
  tx: Tx,
  { organizationId, purchaseId }: { organizationId: number; purchaseId: number },
): Promise<void> {
  const owner = await findOwner(tx.db, organizationId)
  const locked = owner && (await lockPurchase(tx, { organizationId, purchaseId }))
  if (!locked) return
  const { purchase: found, invoice: charged } = locked
  const { granted, used = 0, name, shortfallCents: billed = ZERO } = found
  const { totalCents, creditedCents = ZERO } = charged
  const { shortfallCents } = reducePackage({ granted, used }, { totalCents, creditedCents })
  const priceCents = minus(shortfallCents, billed)
  if (priceCents < LEAST_SHARE_CENTS) return
  const line = { name: `${name}: used beyond what stays paid`, priceCents, kind: 'package_shortfall' }
  await createPackageInvoice(tx, owner, { orgUserId: found.membershipId, ...line })
  found.shortfallCents = shortfallCents
}

function createPackageInvoice(
  tx: Tx,
  actor: Actor,
  { orgUserId, name, priceCents, kind }: { orgUserId: number | null; name: string; priceCents: Cents; kind: string },
) {
  const line = { description: name, quantityHundredths: hundredths(100), unit: 'package', unitPrice: priceCents }
  return createInvoice(tx, actor, {
    payer: { orgUserId, guestId: null },
    lines: [{ kind, ...line, amountCents: priceCents }],
    memo: name,
    reservationId: null,
    ledgerKind: 'invoice_charge',
  })
}
