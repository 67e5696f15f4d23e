import type Stripe from 'stripe'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { email, expand, metadata, oneOf, required, text, timeRange } from './params.ts'
import { emptyBook, newId, OWN_ACCOUNT } from './store.ts'
import { StripeFault } from './stripe-fault.ts'

const LINK_SECONDS = 300

export const accountEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/accounts',
    { type: oneOf('standard', 'express', 'custom'), country: text(2), email, metadata, expand: expand() },
    ({ state, now, emit }, given) => {
      const account: Stripe.Account = {
        id: newId('acct'),
        object: 'account',
        charges_enabled: false,
        country: given.country ?? 'US',
        created: now,
        default_currency: 'usd',
        details_submitted: false,
        email: given.email ?? null,
        metadata: given.metadata ?? {},
        payouts_enabled: false,
        type: given.type ?? 'standard',
      }
      state.accounts.set(account.id, account)
      state.books.set(account.id, emptyBook())
      emit('account.updated', account)
      return account
    },
  ),

  endpoint('GET', '/v1/accounts', { ...PAGE, created: timeRange, expand: expand() }, ({ state }, asked) => {
    const accounts = [...state.accounts.values()].filter(({ created = null }) => within(asked.created, created))
    return page('/v1/accounts', accounts, asked)
  }),

  endpoint('GET', '/v1/accounts/:id', { expand: expand() }, (scope, _asked, id) => findAccount(scope, id)),

  endpoint(
    'POST',
    '/v1/account_links',
    {
      account: required(text()),
      type: required(oneOf('account_onboarding', 'account_update')),
      return_url: required(text()),
      refresh_url: required(text()),
      expand: expand(),
    },
    (scope, given) => {
      const { id } = findAccount(scope, given.account)
      const url = `${scope.publicUrl}/connect/${id}?return_url=${encodeURIComponent(given.return_url)}`
      return {
        object: 'account_link',
        created: scope.now,
        expires_at: scope.now + LINK_SECONDS,
        url,
      } satisfies Stripe.AccountLink
    },
  ),

  endpoint('GET', '/v1/balance', { expand: expand() }, ({ book }) => {
    const byCurrency = new Map<string, number>()
    const add = (currency: string, amount: number) => byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amount)
    for (const { currency, amount_received } of [...book.intents.values()]) add(currency, amount_received)
    for (const { currency, amount } of [...book.refunds.values()]) add(currency, -amount)
    const available = [...byCurrency].map(([currency, amount]) => ({ amount, currency }))
    return { object: 'balance', available, pending: [], livemode: false } satisfies Stripe.Balance
  }),
]

function findAccount({ state }: Scope, id: string): Stripe.Account {
  const account = state.accounts.get(id)
  if (!account) throw noAccess(id)
  return account
}

/** Returns Stripe's error for an account that does not exist or is not connected. */
function noAccess(id: string): StripeFault {
  const message = `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`
  return new StripeFault(403, { type: 'invalid_request_error', code: 'account_invalid', message }, { begun: false })
}

/**
 * Returns the objects of an account; null: the account of the key.
 * @throws StripeFault (403) when there is no such account
 */
export function bookOf({ state }: Pick<Scope, 'state'>, account: string | null) {
  const book = state.books.get(account ?? OWN_ACCOUNT)
  if (!book) throw noAccess(account ?? OWN_ACCOUNT)
  return book
}
