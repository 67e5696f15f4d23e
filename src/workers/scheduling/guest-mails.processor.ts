import { spanInWords } from '../../shared/communication/notifications/templates/when.rules.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../shared/platform/kernel/text.ts'
import { minuteOfDay } from '../../shared/platform/kernel/zones.ts'
import {
  findDecidedRequest,
  findUnconfirmedRequest,
} from '../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { decisionMessage } from '../../shared/scheduling/booking-requests/decision-message.rules.ts'
import { CONFIRMATION_HOURS } from '../../shared/scheduling/offerings/request-offering.ts'
import { minuteInWords } from '../../shared/scheduling/rules/wording.rules.ts'
import type { guestDecisionJob, sendConfirmation } from '../../shared/scheduling/scheduling.jobs.ts'
import { sendMail } from '../send-mail.ts'

/**
 * Mails a guest the desk's decision with the present facts: when and where, and the payment page of a prepaid booking.
 */
export const mailGuestDecision: JobProcessor<typeof guestDecisionJob> = async (payload, tools, run) => {
  const row = await findDecidedRequest(tools.database.db, payload)
  if (!row?.guest_email || (row.status === 'approved' && row.cancelled_at)) return
  const { pay_url: payUrl } = row
  const { subject, paragraphs } = decisionMessage({ ...row, prepaid: row.collection_style === 'prepaid_fixed', payUrl })
  await sendMail(tools, run, {
    to: { name: row.guest_name ?? row.guest_email, address: row.guest_email },
    subject,
    paragraphs: [`Hello ${row.guest_name ?? ''}`.trim().concat(','), ...paragraphs],
    ...(payUrl && { action: { label: 'View and pay', url: payUrl } }),
    footer: `You get this mail because you asked ${row.organization} for a booking.`,
    organizationId: payload.organizationId,
  })
}

/**
 * Mails the link that confirms a guest's request, unless it is used or expired. Anyone can enter any address in the
 * form, so the mail carries nothing else that the sender typed.
 */
export const sendConfirmationMail: JobProcessor<typeof sendConfirmation> = async (payload, tools, run) => {
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
      ...(heldUntil ? [`The aircraft is kept for you until ${heldUntil}; after that somebody else may have it.`] : []),
    ],
    // A token in the URL fragment does not reach server logs or referrers.
    action: {
      label: 'Confirm the request',
      url: `${tools.config.PUBLIC_URL}/confirm-request#token=${tools.mailTokens.tokenOf(row.seed)}`,
    },
    unproven: true,
    footer: `You get this mail because somebody entered this address at ${row.organization}. If that was not you, do nothing.`,
    organizationId: payload.organizationId,
  })
}
