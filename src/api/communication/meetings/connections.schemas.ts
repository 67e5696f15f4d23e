import { z } from 'zod'
import { meetingProviders } from '../../../shared/communication/communication.tables.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { text } from '../../http/schemas.ts'

export const ProviderParams = z.object({ provider: z.enum(meetingProviders) })

export const AuthorizeQuery = z.object({
  as: z
    .enum(['redirect', 'json'])
    .default('redirect')
    .describe('`redirect`: answers 302 to the address; `json`: returns the address as data'),
})

export const DisconnectBody = z.object({ password: PasswordAgain })

/** The address that the browser opens next. */
export const AuthorizeAddress = z
  .object({
    url: z
      .string()
      .describe('An address of this service that leads to the provider’s page; it works once, for 2 minutes'),
  })
  .meta({ id: 'ConnectionAddress' })

/** The query of the address that starts a connection. */
export const BeginQuery = z.object({
  state: text(200).default('').describe('The signed state of the connection, from `authorize`'),
})

/** The parameters of an authorization server's redirect that the service reads. */
export const CallbackQuery = z.object({
  state: text(200).default('').describe('The signed state of the connection, from `authorize`'),
  code: text(4_000).optional().describe('The authorization code, which the service exchanges for tokens'),
  error: text(200).optional().describe('The error of the provider, in place of `code`'),
  iss: text(500).optional().describe('The issuer: the authorization server that redirects'),
})
