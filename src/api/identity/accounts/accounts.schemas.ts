import { z } from 'zod'
import { Email, properName, text } from '../../http/schemas.ts'

const Password = text(256).meta({ examples: ['correct horse battery staple'] })
const Token = text(200).min(1).describe('The token of the link in the mail')

export const SignInBody = z.object({ email: Email, password: Password })
export const SignUpBody = z.object({
  name: properName(200).meta({ examples: ['Ana Ruiz'] }),
  email: Email,
  password: text(1000).meta({ examples: ['correct horse battery staple'] }),
  invitationToken: Token.optional().describe('From an invitation mail: joins its organization at once'),
})
export const EmailBody = z.object({ email: Email })
export const ResetPasswordBody = z.object({ token: Token, password: text(1000) })
export const TokenBody = z.object({ token: Token })
export const PushTokenBody = z.object({
  token: z
    .string()
    .trim()
    .regex(/^[!-~]{1,2000}$/, 'must be the push token of a device')
    .describe('The push token of the device')
    .meta({ examples: ['c1f7Gd0xQk2:APA91bHqX'] }),
})
