import { z } from 'zod'
import { askProvider, inShape, JoinUrl, type ProviderAddress } from './ask-provider.ts'
import { MeetingRefused, type MeetingService, type MeetingToMake } from './meetings.port.ts'

const Person = z.object({ email: z.string().max(320).nullish() })
const Made = z.object({ join_url: JoinUrl })
const Listed = z.object({
  next_page_token: z.string().nullish(),
  meetings: z.array(z.looseObject({ agenda: z.string().nullish() })),
})

/** The most pages of a host's meetings to search: 300 meetings each, the soonest first. */
const PAGES = 3
const SCHEDULED = 2

/**
 * Creates meetings in the member's own Zoom account. Zoom's API has no idempotency key, so a retry first searches the agendas
 * of the existing meetings for the key.
 */
export function createZoomMeetings(zoom: ProviderAddress): Pick<MeetingService, 'accountEmail' | 'createMeeting'> {
  return {
    async accountEmail(accessToken) {
      const answer = await askProvider(zoom, { method: 'GET', path: '/users/me', accessToken })
      return answer.ok ? (inShape(Person, answer.body, zoom).email ?? null) : null
    },

    async createMeeting(meeting) {
      const made = meeting.triedBefore ? await findMade(zoom, meeting) : null
      if (made) return { joinUrl: inShape(Made, made, zoom).join_url }
      const answer = await askProvider(zoom, {
        method: 'POST',
        path: '/users/me/meetings',
        accessToken: meeting.accessToken,
        signal: meeting.signal,
        body: {
          type: SCHEDULED,
          topic: meeting.topic,
          agenda: agendaOf(meeting),
          start_time: meeting.start.toISOString().replace(/[.]\d+Z$/, 'Z'),
          duration: meeting.minutes,
          timezone: meeting.zone,
        },
      })
      if (!answer.ok) throw new MeetingRefused(`Zoom refused to make the meeting (${answer.status}).`)
      return { joinUrl: inShape(Made, answer.body, zoom).join_url }
    },
  }
}

/** Returns the agenda, with the key near its start, because Zoom's lists return only the first 250 characters. */
function agendaOf({ key }: MeetingToMake): string {
  return `Booking ${key}`
}

async function findMade(zoom: ProviderAddress, meeting: MeetingToMake): Promise<unknown> {
  let pageToken = ''
  for (let page = 0; page < PAGES; page += 1) {
    const query = new URLSearchParams({ type: 'scheduled', page_size: '300', next_page_token: pageToken })
    const path = `/users/me/meetings?${query}`
    const answer = await askProvider(zoom, {
      method: 'GET',
      path,
      accessToken: meeting.accessToken,
      signal: meeting.signal,
    })
    if (!answer.ok) throw new MeetingRefused(`Zoom refused to tell of the account’s meetings (${answer.status}).`)
    const listed = inShape(Listed, answer.body, zoom)
    const ours = listed.meetings.find(({ agenda }) => agenda?.includes(meeting.key))
    if (ours) return ours
    pageToken = listed.next_page_token ?? ''
    if (pageToken === '') return null
  }
  return null
}
