import type { OAuthClient } from '../oauth/oauth.port.ts'

/** A video call to be made in somebody's account. */
export interface MeetingToMake {
  /** Of the member in whose account it is made. */
  accessToken: string
  topic: string
  start: Date
  minutes: number
  zone: string
  /** 32 hexadecimal digits, drawn by us and the same on every try: one key, one meeting. */
  key: string
  /** An earlier try may have made it without our hearing of it. */
  triedBefore: boolean
  /** Ends the conversation. */
  signal?: AbortSignal
}

/** One provider of meetings: who lets members connect their account, and what is made in it. */
export interface MeetingService {
  /** Its name, for people. */
  name: string
  oauth: OAuthClient
  /** The address that the account is known by; null when the provider does not say. */
  accountEmail(accessToken: string): Promise<string | null>
  /**
   * Makes the meeting and answers its https address; safe to repeat with the same key.
   * @throws TokenRefused, MeetingRefused or MeetingUnavailable
   */
  createMeeting(meeting: MeetingToMake): Promise<{ joinUrl: string }>
}

/** The providers; null for one that is not configured. */
export interface MeetingServices {
  zoom: MeetingService | null
  google: MeetingService | null
}

/** The provider does not accept the access token: a fresh one may do. */
export class TokenRefused extends Error {
  constructor() {
    super('The access token was refused.')
    this.name = 'TokenRefused'
  }
}

/** The provider will not make this meeting. `message` may be shown to members. */
export class MeetingRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MeetingRefused'
  }
}

/** The provider could not be asked, is busy, or gave no answer that can be read: the same call may succeed later. */
export class MeetingUnavailable extends Error {
  /** When to come back, when the provider said so. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'MeetingUnavailable'
    this.retryAfterSeconds = retryAfterSeconds
  }
}
