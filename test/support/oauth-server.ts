import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

/** A real authorization server with the endpoints of one of the meeting providers. */
export interface OAuthServer {
  url: string
  clientId: string
  clientSecret: string
  /** The person who signs in, and whether they consent. */
  person: { email: string; agrees: boolean }
  /** All issued tokens and codes. */
  issued: string[]
  /** The grant types of all requests to the token endpoint, in order, refused ones included. */
  asked: string[]
  /** The results of the next requests to the token endpoint, one each. */
  faults: TokenFault[]
  /** How long the token endpoint takes, in milliseconds. */
  slowness: { ms: number }
  /** Returns the account of an access token; null when the token is unknown, expired or revoked. */
  holderOf(token: string): Promise<string | null>
  /** Revokes every access token, as a provider may at any time. Refreshing still works. */
  endAccess(): Promise<void>
  /** Revokes every refresh token: members have to connect again. */
  endRefresh(): Promise<void>
  close(): Promise<void>
}

export type TokenFault =
  | { kind: 'status'; status: number; retryAfter?: string }
  | { kind: 'hang' }
  | { kind: 'nonsense' }

/** The endpoints and scopes of each provider. */
const layouts = {
  zoom: {
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    auth: 'client_secret_basic',
    scopes: ['meeting:write'],
    /** The scope of a client that requests none: the registered one. */
    registered: '&scope=meeting:write',
    /** A refresh returns a new refresh token. A token that is used twice ends the grant. */
    rotates: true,
  },
  google: {
    routes: { authorization: '/o/oauth2/v2/auth', token: '/token' },
    auth: 'client_secret_post',
    scopes: ['https://www.googleapis.com/auth/calendar.events'],
    registered: '',
    rotates: false,
  },
} as const

/** Starts an authorization server that requires PKCE with S256. */
export async function startOAuthServer(kind: keyof typeof layouts, redirectUri: string): Promise<OAuthServer> {
  const { routes, auth, scopes, registered, rotates } = layouts[kind]
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { client_id: `flightline${kind}`, client_secret: `canary${kind}clientsecret` }
  const person = { email: `captain@${kind}.example`, agrees: true }
  const provider = new Provider(url, {
    clients: [
      {
        ...client,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: auth,
      },
    ],
    routes,
    scopes: ['openid', 'email', ...scopes],
    claims: { email: ['email'] },
    pkce: { required: () => true },
    rotateRefreshToken: rotates,
    issueRefreshToken: async () => true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/agree/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId, email: accountId }) }),
    cookies: { keys: ['a test server'] },
    jwks: await signingKeys(),
    ttl: {
      AccessToken: 3_600,
      IdToken: 600,
      AuthorizationCode: 60,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 600,
      Interaction: 600,
    },
  } satisfies Configuration)

  const tokens = { access: [] as Ended[], refresh: [] as Ended[] }
  const issued: string[] = []
  const faults: TokenFault[] = []
  const slowness = { ms: 0 }
  const asked: string[] = []
  provider.on('access_token.saved', (token) => void tokens.access.push(token))
  provider.on('refresh_token.saved', (token) => void tokens.refresh.push(token))
  for (const event of [
    'access_token.issued',
    'access_token.saved',
    'refresh_token.saved',
    'authorization_code.saved',
  ] as const) {
    provider.on(event as 'access_token.saved', (token) => void issued.push(token.jti))
  }
  provider.on('grant.success', (ctx) => void asked.push(String(ctx.oidc.params?.grant_type)))
  provider.on('grant.error', (ctx) => void asked.push(`${ctx.oidc.params?.grant_type} refused`))

  const serve = provider.callback()
  server.on('request', (request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/agree/')) return void answerPerson(provider, request, response, person)
    if (path.startsWith(`${routes.authorization}?`)) request.url = path + registered
    const fault = path.startsWith(routes.token) ? faults.shift() : undefined
    if (fault) return play(fault, response)
    return void setTimeout(() => serve(request, response), path.startsWith(routes.token) ? slowness.ms : 0)
  })

  return {
    url,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    person,
    issued,
    asked,
    faults,
    slowness,
    async holderOf(value) {
      const token = await provider.AccessToken.find(value)
      return token?.accountId ?? null
    },
    endAccess: () => end(tokens.access),
    endRefresh: () => end(tokens.refresh),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Ended {
  destroy(): Promise<void>
}

async function end(tokens: Ended[]): Promise<void> {
  for (const token of tokens.splice(0)) await token.destroy()
}

/** Answers the sign-in page and the consent page for the person, at once. */
async function answerPerson(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { email, agrees }: OAuthServer['person'],
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  if (!agrees) {
    await provider.interactionFinished(request, response, { error: 'access_denied' })
    return
  }
  const grant = new provider.Grant({ accountId: email, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope ?? ''))
  const grantId = await grant.save()
  await provider.interactionFinished(request, response, { login: { accountId: email }, consent: { grantId } })
}

function play(fault: TokenFault, response: ServerResponse): void {
  if (fault.kind === 'hang') return
  if (fault.kind === 'nonsense') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
    return
  }
  response.writeHead(fault.status, { ...(fault.retryAfter && { 'retry-after': fault.retryAfter }) }).end()
}

async function signingKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] }
}
