import {
  MeetingRefused,
  type MeetingService,
  MeetingUnavailable,
  TokenRefused,
} from '../../shared/adapters/meetings/meetings.port.ts'
import { findMeetingToMake, type MeetingToMakeRow } from '../../shared/booking-requests/meeting-to-make.queries.ts'
import {
  claimMeeting,
  noteMeeting,
  noteMeetingError,
  releaseMeeting,
} from '../../shared/booking-requests/note-meeting.ts'
import { findMeetingHost } from '../../shared/integrations/find-meeting-host.ts'
import type { createMeeting } from '../../shared/integrations/meetings.jobs.ts'
import type { JobPayload } from '../../shared/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../shared/jobs/job-tools.ts'
import { accessTokenOf } from './access-token.ts'

type Payload = JobPayload<typeof createMeeting>

/**
 * Makes the meeting of an approved booking request, once. What cannot heal is written on the request, and so is the
 * last try; the booking stands either way, and one that was cancelled meanwhile gets none.
 */
export const createMeetingOfRequest: JobProcessor<typeof createMeeting> = async (payload, tools, run) => {
  const wanted = await findMeetingToMake(tools.database.db, payload)
  if (!wanted) return
  const service = tools.meetings[wanted.wish.provider]
  try {
    if (!service) throw new MeetingRefused('Meetings of this provider are not offered here any more.')
    const joinUrl = await inSomeAccount(tools, service, payload, wanted)
    await tools.transaction((tx) => noteMeeting(tx, payload, joinUrl))
  } catch (error) {
    const refused = error instanceof MeetingRefused
    const message = refused ? error.message : `${service?.name} could not be reached to make the meeting.`
    if (refused || run.lastAttempt) await tools.transaction((tx) => noteMeetingError(tx, payload, message))
    if (!refused) throw error
  }
}

/** Makes it in the first account that its provider still accepts. */
async function inSomeAccount(
  tools: JobTools,
  service: MeetingService,
  payload: Payload,
  wanted: MeetingToMakeRow,
): Promise<string> {
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
      return await make(tools, service, payload, wanted, accessToken)
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
    }
    const fresh = await accessTokenOf(tools, service, owner, accessToken)
    if (fresh === null) continue
    return await make(tools, service, payload, wanted, fresh).catch((error: unknown) => {
      if (error instanceof TokenRefused) throw new MeetingRefused(`${service.name} does not let us make meetings.`)
      throw error
    })
  }
}

/** One conversation with the provider, written down before it begins, and ended in the books however it ends. */
async function make(
  tools: JobTools,
  service: MeetingService,
  payload: Payload,
  { wish, start, end, zone }: MeetingToMakeRow,
  accessToken: string,
): Promise<string> {
  const claim = await tools.transaction((tx) => claimMeeting(tx, payload))
  if (!claim) throw new MeetingUnavailable('Another run is making this meeting, or it is off.')
  const minutes = Math.round((end.getTime() - start.getTime()) / 60_000)
  try {
    const made = await service.createMeeting({ ...claim, accessToken, topic: wish.topic, start, minutes, zone })
    return made.joinUrl
  } catch (error) {
    await tools.transaction((tx) => releaseMeeting(tx, payload))
    throw error
  }
}
