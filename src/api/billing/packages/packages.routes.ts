import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { assertHasAccount } from '../../../shared/billing/ledger/ledger.access.ts'
import { buyPackage, MOST_UNPAID } from '../../../shared/billing/packages/buy-package.ts'
import {
  findPackage,
  findPurchase,
  listPackages,
  listPurchases,
} from '../../../shared/billing/packages/package.queries.ts'
import { changePackage, createPackage, type PackageChanges } from '../../../shared/billing/packages/write-package.ts'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { assertIs, is } from '../../../shared/platform/authz/actor.ts'
import { flightKinds } from '../../../shared/platform/authz/billing-settings.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams, MAX_CENTS, MemberReference, name, warnings } from '../../http/schemas.ts'
import { answerOneRaised, raisedErrors } from '../invoices/answer-raised.ts'
import { Package, PackagePurchase, packageView, purchaseView } from './package.view.ts'

const tag = 'Packages'

const Grant = z
  .object({
    amountCents: inCents(z.int().min(1).max(MAX_CENTS)).optional().describe('Cents of credit'),
    deciHours: z.int().min(1).max(100_000).optional().describe('Tenths of an hour'),
  })
  .meta({ id: 'GrantedAmount' })

/** Checks that a grant is either an amount of credit or a number of hours. */
function grantsOne({ grant }: { grant?: z.output<typeof Grant> | undefined }, context: z.RefinementCtx): void {
  if (!grant || (grant.amountCents === undefined) !== (grant.deciHours === undefined)) return
  const message = fieldErrors.givesOneOf({ choices: 'amountCents and deciHours' })
  context.addIssue({ code: 'custom', path: ['grant'], message })
}

const fields = {
  name: name(200),
  priceCents: inCents(z.int().min(50).max(MAX_CENTS)).describe('Includes taxes'),
  grant: Grant.describe('What the buyer gets: exactly one of `amountCents` and `deciHours`'),
  resourceIds: z.array(Id).max(200).describe('The resources whose flights it covers; empty: all'),
  lineKinds: z
    .array(z.enum(flightKinds).meta({ choices: 'PackageLineKind' }))
    .max(flightKinds.length)
    .describe('The kinds of invoice line that it covers; empty: all lines of a flight'),
  expiresAfterDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days from payment until it expires; null: it never expires'),
  active: z.boolean().describe('Whether members can buy it; admins can always sell it'),
}

const PackageBody = z
  .object({
    ...fields,
    resourceIds: fields.resourceIds.default([]),
    lineKinds: fields.lineKinds.default([]),
    expiresAfterDays: fields.expiresAfterDays.default(null),
    active: fields.active.default(true),
  })
  .superRefine(grantsOne)
const PackagePatch = z.object(fields).partial().superRefine(grantsOne)
const PurchaseBody = MemberReference

/** Returns the unit and the quantity in which a grant is stored. */
function granted({ amountCents, deciHours }: z.output<typeof Grant>) {
  return amountCents !== undefined
    ? { unit: 'cents' as const, grantQuantity: amountCents }
    : { unit: 'deci_hours' as const, grantQuantity: deciHours ?? 0 }
}

/** The endpoints of packages of credit and of hours, and of their purchases. Implements interface §Invoices. */
export const packageRoutes: Routes = (on) => {
  on.get('/packages', {
    id: 'listPackages',
    access: 'member',
    tag,
    summary: 'List the packages that the organization sells',
    description: 'Lists packages by name. Members see those with `active: true`; admins see all.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Package)) },
    read: async ({ db, actor, query }) => {
      const source = listPackages(db, actor.organizationId, { soldOnly: !is(actor, admins) })
      return page(await listPage(source, query, packageView))
    },
  })

  on.post('/packages', {
    id: 'createPackage',
    access: admins,
    tag,
    summary: 'Create a package',
    description:
      'Creates a package of credit in cents or of hours, for members to buy. Before anything else is charged, a ' +
      'flight uses the payer’s packages, the oldest purchase first. A package covers all resources or some, and ' +
      'all kinds of invoice line or some.',
    body: PackageBody,
    answers: { 201: envelope(Package) },
    errors: [fleetErrors.unknownResource],
    write: (tx, { actor, body: { grant, ...body } }) => createPackage(tx, actor, { ...body, ...granted(grant) }),
    answer: async ({ id }, { db, actor }) => created(packageView(await findPackage(db, actor.organizationId, id))),
  })

  on.get('/packages/:id', {
    id: 'readPackage',
    access: 'member',
    tag,
    summary: 'Read a package',
    description: 'Returns a package. Members can read those with `active: true`; admins can read all.',
    params: IdParams,
    answers: { 200: envelope(Package) },
    errors: [billingErrors.noSuchPackage],
    read: async ({ db, actor, params }) => {
      const row = await findPackage(db, actor.organizationId, params.id)
      if (!row.active && !is(actor, admins)) throw billingErrors.noSuchPackage()
      return ok(packageView(row))
    },
  })

  on.patch('/packages/:id', {
    id: 'updatePackage',
    access: admins,
    tag,
    edits: 'package',
    summary: 'Change a package',
    description: 'Changes the fields that are sent. Earlier purchases keep their terms.',
    params: IdParams,
    body: PackagePatch,
    answers: { 200: envelope(Package) },
    errors: [billingErrors.noSuchPackage, fleetErrors.unknownResource],
    write: (tx, { actor, params, body: { grant, ...body } }) => {
      const changes: PackageChanges = { ...body, ...(grant && granted(grant)) }
      return changePackage(tx, actor, params.id, changes)
    },
    answer: async ({ id }, { db, actor }) => ok(packageView(await findPackage(db, actor.organizationId, id))),
  })

  on.post('/packages/:id/purchases', {
    id: 'buyPackage',
    access: 'member',
    grant: 'cashier',
    verified: true,
    tag,
    summary: 'Buy a package',
    description:
      'Sells a package to a member: members buy for themselves, admins sell to any member, cashiers sell active ' +
      'packages to others. Creates the invoice; a member with `billingMode: ledger` pays immediately from the ' +
      'ledger. Once paid, the package covers flights that are invoiced from then on. A member who is not an admin ' +
      'can buy at most 5 packages per day and have at most 3 unpaid ones. Waits up to 10 seconds for the payment ' +
      'processor: 201 once it has the invoice; 200 with a warning while the invoice is pending.',
    params: IdParams,
    body: PurchaseBody,
    answers: { 200: envelope(PackagePurchase, warnings), 201: envelope(PackagePurchase, warnings) },
    errors: [
      billingErrors.noSuchPackage,
      [billingErrors.packageForOthers, 'a member who is neither an admin nor a cashier buys for somebody else'],
      billingErrors.packageNotSold,
      billingErrors.ownMoney,
      billingErrors.aboveCashierLimit,
      billingErrors.packageBalanceTooLow,
      billingErrors.packagesUnpaid,
      identityErrors.unknownMember,
      ...raisedErrors,
      billingErrors.balanceOutOfBounds,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    prepare: async ({ actor, body, count, asAdmin }) => {
      if (body.orgUserId !== actor.orgUserId) return asAdmin(billingErrors.packageForOthers)
      if (!is(actor, admins)) await count([['packagesMember', `${actor.organizationId}:${actor.orgUserId}`]])
      return actor
    },
    write: (tx, { params, body, services }, seller) => {
      const mostUnpaid = MOST_UNPAID * services.config.RATE_LIMIT_FACTOR
      return buyPackage(tx, seller, { packageId: params.id, orgUserId: body.orgUserId, mostUnpaid })
    },
    answer: async (made, context) => {
      const answer = await answerOneRaised(made, context)
      const { services, actor, now } = context
      const data = purchaseView(await findPurchase(services.database.db, actor.organizationId, made.id, now))
      return { ...answer, body: { ...(answer.body as object), data } }
    },
  })

  on.get('/orgUsers/:id/packages', {
    id: 'listPurchasedPackages',
    access: 'member',
    tag,
    summary: 'List the packages that a member bought',
    description: 'Lists a member’s purchases, latest first. Members see their own purchases; admins see all.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(PackagePurchase)) },
    errors: [
      [platformErrors.notAllowed, 'the caller is neither the member nor an admin'],
      billingErrors.notYourAccount,
      identityErrors.noSuchMember,
    ],
    read: async ({ db, actor, params, query, now }) => {
      await assertHasAccount(db, actor.organizationId, params.id)
      if (params.id !== actor.orgUserId) assertIs(actor, admins, billingErrors.notYourAccount)
      return page(await listPage(listPurchases(db, actor.organizationId, params.id, now), query, purchaseView))
    },
  })
}
