/** The tokens of an authorization server. */
export interface OAuthTokens {
  accessToken: string
  /** Null when the server sent none: the previous token stays valid. */
  refreshToken: string | null
  /** The lifetime of the access token in seconds; 0 when the server did not send one. */
  expiresInSeconds: number
}

/** An authorization that has started: the signed state, and the PKCE secret, which the server compares when the code is redeemed. */
export interface BegunConnection {
  state: string
  codeVerifier: string
}

/** One provider's authorization server: authorization code with PKCE, then refresh tokens. */
export interface OAuthClient {
  /** Returns the URL of the consent page. */
  authorizeUrl(begun: BegunConnection): Promise<string>
  /**
   * Exchanges the callback's code for tokens.
   * @throws GrantRefused when the user declined or the server rejects the code
   * @throws OAuthUnavailable when a later attempt may succeed
   */
  redeem(callback: URLSearchParams, begun: BegunConnection): Promise<OAuthTokens>
  /**
   * Exchanges a refresh token for tokens.
   * @throws GrantRefused when the user must consent again
   * @throws OAuthUnavailable when a later attempt may succeed
   */
  refresh(refreshToken: string): Promise<OAuthTokens>
}

/** The server or the user declined. `code` is the protocol's error code, such as `access_denied`. */
export class GrantRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The authorization was refused (${code}).`)
    this.name = 'GrantRefused'
    this.code = code
  }
}

/** The server is unreachable, rejects this client, or returns an unreadable response: retry later. */
export class OAuthUnavailable extends Error {
  readonly retryAfterSeconds: number | null

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'OAuthUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
  }
}
