import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Mails a single-use link that verifies the address or sets a new password. */
export const sendMailToken = defineJob({
  name: 'accounts.send-mail-token',
  queue: 'email',
  payload: z.object({ mailTokenId: z.int() }),
})

/** Mails the owner of the address that an account was made with the link of an invitation. */
export const signedUpByInvitationMail = defineJob({
  name: 'accounts.notify-signed-up',
  queue: 'email',
  payload: z.object({ accountId: z.int(), signedUpAt: z.iso.datetime() }),
})

/** Mails the owner of the address that the password was changed. */
export const passwordChangedMail = defineJob({
  name: 'accounts.notify-password-changed',
  queue: 'email',
  payload: z.object({ accountId: z.int(), changedAt: z.iso.datetime() }),
})
