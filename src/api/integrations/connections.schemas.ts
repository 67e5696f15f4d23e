import { z } from 'zod'
import { meetingProviders } from '../../shared/integrations/connected-account.entity.ts'
import { text } from '../http/schemas.ts'

export const ProviderParams = z.object({ provider: z.enum(meetingProviders) })

export const AuthorizeQuery = z.object({
  as: z.enum(['redirect', 'json']).default('redirect').describe('How the address of the provider’s page is answered'),
})

/** Where the member agrees. */
export const AuthorizeAddress = z.object({
  url: z
    .string()
    .describe('The provider’s page, good once and for 10 minutes')
    .meta({ examples: ['https://zoom.us/oauth/authorize?response_type=code&client_id=…'] }),
})

/** What an authorization server sends a browser back with, as far as we read it. */
export const CallbackQuery = z.object({
  state: text(200).default('').describe('The signed state that the connection was begun with'),
  code: text(4_000).optional().describe('What the tokens are traded for'),
  error: text(200).optional().describe('Why there is no code'),
  iss: text(500).optional().describe('Which server sends it'),
})
