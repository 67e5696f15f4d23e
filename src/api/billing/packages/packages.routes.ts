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
import { changePackage, createPackage, type PackageChanges } from '../../../shared/billing/packages/put-package.ts'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { is, mustBe } from '../../../shared/platform/authz/actor.ts'
import { flightKinds } from '../../../shared/platform/authz/billing-settings.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams, MAX_CENTS, name, warnings } from '../../http/schemas.ts'
import { answerOneRaised, raisedErrors } from '../invoices/answer-raised.ts'
import { Package, PackagePurchase, packageView, purchaseView } from './package.view.ts'

const tag = 'Packages'

const Grant = z
  .object({
    amountCents: inCents(z.int().min(1).max(MAX_CENTS)).optional().describe('Cents of credit'),
    deciHours: z.int().min(1).max(100_000).optional().describe('Tenths of an hour'),
  })
  .meta({ examples: [{ deciHours: 100 }] })

/** A grant is of credit or of hours. */
function grantsOne({ grant }: { grant?: z.output<typeof Grant> | undefined }, context: z.RefinementCtx): void {
  if (!grant || (grant.amountCents === undefined) !== (grant.deciHours === undefined)) return
  const message = fieldErrors.givesOneOf({ choices: 'amountCents and deciHours' })
  context.addIssue({ code: 'custom', path: ['grant'], message })
}

const fields = {
  name: name(200).meta({ examples: ['Ten hours in the Skyhawk'] }),
  priceCents: inCents(z.int().min(50).max(MAX_CENTS))
    .describe('With taxes')
    .meta({ examples: [165_000] }),
  grant: Grant.describe('What is bought: one of the two'),
  resourceIds: z
    .array(Id)
    .max(200)
    .describe('Whose flights it covers; empty: any')
    .meta({ examples: [[]] }),
  lineKinds: z
    .array(z.enum(flightKinds))
    .max(flightKinds.length)
    .describe('What it covers of a flight; empty: all of it')
    .meta({ examples: [['aircraft']] }),
  expiresAfterDays: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('From payment; null: never')
    .meta({ examples: [365] }),
  active: z
    .boolean()
    .describe('Whether members may buy it')
    .meta({ examples: [true] }),
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
const PurchaseBody = z.object({ orgUserId: Id })

/** Returns a grant as the unit and quantity that are stored. */
function granted({ amountCents, deciHours }: z.output<typeof Grant>) {
  return amountCents !== undefined
    ? { unit: 'cents' as const, grantQuantity: amountCents }
    : { unit: 'deci_hours' as const, grantQuantity: deciHours ?? 0 }
}

/** Packages of credit and of hours. Implements interface §Invoices. */
export const packageRoutes: Routes = (on) => {
  on.get('/packages', {
    id: 'listPackages',
    access: 'member',
    tag,
    summary: 'List the packages that the school sells',
    description: 'By name. Admins see those that are not sold any more too.',
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
    summary: 'Sell a package',
    description:
      'Credit in cents, or hours, that flights use before anything else is charged, oldest first: on some resources or any, ' +
      'for some kinds of line or all. The price includes taxes.',
    body: PackageBody,
    answers: { 201: envelope(Package) },
    errors: [fleetErrors.unknownResource],
    write: (tx, { actor, body: { grant, ...body } }) => createPackage(tx, actor, { ...body, ...granted(grant) }),
    answer: async ({ id }, { db, actor }) => created(packageView(await findPackage(db, actor.organizationId, id))),
  })

  on.patch('/packages/:id', {
    id: 'updatePackage',
    access: admins,
    tag,
    summary: 'Change a package',
    description: 'What is left out stays. What members have bought keeps its terms.',
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
    verified: true,
    tag,
    summary: 'Buy a package',
    description:
      'For oneself; admins sell to any member. Raises its invoice; a ledger-mode member pays at once. Paid, it covers flights ' +
      'that are invoiced from then on. A member buys at most 5 a day, and has at most 3 unpaid. Waits up to 10 seconds for the processor: 201 once it has the invoice, 200 with a ' +
      'warning while pending.',
    params: IdParams,
    body: PurchaseBody,
    answers: { 200: envelope(PackagePurchase, warnings), 201: envelope(PackagePurchase, warnings) },
    errors: [
      billingErrors.noSuchPackage,
      [billingErrors.packageForOthers, 'a member for somebody else'],
      billingErrors.packageNotSold,
      billingErrors.packageBalanceTooLow,
      billingErrors.packagesUnpaid,
      identityErrors.unknownMember,
      ...raisedErrors,
      billingErrors.balanceOutOfBounds,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    prepare: async ({ actor, count }) => {
      if (!is(actor, admins)) await count([['packagesMember', `${actor.organizationId}:${actor.orgUserId}`]])
    },
    write: (tx, { actor, params, body, services }) => {
      const mostUnpaid = MOST_UNPAID * services.config.RATE_LIMIT_FACTOR
      return buyPackage(tx, actor, { packageId: params.id, orgUserId: body.orgUserId, mostUnpaid })
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
    description: 'Latest first. One’s own, or for admins anyone’s.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(PackagePurchase)) },
    errors: [
      [platformErrors.notAllowed, 'neither one’s own nor an admin'],
      billingErrors.notYourAccount,
      identityErrors.noSuchMember,
    ],
    read: async ({ db, actor, params, query, now }) => {
      await assertHasAccount(db, actor.organizationId, params.id)
      if (params.id !== actor.orgUserId) mustBe(actor, admins, billingErrors.notYourAccount)
      return page(await listPage(listPurchases(db, actor.organizationId, params.id, now), query, purchaseView))
    },
  })
}
