import { findOwnerToMail } from '../../../shared/identity/members/owner.queries.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { mailExport } from '../../../shared/portability/exports/exports.jobs.ts'
import { sendMail } from '../../platform/send-mail.ts'

const happened = {
  started: (by: string) => `${by} started an export of all records.`,
  ready: (by: string) =>
    `The export of all records that ${by} started is ready. Sign in to download it, within seven days.`,
  downloaded: (by: string) => `${by} downloaded an export of all records.`,
}

/**
 * Mails an owner that an export of all records was started, is ready or was downloaded. The mail has no link, because a
 * download requires signing in. Sends nothing when the recipient is no longer an owner.
 */
export const mailExportProcessor: JobProcessor<typeof mailExport> = async (payload, tools, run) => {
  const found = await findOwnerToMail(tools.database.db, payload)
  if (!found) return
  const { name, address, organization, by } = found
  await sendMail(tools, run, {
    to: { name, address },
    subject: `All records of ${organization} were exported`,
    paragraphs: [
      `Hello ${name},`,
      happened[payload.what](by),
      'All owners get this mail. If none of you asked for it, change your passwords, and check the audit log.',
    ],
    footer: `You get this mail as an owner of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'security',
    about: { orgUserId: payload.orgUserId, matter: 'exports' },
  })
}
