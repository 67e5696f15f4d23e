import { z } from 'zod'
import { meetingProviders } from '../../shared/integrations/connected-account.entity.ts'
import { text } from '../http/schemas.ts'

export const ProviderParams = z.object({ provider: z.enum(meetingProviders) })

/** What an authorization server sends a browser back with, as far as we read it. */
export const CallbackQuery = z.object({
  state: text(200).default('').describe('The signed state that the connection was begun with'),
  code: text(4_000).optional().describe('What the tokens are traded for'),
  error: text(200).optional().describe('Why there is no code'),
  iss: text(500).optional().describe('Which server sends it'),
})
