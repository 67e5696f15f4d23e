import type { createMeeting } from '../../../shared/communication/communication.jobs.ts'
import { findMeetingHost } from '../../../shared/communication/meetings/connection.queries.ts'
import { type CallResult, done, never } from '../../../shared/platform/adapters/call-result.ts'
import {
  MeetingRefused,
  type MeetingService,
  TokenRefused,
} from '../../../shared/platform/adapters/meetings/meetings.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { Claim } from '../../../shared/platform/deliveries/delivery.access.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { saveMeeting, saveMeetingError } from '../../../shared/scheduling/booking-requests/decide-request.ts'
import {
  findMeetingToMake,
  type MeetingToMakeRow,
} from '../../../shared/scheduling/booking-requests/meeting-to-make.queries.ts'
import { accessTokenOf } from './access-token.ts'

type Payload = JobPayload<typeof createMeeting>

/**
 * Creates the meeting of an approved booking request, once. Does nothing when the booking was cancelled. A permanent
 * refusal, or the failure of the last attempt, is stored on the request; the booking stays.
 * Implements interface §Booking requests, POST /booking-requests (`meeting`, `meetingError`).
 */
export const createMeetingProcessor: JobProcessor<typeof createMeeting> = async (payload, tools, run) => {
  const wanted = await findMeetingToMake(tools.database.db, payload)
  if (!wanted) return
  const name = tools.meetings[wanted.wish.provider]?.name
  let refused = false
  try {
    await deliver(tools, run, {
      kind: 'meeting',
      subject: `booking-request/${payload.bookingRequestId}`,
      async call(claim, signal) {
        const result = await callProvider(tools, payload, wanted, { claim, signal })
        refused = result.state === 'never'
        return result
      },
      onGivenUp: (tx) => saveMeetingError(tx, payload, `${name} could not be reached to make the meeting.`),
    })
  } catch (error) {
    // The error is stored on the request, so the job does not count as failed.
    if (!refused) throw error
  }
}

interface Call {
  claim: Claim
  signal: AbortSignal
}

async function callProvider(
  tools: JobTools,
  payload: Payload,
  wanted: MeetingToMakeRow,
  call: Call,
): Promise<CallResult> {
  const service = tools.meetings[wanted.wish.provider]
  try {
    if (!service) throw new MeetingRefused('Meetings of this provider are not offered here any more.')
    const joinUrl = await createWithUsableAccount(tools, service, payload, wanted, call)
    return done(joinUrl === null ? undefined : (tx) => saveMeeting(tx, payload, joinUrl))
  } catch (error) {
    if (!(error instanceof MeetingRefused)) throw error
    return never('refused', (tx) => saveMeetingError(tx, payload, error.message))
  }
}

/**
 * Creates the meeting with the first connected account that the provider accepts, and returns its link; null when the
 * booking was cancelled.
 * @throws MeetingRefused when the provider accepts no account
 */
async function createWithUsableAccount(
  tools: JobTools,
  service: MeetingService,
  payload: Payload,
  wanted: MeetingToMakeRow,
  call: Call,
): Promise<string | null> {
  const { organizationId } = payload
  const { provider } = wanted.wish
  for (;;) {
    const host = await findMeetingHost(tools.database.db, organizationId, provider, wanted.hosts)
    if (!host) {
      throw new MeetingRefused(`No ${service.name} account that works is connected. Please connect one again.`)
    }
    const owner = { organizationId, orgUserId: host.orgUserId, provider }
    const accessToken = await accessTokenOf(tools, service, owner)
    if (accessToken === null) continue
    try {
      return await callCreateMeeting(tools, service, payload, accessToken, call)
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
    }
    const fresh = await accessTokenOf(tools, service, owner, accessToken)
    if (fresh === null) continue
    return await callCreateMeeting(tools, service, payload, fresh, call).catch((error: unknown) => {
      if (error instanceof TokenRefused) throw new MeetingRefused(`${service.name} does not let us make meetings.`)
      throw error
    })
  }
}

/**
 * Creates the meeting at the provider and returns its link. Returns null, without a call, when the booking was
 * cancelled while a token was fetched.
 */
async function callCreateMeeting(
  tools: JobTools,
  service: MeetingService,
  payload: Payload,
  accessToken: string,
  { claim, signal }: Call,
): Promise<string | null> {
  const wanted = await findMeetingToMake(tools.database.db, payload)
  if (!wanted) return null
  const { wish, start, end, zone } = wanted
  const minutes = Math.round((end.getTime() - start.getTime()) / 60_000)
  const made = await service.createMeeting({
    key: claim.key,
    triedBefore: claim.attempt > 1,
    accessToken,
    topic: wish.topic,
    start,
    minutes,
    zone,
    signal,
  })
  return made.joinUrl
}
