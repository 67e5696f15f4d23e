import { z } from 'zod'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../shared/identity/accounts/password.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { Email, properName, text } from '../../http/schemas.ts'

/**
 * Returns the schema of a password of at most `max` characters. The password is not changed. Unlike a name, it may
 * contain control characters and text direction marks, because it is hashed and never shown. Only invalid Unicode is
 * refused.
 */
function password(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), fieldErrors.wellFormedText())
}

const examples = ['correct horse battery staple']

const newPassword = `${PASSWORD_MIN} to ${PASSWORD_MAX} characters, and not easy to guess`

const Token = text(200).min(1).describe('The token of the link in the mail')

export const SignInBody = z.object({ email: Email, password: password(256).meta({ examples }) })
export const SignUpBody = z.object({
  name: properName(200),
  email: Email,
  password: password(1000).describe(newPassword).meta({ examples }),
  invitationToken: Token.optional().describe(
    'The token of an invitation mail. The account joins the organization of the invitation',
  ),
})
export const EmailBody = z.object({ email: Email })
export const ResetPasswordBody = z.object({ token: Token, password: password(1000).describe(newPassword) })
export const TokenBody = z.object({ token: Token })
export const PushTokenBody = z.object({
  token: z
    .string()
    .trim()
    .regex(/^[!-~]{1,2000}$/, fieldErrors.pushToken())
    .describe('The push token of the device'),
})
