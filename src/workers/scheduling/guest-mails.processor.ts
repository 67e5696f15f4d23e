import { spanInWords } from '../../shared/communication/notifications/templates/when.rules.ts'
import type { JobProcessor, JobTools } from '../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../shared/platform/kernel/text.ts'
import { minuteOfDay } from '../../shared/platform/kernel/zones.ts'
import {
  findDecidedRequest,
  findUnconfirmedRequest,
} from '../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { decisionMessage } from '../../shared/scheduling/booking-requests/decision-message.rules.ts'
import { CONFIRMATION_HOURS } from '../../shared/scheduling/offerings/request-offering.ts'
import { minuteInWords } from '../../shared/scheduling/rules/wording.rules.ts'
import type { mailGuestDecision, sendConfirmation, sendHoldEnded } from '../../shared/scheduling/scheduling.jobs.ts'
import { sendMail } from '../platform/send-mail.ts'
import { bookingInvitations } from './booking-invitations.ts'

/**
 * Mails a guest the desk's decision on a request, with the present time and place of the booking, a calendar
 * invitation, and the payment page of a prepaid booking. Sends nothing when the request has no email address, or the
 * approved booking was cancelled.
 */
export const mailGuestDecisionProcessor: JobProcessor<typeof mailGuestDecision> = async (payload, tools, run) => {
  const row = await findDecidedRequest(tools.database.db, payload)
  if (!row?.guest_email || (row.status === 'approved' && row.cancelled_at)) return
  const { pay_url: payUrl, guest_id: guestId, reservation_id: reservationId } = row
  const reader = { name: row.guest_name ?? row.guest_email, address: row.guest_email, organization: row.organization }
  const { organizationId } = payload
  const { subject, paragraphs } = decisionMessage({ ...row, prepaid: row.collection_style === 'prepaid_fixed', payUrl })
  await sendMail(tools, run, {
    to: reader,
    subject,
    paragraphs: [`Hello ${row.guest_name ?? ''}`.trim().concat(','), ...paragraphs],
    ...(payUrl && { action: { label: 'View and pay', url: payUrl } }),
    footer: `You get this mail because you asked ${row.organization} for a booking.`,
    organizationId,
    group: 'requests',
    reason: 'caused' as const,
    unproven: true,
    ...(guestId !== null && { about: { guestId, matter: `booking_request ${payload.bookingRequestId}` } }),
    ...(reservationId !== null && {
      invitations: await bookingInvitations(
        { kind: 'reservation_created', organizationId, subjectId: reservationId, orgUserId: null, guestId },
        tools,
        { ...reader, as: 'guest' },
      ),
    }),
  })
}

/**
 * Mails the link that confirms a guest's request. Sends nothing when the link is used or expired. Anyone can enter any
 * address in the form, so the mail contains no other text that was entered there.
 */
export const sendConfirmationProcessor: JobProcessor<typeof sendConfirmation> = async (payload, tools, run) => {
  const now = tools.clock()
  const row = await findUnconfirmedRequest(tools.database.db, payload, now)
  if (!row?.guest_email || !row.seed) return
  const zone = row.time_zone_name
  const when = spanInWords(row.starts_at, row.ends_at, zone)
  const heldUntil = row.held_until && row.held_until > now ? minuteInWords(minuteOfDay(row.held_until, zone)) : null
  await sendMail(tools, run, {
    to: { name: '', address: row.guest_email },
    subject: `Please confirm your request: ${cleanName(row.title)}`,
    paragraphs: [
      'Hello,',
      `You asked ${row.organization} for this flight: ${row.title}, ${when}${row.resource ? `, on ${row.resource}` : ''}.`,
      `Please confirm it, so that the school can answer. The link works once, for ${CONFIRMATION_HOURS} hours.`,
      ...(heldUntil ? [`The aircraft is kept for you until ${heldUntil}; after that somebody else may book it.`] : []),
    ],
    action: confirmationOf(tools, row.seed),
    group: 'requests',
    reason: 'asked',
    unproven: true,
    footer: somebodyEntered(row.organization),
    organizationId: payload.organizationId,
  })
}

/**
 * Mails a guest who has not confirmed a request that the school has booked the aircraft that was held for the guest.
 * The mail has the link that still confirms the request, and no text that was entered in the form.
 */
export const sendHoldEndedProcessor: JobProcessor<typeof sendHoldEnded> = async (payload, tools, run) => {
  const row = await findUnconfirmedRequest(tools.database.db, payload, tools.clock())
  if (!row?.guest_email || !row.seed || !row.hold_ended_at) return
  const when = spanInWords(row.starts_at, row.ends_at, row.time_zone_name)
  await sendMail(tools, run, {
    to: { name: '', address: row.guest_email },
    subject: `The aircraft is booked: ${cleanName(row.title)}`,
    paragraphs: [
      'Hello,',
      `${row.organization} has booked ${row.resource ?? 'the aircraft'}, which was kept for this request: ${row.title}, ${when}.`,
      'You can still confirm the request. The school then looks for another aircraft or another time.',
    ],
    action: confirmationOf(tools, row.seed),
    group: 'requests',
    reason: 'asked',
    unproven: true,
    footer: somebodyEntered(row.organization),
    organizationId: payload.organizationId,
  })
}

// A token in the URL fragment does not reach server logs or referrers.
function confirmationOf({ config, mailTokens }: JobTools, seed: string) {
  const url = `${config.PUBLIC_URL}/confirm-request#token=${mailTokens.tokenOf(seed)}`
  return { label: 'Confirm the request', url }
}

function somebodyEntered(organization: string): string {
  return `You get this mail because somebody entered this address at ${organization}. If that was not you, do nothing.`
}
