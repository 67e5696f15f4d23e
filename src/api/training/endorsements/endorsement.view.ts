import { z } from 'zod'
import { unprovenReasons } from '../../../shared/qualification/endorsement-proof.queries.ts'
import {
  endorsementParameters,
  type EndorsementTemplate as Template,
} from '../../../shared/training/endorsements/catalog/endorsement-template.ts'
import type { EndorsementRow } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { fillIn, placeholdersIn } from '../../../shared/training/endorsements/endorsement.rules.ts'
import { CURRENT_EDITION, type Edition } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { iso } from '../../http/iso.ts'
import { Signer, signerView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

const title = z.string()

const Parameters = z.partialRecord(z.enum(endorsementParameters).meta({ choices: 'EndorsementParameter' }), z.string())
const edition = z.string()

/** An endorsement. */
export const Endorsement = z
  .object({
    id: Id,
    orgUserId: Id,
    person: Person.describe('The endorsed member'),
    mergedFrom: Person.nullable().describe(
      'The merged member from whom the endorsement was moved, with the name at the time of the merge; null: not moved',
    ),
    enrollmentId: Id.nullable(),
    templateCode: z.string().nullable(),
    templateEdition: edition.nullable(),
    edition: edition.nullable().describe('The same as `templateEdition`'),
    title,
    renderedText: z.string().describe('The text, word for word as it was signed'),
    parameters: Parameters.describe('The values of the template’s parameters, by name'),
    expiresAt: Instant.nullable(),
    signedAt: Instant,
    trainingAt: Instant.describe(
      'When the training took place that the endorsement attests; `signedAt` when no other time was given',
    ),
    signedBy: Signer.nullable().describe('The signer; null: unsigned'),
    unsigned: z.boolean().describe('Whether it has no signature. An unsigned endorsement counts for nothing'),
    unproven: z
      .boolean()
      .describe(
        'Whether it has a signer but counts for nothing: it meets no booking rule and renews nothing. ' +
          '`unprovenReason` says why',
      ),
    unprovenReason: z
      .enum(unprovenReasons)
      .nullable()
      .describe(
        'Why it counts for nothing: it has no certificate number of the signer (`no_number`); its number is not ' +
          'that of the signer’s verified certificate (`other_number`); that certificate had ended when it was ' +
          'signed (`certificate_ended`); the endorsed member signed it (`own`); the instructor in whose name it ' +
          'was recorded disowned it (`disowned`) or has not confirmed it (`not_confirmed`); or no verified ' +
          'document proves the signature of another signer (`not_verified`). null: it counts, or is unsigned',
      ),
    confirmedAt: Instant.nullable().describe(
      'When the instructor in whose name it was recorded confirmed it; null: not confirmed',
    ),
    disownedAt: Instant.nullable().describe(
      'When the instructor in whose name it was recorded said that somebody else signed it. It then counts for ' +
        'nothing. null: not disowned',
    ),
    documentId: Id.nullable().describe('The document of the endorsed member that proves it; null: none'),
    imported: z.boolean().describe('Whether it was imported, with the signature that it had before'),
    recordedBy: Person.nullable().describe(
      'The member who recorded it: the signer, or another member in the name of the signer',
    ),
    signerCertificateNumber: Signer.shape.certificateNumber.describe('The same as `signedBy.certificateNumber`'),
    signerCertificateExpiry: Instant.nullable(),
    supersedesId: Id.nullable(),
    supersededById: Id.nullable(),
    supersededAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Endorsement' })

export function endorsementView({ signerName, ...row }: EndorsementRow): z.input<typeof Endorsement> {
  const signer = row.signedBy ?? (signerName === null ? null : { orgUserId: null, name: signerName })
  return {
    ...row,
    orgUserId: row.person.orgUserId,
    edition: row.templateEdition,
    expiresAt: iso(row.expiresAt),
    signedAt: iso(row.signedAt),
    trainingAt: iso(row.trainingAt ?? row.signedAt),
    signedBy: signerView(signer, row.signerCertificateNumber),
    unsigned: signer === null,
    unproven: row.unprovenReason !== null,
    confirmedAt: iso(row.confirmedAt),
    disownedAt: iso(row.disownedAt),
    recordedBy: row.recordedBy ?? row.signedBy,
    signerCertificateExpiry: iso(row.signerCertificateExpiry),
    supersededAt: iso(row.supersededAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** A template of an endorsement. */
export const EndorsementTemplate = z
  .object({
    code: z.string(),
    title,
    rule: z.string().describe('The entries of `rules`, in one line'),
    rules: z
      .array(z.string())
      .describe('The regulations: first the one that AC 61-65 cites, then the ones on which it is based'),
    subject: z.string(),
    signer: z
      .string()
      .describe(
        'Who signs it. Signers whose name ends in `_instructor` sign in this service. Endorsements by other ' +
          'signers are recorded in the signer’s name.',
      ),
    validity: z
      .object({
        days: z.int().optional(),
        calendarMonths: z.int().optional(),
        singleFlight: z.boolean().optional(),
      })
      .nullable()
      .describe(
        'How long it is valid: a number of local days, a number of calendar months (to the end of the last one), ' +
          'or the day of a single flight; null: without end',
      ),
    countsFrom: z.enum(['signature', 'training']).describe('The day from which the validity counts'),
    parameters: z
      .array(z.enum(endorsementParameters))
      .describe('The names that `parameters` of an endorsement can have'),
    previousCodes: z.record(z.string(), z.string()).describe('Its codes in earlier editions, by edition'),
    renews: z.string().nullable().describe('The permission or recency that a signature renews; null: none'),
    text: z.string().describe('The text, with `{{placeholders}}` that the instructor fills in'),
    placeholders: z.array(z.string()),
    validityDays: z.int().nullable().describe('`validity.days`; null when the validity is not in days'),
    edition: z.string().describe('The edition of AC 61-65 that the codes come from'),
  })
  .meta({ id: 'EndorsementTemplate' })

/** Returns a template of an edition, with the known values of the student filled in. */
export function endorsementTemplateView(
  { previousCode, ...template }: Template,
  edition: Edition,
  known: Readonly<Record<string, string>>,
): z.input<typeof EndorsementTemplate> {
  const { rules, validity, parameters } = template
  const text = fillIn(template.text, known)
  return {
    ...template,
    rule: rules.join(', '),
    rules: [...rules],
    parameters: [...parameters],
    validityDays: validity && 'days' in validity ? validity.days : null,
    previousCodes: edition === CURRENT_EDITION && previousCode !== null ? { 'AC 61-65H': previousCode } : {},
    text,
    placeholders: placeholdersIn(text),
    edition,
  }
}
