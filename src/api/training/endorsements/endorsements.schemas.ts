import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { CURRENT_EDITION, editions } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, InstantInput, name, oneLine, properName, QueryFlag, QueryId, text } from '../../http/schemas.ts'

export const EndorsementQuery = ListQuery.extend({
  orgUserId: QueryId.optional().describe('Ignored for who does not read everybody’s'),
  includeSuperseded: QueryFlag.default(false),
  signedBy: QueryId.optional().describe('Signed by this member'),
  since: InstantInput.optional().describe('Signed then or later'),
  until: InstantInput.optional().describe('Signed then or earlier'),
  code: name(20)
    .optional()
    .describe('The number in the edition of each endorsement')
    .meta({ examples: ['A.6'] }),
  expiringBefore: InstantInput.optional(),
})

const edition = z.enum(editions).default(CURRENT_EDITION)

export const EndorsementTemplateQuery = ListQuery.extend({
  edition: edition.describe('The edition of AC 61-65 whose numbers the codes are'),
  orgUserId: QueryId.optional().describe('Fills in the name of this student'),
})

/** The values of a template's parameters, by name. */
export const EndorsementParametersInput = z
  .record(oneLine(200), name(300))
  .default({})
  .describe('What fills in the template, by the names that it gives')
  .meta({ examples: [{ makeAndModel: 'Cessna 172S' }] })

/** The day of the training that an endorsement attests. */
export const TrainingAt = InstantInput.nullable()
  .default(null)
  .describe('The training that it attests, from which some count their days; left out, the signature’s day')

export const EndorsementBody = z.object({
  orgUserId: Id.describe('Whom it endorses'),
  renderedText: text(20_000)
    .refine((words) => words.trim() !== '', fieldErrors.required())
    .describe('Kept word for word')
    .meta({ examples: ['Ana Ruiz has received the training that solo flight in the C172S requires.'] }),
  templateCode: name(20)
    .nullable()
    .default(null)
    .meta({ examples: ['A.6'] }),
  edition: edition.describe('An earlier one only for what was signed under it, recorded by an admin'),
  parameters: EndorsementParametersInput,
  trainingAt: TrainingAt,
  signedBy: z
    .object({
      orgUserId: Id.nullable().default(null).describe('An instructor of the organization, who is asked to confirm it'),
      name: properName(200).nullable().default(null).describe('Somebody else: it counts once `documentId` is verified'),
      certificateNumber: name(100)
        .nullable()
        .default(null)
        .meta({ examples: ['3141592CFI'] }),
    })
    .refine(({ orgUserId, name: named }) => (orgUserId === null) !== (named === null), fieldErrors.oneSigner())
    .nullable()
    .default(null)
    .meta({ examples: [null] })
    .describe('Another signer: an admin records in the name of an instructor, both in those of examiners and others'),
  documentId: Id.nullable().default(null).describe('The member’s document that proves what somebody else signed'),
  signedAt: InstantInput.nullable()
    .default(null)
    .describe('When another signer signed; only from admins; left out, now'),
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

/** Several endorsements of one member. */
export const EndorsementBatchBody = z.object({
  orgUserId: Id.describe('Whom they endorse'),
  enrollmentId: Id.nullable().default(null),
  trainingAt: TrainingAt,
  parameters: EndorsementParametersInput.describe(
    'What fills in each template that has it; `trainedOn` is there already',
  ),
  signerCertificateNumber: name(100)
    .nullable()
    .default(null)
    .meta({ examples: ['3141592CFI'] }),
  items: z
    .array(
      z.object({
        templateCode: name(20).meta({ examples: ['A.6'] }),
        parameters: EndorsementParametersInput.describe('Besides those of the package, and before them'),
        renderedText: text(20_000)
          .refine((words) => words.trim() !== '', fieldErrors.required())
          .nullable()
          .default(null)
          .describe('Kept word for word; left out, the text of the template, filled in')
          .meta({ examples: [null] }),
        supersedesId: Id.nullable()
          .default(null)
          .describe('The endorsement that it replaces')
          .meta({ examples: [null] }),
      }),
    )
    .min(1)
    .max(20),
})
