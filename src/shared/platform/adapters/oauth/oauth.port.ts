/** What an authorization server gave us to act for somebody. */
export interface OAuthTokens {
  accessToken: string
  /** Null when the server did not send one: the one before stays good. */
  refreshToken: string | null
  /** How long the access token is good for; 0 when the server did not say. */
  expiresInSeconds: number
}

/** A connection that was begun: our signed state, and the secret that only who began it can show. */
export interface BegunConnection {
  state: string
  codeVerifier: string
}

/** One provider's authorization server: authorization code with PKCE, then refresh tokens. */
export interface OAuthClient {
  /** The page where the person agrees. */
  authorizeUrl(begun: BegunConnection): Promise<string>
  /**
   * Trades what came back from that page for tokens.
   * @throws GrantRefused when the person said no, or the server does not accept it; OAuthUnavailable.
   */
  redeem(callback: URLSearchParams, begun: BegunConnection): Promise<OAuthTokens>
  /** @throws GrantRefused when the person has to agree again; OAuthUnavailable. */
  refresh(refreshToken: string): Promise<OAuthTokens>
}

/** The server, or the person in front of it, said no. `code` is the protocol's word, such as `access_denied`. */
export class GrantRefused extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The authorization was refused (${code}).`)
    this.name = 'GrantRefused'
    this.code = code
  }
}

/** The server could not be asked, does not accept this service, or gave no answer that can be read: try again. */
export class OAuthUnavailable extends Error {
  readonly retryAfterSeconds: number | null

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'OAuthUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
  }
}
