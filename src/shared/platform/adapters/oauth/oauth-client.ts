import * as oauth from 'oauth4webapi'
import { sortingErrors } from './errors.ts'
import { GrantRefused, type OAuthClient, type OAuthTokens } from './oauth.port.ts'

export interface OAuthClientOptions {
  /** The server's issuer identifier. */
  issuer: string
  authorizeEndpoint: string
  tokenEndpoint: string
  clientId: string
  clientSecret: string
  /** Where the client secret is sent: in the `Authorization` header or in the form. */
  secretIn: 'header' | 'form'
  redirectUri: string
  /** Further parameters of the authorization page, such as scopes. */
  asking: Record<string, string>
  timeoutMs: number
}

/**
 * Creates a client of one authorization server. It uses the authorization code flow with PKCE (S256), follows no redirects,
 * and has a time limit for every call.
 */
export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const { clientId, clientSecret, redirectUri, authorizeEndpoint, tokenEndpoint, timeoutMs } = options
  const server = {
    issuer: options.issuer,
    authorization_endpoint: authorizeEndpoint,
    token_endpoint: tokenEndpoint,
  }
  const client = { client_id: clientId }
  const secret =
    options.secretIn === 'form' ? oauth.ClientSecretPost(clientSecret) : plainHeader(clientId, clientSecret)
  const bounds = {
    signal: () => AbortSignal.timeout(timeoutMs),
    // Plain http is allowed only when an operator configured an `http:` URL in place of the provider's.
    [oauth.allowInsecureRequests]: tokenEndpoint.startsWith('http:'),
  }

  return {
    async authorizeUrl({ state, codeVerifier }) {
      const url = new URL(authorizeEndpoint)
      url.search = new URLSearchParams({
        ...options.asking,
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },

    async redeem(callback, { state, codeVerifier }) {
      const accepted = accept(() => oauth.validateAuthResponse(server, client, callback, state))
      if (!accepted.get('code')) throw new GrantRefused('invalid_response')
      return sortingErrors(async () => {
        const grant = [server, client, secret, accepted, redirectUri, codeVerifier, bounds] as const
        const response = await oauth.authorizationCodeGrantRequest(...grant)
        return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response))
      })
    },

    refresh: (refreshToken) =>
      sortingErrors(async () => {
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, bounds)
        return tokensOf(await oauth.processRefreshTokenResponse(server, client, response))
      }),
  }
}

/** Returns unescaped Basic credentials: some servers do not decode the escaping that the protocol requires. */
function plainHeader(clientId: string, clientSecret: string): oauth.ClientAuth {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

/** Validates the callback's parameters; any error in this untrusted input is a GrantRefused. */
function accept(validate: () => URLSearchParams): URLSearchParams {
  try {
    return validate()
  } catch (error) {
    throw new GrantRefused(error instanceof oauth.AuthorizationResponseError ? error.error : 'invalid_response')
  }
}

function tokensOf(answer: oauth.TokenEndpointResponse): OAuthTokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresInSeconds: answer.expires_in ?? 0,
  }
}
