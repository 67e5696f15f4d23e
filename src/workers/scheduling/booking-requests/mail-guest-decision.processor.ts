import type { Db } from '../../../shared/platform/db/database.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { guestDecisionJob } from '../../../shared/scheduling/booking-requests/booking-requests.jobs.ts'
import { decisionMessage } from '../../../shared/scheduling/booking-requests/decision-message.rules.ts'
import { sendMail } from '../../send-mail.ts'

/**
 * Mails a guest the desk's decision in its present state: when and where, and the payment page of a prepaid booking.
 */
export const mailGuestDecision: JobProcessor<typeof guestDecisionJob> = async (payload, tools, run) => {
  const { db } = tools.database
  const row = await findDecided(db, payload)
  if (!row?.guest_email || (row.status === 'approved' && row.cancelled_at)) return
  const payUrl = row.reservation_id === null ? null : await findPayUrl(db, payload.organizationId, row.reservation_id)
  const { subject, paragraphs } = decisionMessage({ ...row, prepaid: row.collection_style === 'prepaid_fixed', payUrl })
  await sendMail(tools, run, {
    to: { name: row.guest_name ?? row.guest_email, address: row.guest_email },
    subject,
    paragraphs: [`Hello ${row.guest_name ?? ''}`.trim().concat(','), ...paragraphs],
    ...(payUrl && { action: { label: 'View and pay', url: payUrl } }),
    footer: `You get this mail because you asked ${row.organization} for a booking.`,
  })
}

/** Returns the request, with the booking's own time and aircraft once there is a booking. */
function findDecided(db: Db, { organizationId, bookingRequestId }: JobPayload<typeof guestDecisionJob>) {
  return db
    .selectFrom('booking_request as q')
    .innerJoin('organization as o', 'o.id', 'q.organization_id')
    .leftJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 'q.organization_id').onRef('r.id', '=', 'q.reservation_id'),
    )
    .leftJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'q.organization_id').onRef('x.id', '=', 'r.resource_id'),
    )
    .select((eb) => [
      'q.status',
      'q.guest_name',
      'q.guest_email',
      'q.reason',
      'q.reservation_id',
      'q.collection_style',
      'o.name as organization',
      'o.time_zone_name as zone',
      'x.name as resource',
      'r.cancelled_at',
      eb.fn.coalesce('r.title', 'q.title').as('title'),
      eb.fn.coalesce('r.starts_at', 'q.starts_at').as('start'),
      eb.fn.coalesce('r.ends_at', 'q.ends_at').as('end'),
    ])
    .where('q.organization_id', '=', organizationId)
    .where('q.id', '=', bookingRequestId)
    .executeTakeFirst()
}

/** Returns the payment page of the package; null when it is paid, or not issued yet: a separate mail follows then. */
async function findPayUrl(db: Db, organizationId: number, reservationId: number): Promise<string | null> {
  const invoice = await db
    .selectFrom('invoice')
    .select('pay_url')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return invoice?.pay_url ?? null
}
