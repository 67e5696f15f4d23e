import {
  type MeetingSimulator,
  type SimulatedAnswer,
  type SimulatedRequest,
  startMeetingSimulator,
} from './meeting-simulator.ts'
import type { OAuthServer } from './oauth-server.ts'

interface GoogleEvent {
  calendar: string
  id: string
  summary: string
  status: 'confirmed' | 'cancelled'
  start: { dateTime: string; timeZone: string }
  end: { dateTime: string; timeZone: string }
  /** Whether its call is still being created. Reading it once more completes it. */
  pending: boolean
}

export interface GoogleSimulator extends MeetingSimulator {
  events: GoogleEvent[]
  /** Whether a call is created some time after its event. */
  slow: boolean
}

const EVENTS = '/calendar/v3/calendars/primary/events'

/**
 * A stand-in for the parts of Google's interfaces that the service uses: the account's identity, and events with a call
 * in its own calendar.
 */
export async function startGoogleSimulator(oauth: Pick<OAuthServer, 'holderOf'>): Promise<GoogleSimulator> {
  const events: GoogleEvent[] = []
  const simulator = await startMeetingSimulator({
    oauth,
    unauthorized: problem(401, 'authError', 'Invalid Credentials').body,
    answer(request) {
      const { method, path, holder } = request
      if (method === 'GET' && path === '/oauth2/v3/userinfo') return { status: 200, body: { sub: '1', email: holder } }
      if (method === 'POST' && path === EVENTS) return insert(google, request)
      const event = events.find(({ id, calendar }) => path === `${EVENTS}/${id}` && calendar === holder)
      if (method !== 'GET' || !event) return problem(404, 'notFound', 'Not Found')
      event.pending = false
      return { status: 200, body: viewOf(event) }
    },
  })
  const google: GoogleSimulator = { ...simulator, events, slow: false }
  return google
}

function insert({ events, slow }: GoogleSimulator, { body, query, holder }: SimulatedRequest): SimulatedAnswer {
  const {
    id = '',
    summary = '',
    start,
    end,
    conferenceData,
  } = body as Partial<GoogleEvent> & {
    conferenceData?: { createRequest?: { requestId?: string; conferenceSolutionKey?: { type?: string } } }
  }
  const create = conferenceData?.createRequest
  if (query.get('conferenceDataVersion') !== '1') return problem(400, 'invalid', 'no conference data asked for')
  if (!create?.requestId || create.conferenceSolutionKey?.type !== 'hangoutsMeet')
    return problem(400, 'invalid', 'Invalid')
  if (!/^[a-v0-9]{5,1024}$/.test(id)) return problem(400, 'invalid', 'Invalid resource id value.')
  if (!isTime(start) || !isTime(end)) return problem(400, 'required', 'Missing end time.')
  if (events.some((event) => event.id === id)) {
    return problem(409, 'duplicate', 'The requested identifier already exists.')
  }
  const event = { calendar: holder, id, summary, start, end, status: 'confirmed' as const, pending: slow }
  events.push(event)
  return { status: 200, body: viewOf(event) }
}

function isTime(at: GoogleEvent['start'] | undefined): at is GoogleEvent['start'] {
  return typeof at?.timeZone === 'string' && !Number.isNaN(Date.parse(at.dateTime))
}

function viewOf({ calendar: _calendar, pending, ...event }: GoogleEvent) {
  const uri = `https://meet.google.example/${event.id.slice(0, 10)}`
  const statusCode = pending ? 'pending' : 'success'
  const made = pending ? {} : { entryPoints: [{ entryPointType: 'video', uri }] }
  return {
    kind: 'calendar#event',
    ...event,
    ...(!pending && { hangoutLink: uri }),
    conferenceData: { createRequest: { requestId: event.id, status: { statusCode } }, ...made },
  }
}

/** Returns an error in Google's form. */
export function problem(code: number, reason: string, message: string): SimulatedAnswer {
  return { status: code, body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } } }
}
