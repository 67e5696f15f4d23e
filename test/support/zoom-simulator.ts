import {
  type MeetingSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
  startMeetingSimulator,
} from './meeting-simulator.ts'
import type { OAuthServer } from './oauth-server.ts'

interface ZoomMeeting {
  host: string
  id: number
  topic: string
  agenda: string
  start_time: string
  duration: number
  timezone: string
  join_url: string
}

export interface ZoomSimulator extends MeetingSimulator {
  meetings: ZoomMeeting[]
}

const AGENDA_IN_LISTS = 250

/**
 * A stand-in for the parts of Zoom's interface that the service uses: the account, its meetings, and creating one. It
 * has no idempotency keys.
 */
export async function startZoomSimulator(oauth: Pick<OAuthServer, 'holderOf'>): Promise<ZoomSimulator> {
  const meetings: ZoomMeeting[] = []
  const simulator = await startMeetingSimulator({
    oauth,
    unauthorized: { code: 124, message: 'Invalid access token.' },
    answer(request) {
      const { method, path, holder } = request
      if (method === 'GET' && path === '/users/me')
        return { status: 200, body: { id: 'KDcuGIm1', email: holder, type: 2 } }
      if (method === 'GET' && path === '/users/me/meetings') return list(meetings, request)
      if (method === 'POST' && path === '/users/me/meetings') return make(meetings, request)
      return { status: 404, body: { code: 3001, message: 'Meeting does not exist.' } }
    },
  })
  return { ...simulator, meetings }
}

function list(meetings: ZoomMeeting[], { query, holder }: SimulatedRequest): SimulatedAnswer {
  const size = Number(query.get('page_size') ?? 30)
  if (size > 300) return invalid('page_size')
  const from = Number(query.get('next_page_token') || 0)
  const own = meetings.filter(({ host }) => host === holder)
  const page = own.slice(from, from + size).map(({ host: _host, ...meeting }) => ({
    ...meeting,
    type: 2,
    agenda: meeting.agenda.slice(0, AGENDA_IN_LISTS),
  }))
  const next = from + size < own.length ? String(from + size) : ''
  return { status: 200, body: { page_size: size, total_records: own.length, next_page_token: next, meetings: page } }
}

function make(meetings: ZoomMeeting[], { body, holder }: SimulatedRequest): SimulatedAnswer {
  const { type, topic, agenda = '', start_time, duration, timezone } = body
  if (type !== 2) return invalid('type')
  if (typeof topic !== 'string' || topic.length === 0 || topic.length > 200) return invalid('topic')
  if (typeof agenda !== 'string' || agenda.length > 2_000) return invalid('agenda')
  if (typeof start_time !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(start_time))
    return invalid('start_time')
  if (!Number.isInteger(duration) || Number(duration) <= 0) return invalid('duration')
  if (typeof timezone !== 'string') return invalid('timezone')
  const id = 85_746_065_000 + meetings.length
  const join_url = `https://us02web.zoom.example/j/${id}?pwd=aTdpdz09`
  const meeting = { host: holder, id, topic, agenda, start_time, duration: Number(duration), timezone, join_url }
  meetings.push(meeting)
  const start_url = `https://us02web.zoom.example/s/${id}?zak=canary-start-url`
  return { status: 201, body: { ...meeting, type, status: 'waiting', start_url } }
}

function invalid(field: string): SimulatedAnswer {
  return {
    status: 400,
    body: { code: 300, message: 'Validation Failed.', errors: [{ field, message: 'Invalid field.' }] },
  }
}
