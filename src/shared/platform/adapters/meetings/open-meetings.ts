import { type Config, ConfigError } from '../../config/config.ts'
import { createOAuthClient } from '../oauth/oauth-client.ts'
import { createGoogleMeetings } from './google.ts'
import type { MeetingService, MeetingServices } from './meetings.port.ts'
import { createZoomMeetings } from './zoom.ts'

/**
 * Returns the configured meeting providers.
 * @throws ConfigError when only one of a provider's two credentials is set
 */
export function openMeetings(config: Config): MeetingServices {
  return { zoom: openZoom(config), google: openGoogle(config) }
}

function openZoom(config: Config): MeetingService | null {
  const credentials = pairOf(config, 'ZOOM_CLIENT_ID', 'ZOOM_CLIENT_SECRET')
  if (!credentials) return null
  const authBase = trimmed(config.ZOOM_AUTH_BASE ?? 'https://zoom.us')
  const apiBase = trimmed(config.ZOOM_API_BASE ?? 'https://api.zoom.us/v2')
  const { MEETING_TIMEOUT_MS: timeoutMs } = config
  return {
    name: 'Zoom',
    // The scopes are configured in the app's registration at Zoom.
    oauth: createOAuthClient({
      ...credentials,
      issuer: authBase,
      authorizeEndpoint: `${authBase}/oauth/authorize`,
      tokenEndpoint: `${authBase}/oauth/token`,
      secretIn: 'header',
      redirectUri: redirectTo(config, 'zoom'),
      asking: {},
      timeoutMs,
    }),
    ...createZoomMeetings({ name: 'Zoom', apiBase, timeoutMs }),
  }
}

function openGoogle(config: Config): MeetingService | null {
  const credentials = pairOf(config, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET')
  if (!credentials) return null
  const { GOOGLE_AUTH_BASE: given, MEETING_TIMEOUT_MS: timeoutMs } = config
  const issuer = trimmed(given ?? 'https://accounts.google.com')
  const apiBase = trimmed(config.GOOGLE_API_BASE ?? 'https://www.googleapis.com')
  return {
    name: 'Google',
    oauth: createOAuthClient({
      ...credentials,
      issuer,
      authorizeEndpoint: `${issuer}/o/oauth2/v2/auth`,
      tokenEndpoint: given ? `${issuer}/token` : 'https://oauth2.googleapis.com/token',
      secretIn: 'form',
      redirectUri: redirectTo(config, 'google'),
      // Google issues a refresh token only after consent, so every connection asks for consent.
      asking: {
        scope: 'openid email https://www.googleapis.com/auth/calendar.events',
        access_type: 'offline',
        prompt: 'consent',
      },
      timeoutMs,
    }),
    ...createGoogleMeetings({ name: 'Google', apiBase, timeoutMs }),
  }
}

type Credential = 'ZOOM_CLIENT_ID' | 'ZOOM_CLIENT_SECRET' | 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET'

function pairOf(config: Config, id: Credential, secret: Credential) {
  const { [id]: clientId, [secret]: clientSecret } = config
  if (!clientId !== !clientSecret) throw new ConfigError(`${clientId ? secret : id} is not set`)
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

function redirectTo({ PUBLIC_URL }: Config, provider: keyof MeetingServices): string {
  return `${PUBLIC_URL}/integrations/${provider}/callback`
}

function trimmed(base: string): string {
  return base.replace(/\/$/, '')
}
