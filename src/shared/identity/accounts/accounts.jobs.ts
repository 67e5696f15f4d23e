import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Mails a single-use link that verifies the address or sets a new password. */
export const sendMailToken = defineJob({
  name: 'accounts.send-mail-token',
  queue: 'email',
  payload: z.object({ mailTokenId: z.int() }),
})

/** Mails the owner of the address that an account was made with the link of an invitation. */
export const mailSignedUpByInvitation = defineJob({
  name: 'accounts.mail-signed-up-by-invitation',
  queue: 'email',
  payload: z.object({ accountId: z.int(), signedUpAt: z.iso.datetime() }),
})

/** Mails the owner of the address that the password was changed. */
export const mailPasswordChanged = defineJob({
  name: 'accounts.mail-password-changed',
  queue: 'email',
  payload: z.object({ accountId: z.int(), changedAt: z.iso.datetime() }),
})
