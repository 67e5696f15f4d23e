import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { findDecidedRequest } from '../../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import type { guestDecisionJob } from '../../../shared/scheduling/booking-requests/booking-requests.jobs.ts'
import { decisionMessage } from '../../../shared/scheduling/booking-requests/decision-message.rules.ts'
import { sendMail } from '../../send-mail.ts'

/**
 * Mails a guest the desk's decision in its present state: when and where, and the payment page of a prepaid booking.
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
  })
}
