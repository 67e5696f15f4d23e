import { z } from 'zod'
import {
  EDITION,
  type EndorsementTemplate as Template,
} from '../../../shared/training/endorsements/catalog/endorsement-template.ts'
import type { EndorsementRow } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { fillIn, placeholdersIn } from '../../../shared/training/endorsements/endorsement.rules.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

const title = z.string().meta({ examples: ['Solo flight, first 90 days'] })
const sentence = 'Ana Ruiz has received the training that solo flight in the C172S requires and has met 14 CFR 61.87.'

/** An endorsement. */
export const Endorsement = z
  .object({
    id: Id,
    orgUserId: Id,
    person: Person.describe('Whom it endorses'),
    enrollmentId: Id.nullable(),
    templateCode: z
      .string()
      .nullable()
      .meta({ examples: ['A.6'] }),
    templateEdition: z
      .string()
      .nullable()
      .meta({ examples: [EDITION] }),
    title,
    renderedText: z
      .string()
      .describe('Word for word as it was signed')
      .meta({ examples: [sentence] }),
    expiresAt: Instant.nullable(),
    signedBy: Person,
    signerCertificateNumber: z
      .string()
      .nullable()
      .meta({ examples: ['3141592CFI'] }),
    signerCertificateExpiry: Instant.nullable(),
    supersedesId: Id.nullable(),
    supersededById: Id.nullable(),
    supersededAt: Instant.nullable(),
    createdAt: Instant.describe('When it was signed'),
    updatedAt: Instant,
  })
  .meta({ id: 'Endorsement' })

export function endorsementView(row: EndorsementRow): z.input<typeof Endorsement> {
  return {
    ...row,
    orgUserId: row.person.orgUserId,
    expiresAt: iso(row.expiresAt),
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
    rule: z.string().meta({ examples: ['14 CFR 61.87(n)'] }),
    text: z
      .string()
      .describe('With `{{placeholders}}` for the instructor to fill in')
      .meta({ examples: [sentence] }),
    placeholders: z.array(z.string()).meta({ examples: [['limitations']] }),
    validityDays: z
      .int()
      .nullable()
      .describe('How long it lasts by default')
      .meta({ examples: [90] }),
    edition: z
      .string()
      .describe('Whose numbers the codes are')
      .meta({ examples: [EDITION] }),
  })
  .meta({ id: 'EndorsementTemplate' })

/** Returns a template with the student's known values filled in. */
export function endorsementTemplateView(
  template: Template,
  known: Readonly<Record<string, string>>,
): z.input<typeof EndorsementTemplate> {
  const text = fillIn(template.text, known)
  return { ...template, text, placeholders: placeholdersIn(text), edition: EDITION }
}
