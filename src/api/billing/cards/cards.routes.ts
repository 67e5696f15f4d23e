import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { findCardOwner, type MemberCards } from '../../../shared/billing/cards/card-owner.queries.ts'
import { recordCardRemoved, recordCardSetup } from '../../../shared/billing/cards/record-card.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { GatewayRefused, GatewayUnavailable } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { SavedCard } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type Actor, assertIs } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { done, ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { organizationLimits } from '../../http/special-limits.ts'

const tag = 'Invoices'

/** A card on file. Only the payment processor has its number. */
const PaymentMethod = z
  .object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    isDefault: z
      .boolean()
      .describe(
        'Whether it is the default card, which autopay charges. When somebody else requested the page on which the ' +
          'card was saved, autopay charges it only if the member has switched autopay on since then',
      ),
  })
  .meta({ id: 'PaymentMethod' })

const Setup = z
  .object({
    url: z.string().describe('The payment processor’s page on which one card can be saved; valid for a day'),
  })
  .meta({ id: 'PaymentMethodSetup' })

const MethodParams = IdParams.extend({
  methodId: z.string().regex(/^[a-z]{2,10}_[A-Za-z0-9_]{1,100}$/),
})

const errors = [billingErrors.notYourAccount, identityErrors.noSuchMember, billingErrors.gatewayAway]

/** The endpoints of cards on file. The payment processor stores the cards. Implements interface §Invoices. */
export const cardRoutes: Routes = (on) => {
  on.post('/orgUsers/:id/paymentMethods/setup', {
    id: 'startPaymentMethodSetup',
    access: 'member',
    verified: true,
    tag,
    summary: 'Get the page where a member saves a card',
    description:
      'Returns a page of the payment processor on which a card can be saved; the service never sees the card number. ' +
      'Members save their own cards; admins can get the page for any member. When somebody else requested the page, ' +
      'autopay charges the card only after the member switches autopay on again. Limits per day: 5 per member, 20 ' +
      'per organization, and 20 over all organizations of an owner. 503 while the processor does not answer.',
    params: IdParams,
    answers: { 200: envelope(Setup) },
    errors: [...errors, billingErrors.gatewayRefused],
    secret: true,
    prepare: async ({ db, actor, count, params: { id }, services: { gateway, config } }) => {
      const owner = await ownerFor(db, actor, id)
      // The limit per member comes first, so that a request that it refuses does not count for the organization.
      await count([['cardSetupsMember', `${actor.organizationId}:${id}`]])
      await count(await organizationLimits({ actor, db }, 'cardSetupsOrganization'))
      const askedBy = id === actor.orgUserId ? 'payer' : 'other'
      const asked = { ...owner, currency: owner.currency.toLowerCase(), askedBy, returnUrl: config.PUBLIC_URL } as const
      return { account: owner.account, ...(await atGateway(() => gateway.startCardSetup(asked))) }
    },
    write: async (tx, { actor, params }, { url, ...customer }) => {
      await recordCardSetup(tx, actor, params.id, customer)
      return { url }
    },
    answer: ({ url }) => ok({ url }),
  })

  on.get('/orgUsers/:id/paymentMethods', {
    id: 'listPaymentMethods',
    computed: true,
    access: 'member',
    tag,
    summary: 'List the cards of a member',
    description:
      'Lists a member’s cards, newest first. They are the cards in the payment processor’s account through which ' +
      'invoices go now. Members see their own cards; admins see all. 503 while the processor does not answer.',
    params: IdParams,
    answers: { 200: envelope(z.array(PaymentMethod)) },
    errors,
    read: async ({ db, actor, params, services }) => {
      const owner = await ownerFor(db, actor, params.id)
      if (owner.customer.gatewayCustomerId === null) return ok([])
      return ok((await atGateway(() => services.gateway.listCards(owner))).map(viewOf))
    },
  })

  on.delete('/orgUsers/:id/paymentMethods/:methodId', {
    id: 'deletePaymentMethod',
    access: 'member',
    tag,
    summary: 'Remove a card of a member',
    description:
      'Removes a card at the payment processor. Members remove their own cards; admins remove any. 503 while the ' +
      'processor does not answer.',
    params: MethodParams,
    answers: { 204: null },
    errors: [...errors, billingErrors.noSuchCard],
    prepare: async ({ db, actor, params: { id, methodId }, services: { gateway } }) => {
      const owner = await ownerFor(db, actor, id)
      const known = owner.customer.gatewayCustomerId !== null
      if (!known || !(await atGateway(() => gateway.detachCard(owner, methodId)))) throw billingErrors.noSuchCard()
    },
    write: (tx, { actor, params }) => recordCardRemoved(tx, actor, params.id),
    answer: () => done(),
  })
}

/** Returns the member whose cards are meant: the caller, or for admins any member. */
async function ownerFor(db: Db, actor: Actor, orgUserId: number): Promise<MemberCards> {
  const owner = await findCardOwner(db, actor.organizationId, orgUserId)
  if (orgUserId !== actor.orgUserId) assertIs(actor, admins, billingErrors.notYourAccount)
  return owner
}

/** Calls the payment processor while a client waits for the answer. */
async function atGateway<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GatewayRefused) throw billingErrors.gatewayRefused({ reason: error.message })
    if (error instanceof GatewayUnavailable) throw billingErrors.gatewayAway()
    throw error
  }
}

function viewOf({ id, brand, last4, expMonth, expYear, isDefault }: SavedCard): z.input<typeof PaymentMethod> {
  return { id, brand, last4, expMonth, expYear, isDefault }
}
