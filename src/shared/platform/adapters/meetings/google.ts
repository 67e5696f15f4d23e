import { z } from 'zod'
import { askProvider, inShape, JoinUrl, type ProviderAddress } from './ask-provider.ts'
import { MeetingRefused, type MeetingService, type MeetingToMake, MeetingUnavailable } from './meetings.port.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'

const Person = z.object({ email: z.string().max(320).nullish() })
const Event = z.object({
  status: z.string().nullish(),
  hangoutLink: JoinUrl.nullish(),
  conferenceData: z
    .object({
      createRequest: z.object({ status: z.object({ statusCode: z.string() }).nullish() }).nullish(),
      entryPoints: z.array(z.object({ entryPointType: z.string(), uri: z.string() })).nullish(),
    })
    .nullish(),
})
const Problem = z.object({ error: z.object({ errors: z.array(z.object({ reason: z.string() })).nullish() }) })

/** The reasons of a 403 that mean a rate limit. */
const tooMuch = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'])

/**
 * Creates meetings at Google: an event with a video call in the member's calendar. The key is the event's id, so a
 * retry finds the event of the first attempt.
 */
export function createGoogleMeetings(google: ProviderAddress): Pick<MeetingService, 'accountEmail' | 'createMeeting'> {
  return {
    async accountEmail(accessToken) {
      const answer = await askProvider(google, { method: 'GET', path: '/oauth2/v3/userinfo', accessToken })
      return answer.ok ? (inShape(Person, answer.body, google).email ?? null) : null
    },

    async createMeeting(meeting) {
      const { accessToken, key, signal } = meeting
      const path = `${EVENTS}?conferenceDataVersion=1`
      const answer = await askProvider(google, { method: 'POST', path, accessToken, body: eventOf(meeting), signal })
      if (answer.status !== 409) return joinUrlOf(google, answer)
      return joinUrlOf(
        google,
        await askProvider(google, { method: 'GET', path: `${EVENTS}/${key}`, accessToken, signal }),
      )
    },
  }
}

function eventOf({ key, topic, start, minutes, zone }: MeetingToMake) {
  const at = (instant: number) => ({ dateTime: new Date(instant).toISOString(), timeZone: zone })
  return {
    id: key,
    summary: topic,
    start: at(start.getTime()),
    end: at(start.getTime() + minutes * 60_000),
    conferenceData: { createRequest: { requestId: key, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  }
}

function joinUrlOf(
  google: ProviderAddress,
  { ok, status, body }: { ok: boolean; status: number; body: unknown },
): { joinUrl: string } {
  if (!ok) throw refusalOf(status, body)
  const event = inShape(Event, body, google)
  if (event.status === 'cancelled') throw new MeetingRefused('The meeting was deleted at Google.')
  const video = event.conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')
  const link = event.hangoutLink ?? video?.uri
  if (link) return { joinUrl: inShape(JoinUrl, link, google) }
  if (event.conferenceData?.createRequest?.status?.statusCode === 'failure') {
    throw new MeetingRefused('Google made no video call: the account may not have them.')
  }
  throw new MeetingUnavailable('Google is still making the video call.')
}

function refusalOf(status: number, body: unknown): Error {
  const problem = Problem.safeParse(body)
  const reasons = problem.success ? (problem.data.error.errors ?? []) : []
  if (status === 403 && reasons.some(({ reason }) => tooMuch.has(reason))) {
    return new MeetingUnavailable('Google is busy for this account.')
  }
  return new MeetingRefused(`Google refused to make the meeting (${status}).`)
}
