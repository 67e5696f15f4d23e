import { z } from 'zod'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, QueryFlag, QueryId, text } from '../../http/schemas.ts'
import { IS_REQUIRED } from '../../http/wording.ts'

export const EndorsementQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe('Ignored for who does not read everybody’s'),
  includeSuperseded: QueryFlag.default(false),
})

export const EndorsementTemplateQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe('Fills in the name of this student'),
})

export const EndorsementBody = z.object({
  orgUserId: Id.describe('Whom it endorses'),
  renderedText: text(20_000)
    .refine((words) => words.trim() !== '', IS_REQUIRED)
    .describe('Kept word for word')
    .meta({ examples: ['Ana Ruiz has received the training that solo flight in the C172S requires.'] }),
  templateCode: name(20)
    .nullable()
    .default(null)
    .meta({ examples: ['A.6'] }),
  title: name(300)
    .nullable()
    .default(null)
    .describe('The template’s when left out; required without one')
    .meta({ examples: ['Solo flight, first 90 days'] }),
  expiresAt: InstantInput.nullish().describe('Left out, the template’s default; null for none'),
  enrollmentId: Id.nullable().default(null),
  signerCertificateNumber: name(100)
    .nullable()
    .default(null)
    .meta({ examples: ['3141592CFI'] }),
  signerCertificateExpiry: InstantInput.nullable()
    .default(null)
    .describe('The expiry of the signer’s certificate, or the end of their recent experience'),
  supersedesId: Id.nullable().default(null).describe('The endorsement that it replaces'),
})
