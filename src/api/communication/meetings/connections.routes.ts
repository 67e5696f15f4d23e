import { z } from 'zod'
import { communicationErrors } from '../../../shared/communication/communication.errors.ts'
import type { MeetingProvider } from '../../../shared/communication/communication.tables.ts'
import {
  beginConnecting,
  CONNECTING_SECONDS,
  consumeState,
  disconnectAccount,
  openState,
} from '../../../shared/communication/meetings/connect-account.ts'
import { listConnections } from '../../../shared/communication/meetings/connection.queries.ts'
import type { MeetingService } from '../../../shared/platform/adapters/meetings/meetings.port.ts'
import { done, ok, redirect } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { browserCookie } from './browser-cookie.ts'
import { Connection, connectionsView } from './connection.view.ts'
import {
  AuthorizeAddress,
  AuthorizeQuery,
  BeginQuery,
  CallbackQuery,
  DisconnectBody,
  ProviderParams,
} from './connections.schemas.ts'
import { finishConnecting } from './finish-connecting.ts'

const tag = 'Integrations'

export const connectionRoutes: Routes = (on) => {
  on.get('/integrations', {
    id: 'listIntegrations',
    computed: true,
    access: 'member',
    tag,
    summary: 'List your connected meeting accounts',
    description: 'Lists one row for each meeting provider that this installation offers, connected or not.',
    answers: { 200: envelope(z.array(Connection)) },
    read: async ({ db, actor, services }) => ok(connectionsView(await listConnections(db, actor), services.meetings)),
  })

  on.getThatWrites('/integrations/:provider/authorize', {
    id: 'authorizeIntegration',
    access: 'member',
    tag,
    summary: 'Connect a meeting account',
    description:
      'Starts the connection of the caller’s account at a meeting provider. Answers 302 to an address of this ' +
      'service that leads to the provider’s page, where the member agrees. Open that `Location` in a browser within ' +
      '2 minutes; it works once. The connection must be finished in the same browser within 10 minutes. Scripts in a ' +
      'browser cannot read the target of a redirect: with `as=json` they get the address as data. An account that is ' +
      'already connected is replaced. Requires a sign-in in the last 15 minutes; this call accepts no password, ' +
      'because request URLs are logged.',
    params: ProviderParams,
    query: AuthorizeQuery,
    answers: { 200: envelope(AuthorizeAddress), 302: null },
    errors: [communicationErrors.providerNotOffered],
    asksAgain: 'always',
    write: (tx, { actor, params: { provider }, services }) => {
      assertIsOffered(services, provider)
      return beginConnecting(tx, actor, provider, services.connectionSecrets)
    },
    answer: ({ state }, { params: { provider }, query, services }) => {
      const url = `${services.config.PUBLIC_URL}/integrations/${provider}/begin?${new URLSearchParams({ state })}`
      return query.as === 'json' ? ok({ url }) : redirect(url)
    },
  })

  on.getThatWrites('/integrations/:provider/begin', {
    id: 'beginIntegration',
    access: 'anyone',
    tag,
    summary: 'Start a connection in the browser',
    description:
      'Redirects (302) the browser from the address that `authorize` returned to the provider’s page, and sets a ' +
      'cookie. The connection can only be finished with that cookie. When the address was used before or has ' +
      'expired, it redirects to `/connected-account?provider=…&error=expired`.',
    params: ProviderParams,
    query: BeginQuery,
    answers: { 302: null },
    errors: [communicationErrors.providerNotOffered],
    write: (tx, { params: { provider }, query: { state }, services }) => {
      assertIsOffered(services, provider)
      return openState(tx, services.connectionSecrets, { provider, state })
    },
    answer: async (opened, { params: { provider }, services }) => {
      if (!opened) return redirect(pageOf(services, provider, 'expired'))
      const { browser, ...begun } = opened
      const url = await assertIsOffered(services, provider).oauth.authorizeUrl(begun)
      return redirect(url, { 'set-cookie': cookieOf(services, provider).set(browser) })
    },
  })

  on.getThatWrites('/integrations/:provider/callback', {
    id: 'finishIntegration',
    access: 'anyone',
    tag,
    summary: 'Finish a connection after the provider’s page',
    description:
      'Finishes a connection: the provider redirects the browser here. The signed `state` identifies the account, ' +
      'so no token is needed. It works once, and only in the browser that started the connection, which is ' +
      'identified by its cookie. Redirects (302) to the page `/connected-account?provider=…`, which shows the ' +
      'result. After a failure the address has an `error`: `access_denied`, `expired` (the state is unknown, ' +
      'expired, used or of another browser), `refused` or `unavailable`.',
    params: ProviderParams,
    query: CallbackQuery,
    answers: { 302: null },
    errors: [communicationErrors.providerNotOffered],
    write: (tx, { params: { provider }, query: { state }, services, request }) => {
      assertIsOffered(services, provider)
      const browser = cookieOf(services, provider).read(request.headers.cookie)
      return consumeState(tx, services.connectionSecrets, { provider, state, browser })
    },
    answer: async (begun, { params: { provider }, query, services }) => {
      const outcome = await finishConnecting(services, assertIsOffered(services, provider), begun, query)
      const page = pageOf(services, provider, outcome === 'connected' ? null : outcome)
      return redirect(page, begun ? { 'set-cookie': cookieOf(services, provider).clear() } : {})
    },
  })

  on.delete('/integrations/:provider', {
    id: 'disconnectIntegration',
    access: 'member',
    tag,
    summary: 'Disconnect a meeting account',
    description:
      'Deletes the connected account from this organization. The permission at the provider stays, because ' +
      'revoking it would end the connection in every organization of the person; the person can revoke it at the ' +
      'provider. When the sign-in is older than 15 minutes, the password is required.',
    params: ProviderParams,
    body: DisconnectBody,
    answers: { 204: null },
    errors: [communicationErrors.noAccountConnected],
    asksAgain: 'always',
    write: (tx, { actor, params: { provider } }) => disconnectAccount(tx, actor, provider),
    answer: () => done(),
  })
}

function assertIsOffered({ meetings }: Services, provider: MeetingProvider): MeetingService {
  const service = meetings[provider]
  if (!service) throw communicationErrors.providerNotOffered()
  return service
}

/** Returns the address of the page that shows the result of a connection. */
function pageOf({ config }: Services, provider: MeetingProvider, error: string | null): string {
  return `${config.PUBLIC_URL}/connected-account?${new URLSearchParams({ provider, ...(error && { error }) })}`
}

function cookieOf({ config }: Services, provider: MeetingProvider) {
  return browserCookie(config.PUBLIC_URL, provider, CONNECTING_SECONDS)
}
