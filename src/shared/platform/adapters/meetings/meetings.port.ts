import type { OAuthClient } from '../oauth/oauth.port.ts'

/** A video call to create in a member's account. */
export interface MeetingToMake {
  /** The member's access token. */
  accessToken: string
  topic: string
  start: Date
  minutes: number
  zone: string
  /** 32 random hexadecimal digits, the same on every attempt, so that one key makes one meeting. */
  key: string
  /** Whether an earlier attempt got no response, so that the meeting may exist already. */
  triedBefore: boolean
  /** Aborts the calls. */
  signal?: AbortSignal
}

/** One provider of meetings: its authorization server and its API. */
export interface MeetingService {
  /** The display name. */
  name: string
  oauth: OAuthClient
  /** Returns the e-mail address of the account; null when the provider does not return one. */
  accountEmail(accessToken: string): Promise<string | null>
  /**
   * Creates the meeting and returns its https URL; safe to repeat with the same key.
   * @throws TokenRefused when the access token is rejected
   * @throws MeetingRefused when the provider will not create this meeting
   * @throws MeetingUnavailable when a later attempt may succeed
   */
  createMeeting(meeting: MeetingToMake): Promise<{ joinUrl: string }>
}

/** The providers; null for one that is not configured. */
export interface MeetingServices {
  zoom: MeetingService | null
  google: MeetingService | null
}

/** The provider rejects the access token: retry with a fresh one. */
export class TokenRefused extends Error {
  constructor() {
    super('The access token was refused.')
    this.name = 'TokenRefused'
  }
}

/** The provider will not create this meeting. `message` may be shown to members. */
export class MeetingRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MeetingRefused'
  }
}

/** The provider is unreachable, busy, or returns an unreadable response: the same call may succeed later. */
export class MeetingUnavailable extends Error {
  /** The delay before a retry; null when the provider gives none. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'MeetingUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
  }
}
