import { z } from 'zod'
import {
  endorsementParameters,
  type EndorsementTemplate as Template,
} from '../../../shared/training/endorsements/catalog/endorsement-template.ts'
import type { EndorsementRow } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { fillIn, placeholdersIn } from '../../../shared/training/endorsements/endorsement.rules.ts'
import { CURRENT_EDITION, type Edition } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

const title = z.string().meta({ examples: ['Solo flight, first 90 days'] })
const sentence = 'Ana Ruiz has received the training that solo flight in the C172S requires and has met 14 CFR 61.87.'

const Parameters = z
  .partialRecord(z.enum(endorsementParameters), z.string())
  .meta({ examples: [{ makeAndModel: 'Cessna 172S' }] })
const edition = z.string().meta({ examples: [CURRENT_EDITION] })
const certificateNumber = z
  .string()
  .nullable()
  .meta({ examples: ['3141592CFI'] })

const Signer = z
  .object({ orgUserId: Id.nullable(), name: Person.shape.name, certificateNumber })
  .meta({ id: 'EndorsementSigner' })

/** An endorsement. */
export const Endorsement = z
  .object({
    id: Id,
    orgUserId: Id,
    person: Person.describe('Whom it endorses'),
    mergedFrom: Person.nullable().describe('The member from whom a merge brought it, by the name of then'),
    enrollmentId: Id.nullable(),
    templateCode: z
      .string()
      .nullable()
      .meta({ examples: ['A.6'] }),
    templateEdition: edition.nullable(),
    edition: edition.nullable().describe('The same as `templateEdition`'),
    title,
    renderedText: z
      .string()
      .describe('Word for word as it was signed')
      .meta({ examples: [sentence] }),
    parameters: Parameters.describe('What fills in the template'),
    expiresAt: Instant.nullable(),
    signedAt: Instant,
    trainingAt: Instant.describe('The training that it attests; the signature’s when none was given'),
    signedBy: Signer.nullable().describe(
      'With `orgUserId` null somebody in whose name it was recorded; null when unsigned',
    ),
    unsigned: z.boolean().describe('Whether it waits for a signature; such an endorsement counts for nothing'),
    unproven: z
      .boolean()
      .describe(
        'Whether it counts for nothing: recorded in another’s name and not confirmed or proven, or signed by the person endorsed',
      ),
    confirmedAt: Instant.nullable().describe('When the instructor in whose name it was recorded confirmed it'),
    disownedAt: Instant.nullable().describe('When they said that they did not sign it: it counts for nothing'),
    documentId: Id.nullable().describe('The member’s document that proves it'),
    imported: z.boolean().describe('Brought in by an import, as it was signed then'),
    recordedBy: Person.nullable().describe('Who recorded it; the signer when it is their own'),
    signerCertificateNumber: certificateNumber,
    signerCertificateExpiry: Instant.nullable(),
    supersedesId: Id.nullable(),
    supersededById: Id.nullable(),
    supersededAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Endorsement' })

export function endorsementView({ signerName, proven, ...row }: EndorsementRow): z.input<typeof Endorsement> {
  const signer = row.signedBy ?? (signerName === null ? null : { orgUserId: null, name: signerName })
  return {
    ...row,
    orgUserId: row.person.orgUserId,
    edition: row.templateEdition,
    expiresAt: iso(row.expiresAt),
    signedAt: iso(row.signedAt),
    trainingAt: iso(row.trainingAt ?? row.signedAt),
    signedBy: signer && { ...signer, certificateNumber: row.signerCertificateNumber },
    unsigned: signer === null,
    unproven: signer !== null && !proven,
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
    code: z.string().meta({ examples: ['A.6'] }),
    title,
    rule: z
      .string()
      .describe('The rules in one line')
      .meta({ examples: ['14 CFR 61.87(n)'] }),
    rules: z
      .array(z.string())
      .describe('The circular’s citation first, then what it rests on')
      .meta({ examples: [['14 CFR 61.87(n)']] }),
    subject: z.string().meta({ examples: ['student'] }),
    signer: z
      .string()
      .describe('Who signs it. What ends in `instructor` is signed here; the others are recorded in the signer’s name.')
      .meta({ examples: ['flight_instructor'] }),
    validity: z
      .object({
        days: z.int().optional(),
        calendarMonths: z.int().optional(),
        singleFlight: z.boolean().optional(),
      })
      .nullable()
      .describe('Local days, calendar months (to the end of the last), or the day of one flight; null for no end')
      .meta({ examples: [{ days: 90 }] }),
    countsFrom: z.enum(['signature', 'training']).meta({ examples: ['training'] }),
    parameters: z
      .array(z.enum(endorsementParameters))
      .describe('The names that `parameters` of an endorsement takes')
      .meta({ examples: [['makeAndModel', 'trainedOn', 'limitations']] }),
    previousCodes: z
      .record(z.string(), z.string())
      .describe('Its numbers in earlier editions')
      .meta({ examples: [{ 'AC 61-65H': 'A.6' }] }),
    renews: z
      .string()
      .nullable()
      .describe('The permission or recency that a signature renews')
      .meta({ examples: ['solo'] }),
    text: z
      .string()
      .describe('With `{{placeholders}}` for the instructor to fill in')
      .meta({ examples: [sentence] }),
    placeholders: z.array(z.string()).meta({ examples: [['limitations']] }),
    validityDays: z
      .int()
      .nullable()
      .describe('The days of `validity`')
      .meta({ examples: [90] }),
    edition: z
      .string()
      .describe('The edition of AC 61-65 whose numbers the codes are')
      .meta({ examples: [CURRENT_EDITION] }),
  })
  .meta({ id: 'EndorsementTemplate' })

/** Returns a template of an edition with the student's known values filled in. */
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
