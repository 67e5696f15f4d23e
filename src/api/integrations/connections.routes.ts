import { z } from 'zod'
import type { MeetingService } from '../../shared/adapters/meetings/meetings.port.ts'
import { beginConnecting, useState } from '../../shared/integrations/connect-account.ts'
import type { MeetingProvider } from '../../shared/integrations/connected-account.entity.ts'
import { listConnections } from '../../shared/integrations/connection.queries.ts'
import { disconnectAccount } from '../../shared/integrations/disconnect-account.ts'
import { NotFound } from '../../shared/kernel/errors.ts'
import { done, ok, redirect } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope } from '../http/schemas.ts'
import type { Services } from '../http/services.ts'
import { Connection, connectionsView } from './connection.view.ts'
import { AuthorizeAddress, AuthorizeQuery, CallbackQuery, ProviderParams } from './connections.schemas.ts'
import { finishConnecting } from './finish-connecting.ts'

const tag = 'Integrations'
const wrongProvider = 'No such provider'
const notOffered = 'The provider is not offered by this installation'

export const connectionRoutes: Routes = (on) => {
  on.get('/integrations', {
    who: 'member',
    tag,
    summary: 'List the caller’s accounts for meetings',
    description: 'One row for each provider that this installation offers, connected or not.',
    answers: { 200: envelope(z.array(Connection)) },
    read: async ({ db, actor, services }) => ok(connectionsView(await listConnections(db, actor), services.meetings)),
  })

  on.visit('/integrations/:provider/authorize', {
    who: 'member',
    tag,
    summary: 'Connect an account for meetings',
    description:
      'Answers 302 to the provider’s page, where the member agrees. Call it with the token and open its `Location` in ' +
      'a browser, within 10 minutes and once. Scripts in a browser, which cannot see where a redirect leads, ask with ' +
      '`as=json` and get the address as data. An account that is connected already is replaced.',
    params: ProviderParams,
    query: AuthorizeQuery,
    answers: { 200: envelope(AuthorizeAddress), 302: null },
    errors: { 400: wrongProvider, 404: notOffered },
    write: (tx, { actor, params: { provider }, services }) => {
      mustBeOffered(services, provider)
      return beginConnecting(tx, actor, provider, services.connectionSecrets)
    },
    answer: async (begun, { params: { provider }, query, services }) => {
      const url = await mustBeOffered(services, provider).oauth.authorizeUrl(begun)
      return query.as === 'json' ? ok({ url }) : redirect(url)
    },
  })

  on.visit('/integrations/:provider/callback', {
    who: 'anyone',
    tag,
    summary: 'Come back from a provider’s page',
    description:
      'Where a provider sends the browser back to. The signed state says whose account it is, so no token is needed; ' +
      'it is good once. Answers 302 to the page `/connected-account?provider=…` that tells how it ended: `error` is ' +
      'there when it failed: `access_denied`, `expired` (the state is over, used or not ours), `refused` or ' +
      '`unavailable`.',
    params: ProviderParams,
    query: CallbackQuery,
    answers: { 302: null },
    errors: { 400: 'No such provider, or nothing that a provider sends', 404: notOffered },
    write: (tx, { params: { provider }, query: { state }, services }) => {
      mustBeOffered(services, provider)
      return useState(tx, services.connectionSecrets, { provider, state })
    },
    answer: async (begun, { params: { provider }, query, services }) => {
      const outcome = await finishConnecting(services, mustBeOffered(services, provider), begun, query)
      const told = new URLSearchParams({ provider, ...(outcome !== 'connected' && { error: outcome }) })
      return redirect(`${services.config.PUBLIC_URL}/connected-account?${told}`)
    },
  })

  on.delete('/integrations/:provider', {
    who: 'member',
    tag,
    summary: 'Disconnect an account for meetings',
    description:
      'The service forgets the account. The permission itself is withdrawn at the provider: it would end for every ' +
      'organization that the person connected the account in.',
    params: ProviderParams,
    answers: { 204: null },
    errors: { 400: wrongProvider, 404: 'No account is connected there' },
    write: (tx, { actor, params: { provider } }) => disconnectAccount(tx, actor, provider),
    answer: () => done(),
  })
}

function mustBeOffered({ meetings }: Services, provider: MeetingProvider): MeetingService {
  const service = meetings[provider]
  if (!service) throw new NotFound('This provider is not offered here.')
  return service
}
