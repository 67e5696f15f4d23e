import { z } from 'zod'
import { meetingProviders } from '../../../shared/communication/communication.tables.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { text } from '../../http/schemas.ts'

export const ProviderParams = z.object({ provider: z.enum(meetingProviders) })

export const AuthorizeQuery = z.object({
  as: z.enum(['redirect', 'json']).default('redirect').describe('How the address is answered'),
})

export const DisconnectBody = z.object({ password: PasswordAgain })

/** The address that the browser opens next. */
export const AuthorizeAddress = z.object({
  url: z
    .string()
    .describe('An address of this service, good once and for 2 minutes, that leads to the provider’s page')
    .meta({ examples: ['https://flightline.example/integrations/zoom/begin?state=…'] }),
})

/** The query of the address that starts a connection. */
export const BeginQuery = z.object({
  state: text(200).default('').describe('The signed state that the connection was begun with'),
})

/** The parameters of an authorization server's redirect that the service reads. */
export const CallbackQuery = z.object({
  state: text(200).default('').describe('The signed state that the connection was begun with'),
  code: text(4_000).optional().describe('The code that the service exchanges for tokens'),
  error: text(200).optional().describe('Why there is no code'),
  iss: text(500).optional().describe('The authorization server that redirects'),
})
