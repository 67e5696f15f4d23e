import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { CURRENT_EDITION, editions } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { ListQuery } from '../../http/lists.ts'
import { MomentInput } from '../../http/moments.ts'
import {
  Id,
  InstantInput,
  name,
  oneLine,
  properName,
  QueryFlag,
  QueryMember,
  QueryMembers,
  queryTexts,
  text,
} from '../../http/schemas.ts'
import { openWindow, WindowLimit } from '../../http/windows.ts'

export const EndorsementQuery = ListQuery.extend({
  orgUserId: QueryMembers.optional().describe(
    'Only endorsements of these members; ignored for callers who see only their own',
  ),
  includeSuperseded: QueryFlag.default(false),
  signedBy: QueryMembers.optional().describe('Only endorsements that one of these members signed'),
  ...openWindow,
  code: queryTexts(20)
    .optional()
    .describe('Only endorsements with one of these codes in their own edition, in upper or lower case'),
  expiringBefore: WindowLimit.optional().describe(
    'Only endorsements that expire before this day of the organization’s time zone, or before this instant',
  ),
})

const edition = z.enum(editions).default(CURRENT_EDITION)

export const EndorsementTemplateQuery = ListQuery.extend({
  edition: edition.describe('The edition of AC 61-65 that the codes come from'),
  orgUserId: QueryMember.optional().describe('The student whose name is filled in: one id, or `me`'),
})

/** The values of a template's parameters, by name. */
export const EndorsementParametersInput = z
  .record(oneLine(200), name(300))
  .default({})
  .describe('The values of the template’s parameters, by name')

/** The day of the training that an endorsement attests. */
export const TrainingAt = MomentInput.nullable()
  .default(null)
  .describe(
    'When the training took place that the endorsement attests, an instant or a local day. The validity of some endorsements counts from it. ' +
      'null: the day of the signature',
  )

export const EndorsementBody = z.object({
  orgUserId: Id.describe('The member to endorse'),
  renderedText: text(20_000)
    .refine((words) => words.trim() !== '', fieldErrors.required())
    .describe('The text, which is stored word for word'),
  templateCode: name(20).nullable().default(null),
  edition: edition.describe(
    'The edition of AC 61-65 that `templateCode` belongs to. An admin can give an earlier edition, with a ' +
      '`signedAt` at which it was in force',
  ),
  parameters: EndorsementParametersInput,
  trainingAt: TrainingAt,
  signedBy: z
    .object({
      orgUserId: Id.nullable()
        .default(null)
        .describe('The signer: an instructor of the organization, who is then asked to confirm it'),
      name: properName(200)
        .nullable()
        .default(null)
        .describe(
          'The name of a signer who is not a member. The endorsement counts once `documentId` is verified. Beside ' +
            '`orgUserId`: the name of that member',
        ),
      certificateNumber: name(100)
        .nullable()
        .default(null)
        .describe('The number of the signer’s certificate; null: that of the profile of `orgUserId`'),
    })
    .refine(({ orgUserId, name: named }) => orgUserId !== null || named !== null, fieldErrors.noSigner())
    .nullable()
    .default(null)
    .describe(
      'The signer, when it is not the caller. Admins can name an instructor; admins and instructors can name the ' +
        'signer of an endorsement that no instructor signs, such as an examiner. null: the caller. The endorsement is ' +
        '`unproven` until the instructor confirms it, or for another signer until an admin other than the recorder has ' +
        'verified `documentId`',
    ),
  documentId: Id.nullable()
    .default(null)
    .describe('The document of the endorsed member that proves the signature of another signer; null: none'),
  signedAt: InstantInput.nullable()
    .default(null)
    .describe('When another signer signed; null: now. Only admins can give it'),
  title: name(300)
    .nullable()
    .default(null)
    .describe('The title; null: that of the template. Required without a template'),
  expiresAt: InstantInput.nullish().describe(
    'When it expires; default: by the validity of the template; null: never. A validity in days counts from the local date ' +
      'of the signature or of the training, as the template says, and ends with the last day; one in calendar months ends ' +
      'with the last month (AC 61-65K)',
  ),
  enrollmentId: Id.nullable().default(null),
  signerCertificateNumber: name(100)
    .nullable()
    .default(null)
    .describe('The number of the caller’s certificate; null: that of their profile'),
  signerCertificateExpiry: InstantInput.nullable()
    .default(null)
    .describe('When the signer’s certificate expires, or their recent experience ends; null: not given'),
  supersedesId: Id.nullable().default(null).describe('The endorsement of the same member that it replaces; null: none'),
})

/** Several endorsements of one member. */
export const EndorsementBatchBody = z.object({
  orgUserId: Id.describe('The member to endorse'),
  enrollmentId: Id.nullable().default(null),
  trainingAt: TrainingAt,
  parameters: EndorsementParametersInput.describe(
    'Values of parameters for all templates that have them. `trainedOn` is the day of `trainingAt` unless given',
  ),
  signerCertificateNumber: name(100)
    .nullable()
    .default(null)
    .describe('The number of the caller’s certificate; null: that of their profile'),
  items: z
    .array(
      z.object({
        templateCode: name(20),
        parameters: EndorsementParametersInput.describe(
          'Values of parameters for this item; they take precedence over those for all items',
        ),
        renderedText: text(20_000)
          .refine((words) => words.trim() !== '', fieldErrors.required())
          .nullable()
          .default(null)
          .describe('The text, which is stored word for word; null: the text of the template, filled in'),
        supersedesId: Id.nullable()
          .default(null)
          .describe('The endorsement of the same member that it replaces; null: none'),
      }),
    )
    .min(1)
    .max(20),
})
