import { type Config, required } from '../../config/config.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import type { PaymentGateway } from './payment-gateway.port.ts'
import { accountReady, connectAccount } from './stripe/accounts.ts'
import { detachCard, listCards, startCardSetup } from './stripe/cards.ts'
import { chargeCard } from './stripe/charge-card.ts'
import { connectStripe, inAccount, type StripeConnection } from './stripe/client.ts'
import { findCustomer } from './stripe/customers.ts'
import { sortingErrors } from './stripe/errors.ts'
import { listEvents, verifyEvent } from './stripe/events.ts'
import { viewInvoice } from './stripe/invoice-view.ts'
import { findStripeInvoice, issueInvoice, listInvoices } from './stripe/issue-invoice.ts'
import { findInvoiceOfPayment, readMoney } from './stripe/read-money.ts'
import { markPaidOutOfBand, receivedCents, refund, voidInvoice } from './stripe/settle-invoice.ts'

export interface StripeGatewayOptions extends StripeConnection {
  /** One secret per webhook endpoint at Stripe. */
  webhookSecrets: readonly string[]
  now?: Clock
}

/**
 * Creates the Stripe gateway. The invoices of a school with a connected account are made in that account (direct charges).
 * @throws RangeError for an unusable API URL
 */
export function createStripeGateway(options: StripeGatewayOptions): PaymentGateway {
  const { webhookSecrets, now = systemClock, ...connection } = options
  const stripe = connectStripe(connection)
  return {
    name: 'stripe',
    issueInvoice: (request) => sortingErrors(() => issueInvoice(stripe, request, now())),
    findInvoice: (request) =>
      sortingErrors(async () => {
        const customer = await findCustomer(stripe, request, now())
        const invoice = customer && (await findStripeInvoice(stripe, request, customer))
        return invoice ? viewInvoice(invoice) : null
      }),
    retrieveInvoice: ({ account, gatewayInvoiceId: id }) =>
      sortingErrors(async () => viewInvoice(await stripe.invoices.retrieve(id, {}, inAccount(account)))),
    listInvoices: (account, since) => sortingErrors(() => listInvoices(stripe, account, since)),
    markPaidOutOfBand: (invoice) => sortingErrors(() => markPaidOutOfBand(stripe, invoice)),
    receivedCents: (invoice) => sortingErrors(() => receivedCents(stripe, invoice)),
    readMoney: (invoice) => sortingErrors(() => readMoney(stripe, invoice)),
    findInvoiceOfPayment: (account, payment) => sortingErrors(() => findInvoiceOfPayment(stripe, account, payment)),
    listEvents: (account, asked) => sortingErrors(() => listEvents(stripe, account, asked)),
    voidInvoice: (invoice) => sortingErrors(() => voidInvoice(stripe, invoice)),
    refund: (request) => sortingErrors(() => refund(stripe, request)),
    startCardSetup: (request) => sortingErrors(() => startCardSetup(stripe, request, now())),
    listCards: (owner) => sortingErrors(() => listCards(stripe, owner, now())),
    detachCard: (owner, cardId) => sortingErrors(() => detachCard(stripe, owner, cardId, now())),
    chargeCard: (request) => sortingErrors(() => chargeCard(stripe, request)),
    connectAccount: (request) => sortingErrors(() => connectAccount(stripe, request)),
    accountReady: (account) => sortingErrors(() => accountReady(stripe, account)),
    verifyEvent: (rawBody, signature) => verifyEvent(stripe, webhookSecrets, { rawBody, signature, now: now() }),
  }
}

/**
 * Returns the payment gateway of the configuration.
 * @throws ConfigError naming the variable that is missing
 */
export function openGateway(config: Config): PaymentGateway {
  return createStripeGateway({
    secretKey: required(config, 'STRIPE_SECRET_KEY'),
    webhookSecrets: required(config, 'STRIPE_WEBHOOK_SECRET').split(','),
    ...(config.STRIPE_API_BASE && { apiBase: config.STRIPE_API_BASE }),
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  })
}
