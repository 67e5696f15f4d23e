import type Stripe from 'stripe'
import type { ConnectAccount } from '../payment-gateway.port.ts'
import { KEY } from './client.ts'
import { postOnce } from './post-once.ts'

/**
 * Returns the school's own Stripe account and a new link to its onboarding page. Creates the account when the school has none;
 * a repeated call does not create a second one.
 */
export async function connectAccount(
  stripe: Stripe,
  request: ConnectAccount,
): Promise<{ account: string; onboardingUrl: string }> {
  const account = request.account ?? (await openAccount(stripe, request)).id
  const link = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    return_url: request.returnUrl,
    refresh_url: request.refreshUrl,
  })
  return { account, onboardingUrl: link.url }
}

function openAccount(stripe: Stripe, { key, email }: ConnectAccount): Promise<Stripe.Account> {
  return postOnce<Stripe.Account>(
    `${key}:account`,
    (idempotencyKey) =>
      stripe.accounts.create({ type: 'standard', email, metadata: { [KEY]: key } }, { idempotencyKey }),
    async () => {
      for await (const account of stripe.accounts.list({ limit: 100 }))
        if (account.metadata?.[KEY] === key) return account
      return null
    },
  )
}

/** Returns whether the account can receive payments. */
export async function accountReady(stripe: Stripe, account: string): Promise<boolean> {
  const { charges_enabled } = await stripe.accounts.retrieve(account)
  return charges_enabled
}
