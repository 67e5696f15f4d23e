import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Mails a single-use link that verifies the address or sets a new password. */
export const sendMailToken = defineJob({
  name: 'accounts.send-mail-token',
  queue: 'email',
  payload: z.object({ mailTokenId: z.int() }),
})

/** Informs the owner of an address, by mail, that an account was created for the address with an invitation link. */
export const mailSignedUpByInvitation = defineJob({
  name: 'accounts.mail-signed-up-by-invitation',
  queue: 'email',
  payload: z.object({ accountId: z.int(), signedUpAt: z.iso.datetime() }),
})

/** Informs the owner of an account, by mail, that the password was changed. */
export const mailPasswordChanged = defineJob({
  name: 'accounts.mail-password-changed',
  queue: 'email',
  payload: z.object({ accountId: z.int(), changedAt: z.iso.datetime() }),
})
