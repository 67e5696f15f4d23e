import * as oauth from 'oauth4webapi'
import { retryAfterSeconds } from '../call-result.ts'
import { GrantRefused, OAuthUnavailable } from './oauth.port.ts'

/**
 * Runs calls to an authorization server. Replaces the errors of the library, because they contain requests and responses.
 * @throws GrantRefused when the grant is not valid any more
 * @throws OAuthUnavailable for every other error, also for rejected client credentials, because an operator can fix these
 */
export async function sortingErrors<T>(conversation: () => Promise<T>): Promise<T> {
  try {
    return await conversation()
  } catch (error) {
    throw sorted(error)
  }
}

function sorted(error: unknown): Error {
  if (error instanceof oauth.ResponseBodyError && error.status < 500) {
    if (error.error === 'invalid_grant') return new GrantRefused('invalid_grant')
    const code = /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'error'
    return new OAuthUnavailable(`The authorization server refused the request (${code}).`, wish(error.response))
  }
  const response = responseOf(error)
  if (response) return new OAuthUnavailable(`The authorization server answered ${response.status}.`, wish(response))
  return new OAuthUnavailable('The authorization server gave no answer that can be read.')
}

function responseOf(error: unknown): Response | null {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) {
    return error.response
  }
  return error instanceof Error && error.cause instanceof Response ? error.cause : null
}

function wish(response: Response): number | null {
  return retryAfterSeconds(response.headers)
}
