import { z } from 'zod'
import type { ProfileRow } from '../../../shared/identity/profiles/profile.queries.ts'
import {
  certificateGrades,
  isVerified,
  type ProfileField,
  trainingLoggedBefore,
  verifiableFields,
} from '../../../shared/identity/profiles/profile.rules.ts'
import { iso } from '../../http/iso.ts'
import { Day, Id, Instant, Person } from '../../http/schemas.ts'
import { AddressView } from '../locations/location.view.ts'

const text = z.string().nullable()
const ratings = z.array(z.string())

/** The fields of a member's profile that a reader may see. Other fields are absent. */
export const Profile = z
  .object({
    orgUserId: Id,
    birthDate: Day.nullable().optional().describe('It decides how long a medical is valid (14 CFR 61.23(d))'),
    address: AddressView.nullable().optional(),
    emergencyContact: z.object({ name: text, phone: text, relation: text }).nullable().optional(),
    pilotCertificate: z
      .object({
        grade: z.enum(certificateGrades).meta({ choices: 'CertificateGrade' }).nullable(),
        number: text,
        ratings,
        issuedAt: Day.nullable(),
      })
      .nullable()
      .optional()
      .describe('It decides who can act and log as pilot in command (14 CFR 61.3, 61.51(e))'),
    instructorCertificate: z.object({ number: text, validUntil: Day.nullable(), ratings }).nullable().optional(),
    priorExperience: z
      .object({
        loggedBefore: z.array(z.enum(trainingLoggedBefore).meta({ choices: 'TrainingLoggedBefore' })),
        hours: z.array(z.object({ makeAndModel: z.string(), picDeciHours: z.int() })),
      })
      .nullable()
      .optional()
      .describe('What was logged elsewhere; `picDeciHours` are tenths of an hour as pilot in command'),
    citizenshipVerification: z
      .object({ kind: z.string(), at: Instant, by: Person })
      .nullable()
      .optional()
      .describe(
        'How, when and by whom the citizenship was verified before training (49 CFR 1552.7(a)). Kept for five years (49 CFR 1552.15(c))',
      ),
    weightPounds: z.int().nullable().optional(),
    notes: z.string().nullable().optional().describe('Only admins see the notes'),
    verified: z
      .array(z.enum(verifiableFields).meta({ choices: 'VerifiableField' }))
      .describe(
        'The returned fields whose present value is verified. For the other fields, currencies use the last ' +
          'verified value, if there is one',
      ),
    selfVerified: z
      .array(z.enum(verifiableFields))
      .describe('The fields of `verified` that an owner or admin verified in their own profile'),
    createdAt: Instant.nullable().describe('null when the member has no profile yet'),
    updatedAt: Instant.nullable().describe('null when the member has no profile yet'),
  })
  .meta({ id: 'Profile' })

/** Returns the readable fields of a profile as the response shows them. */
export function profileView(row: ProfileRow, readable: readonly ProfileField[]): z.input<typeof Profile> {
  const { orgUserId, facts, verified, createdAt, updatedAt } = row
  const { emergencyContact: contact, pilotCertificate: pilot, instructorCertificate: instructor } = facts
  const { citizenshipVerification: citizenship, priorExperience: prior } = facts
  const by = row.citizenshipVerifiedBy
  const fields: Pick<z.input<typeof Profile>, ProfileField> = {
    birthDate: facts.birthDate ?? null,
    address: facts.address ?? null,
    emergencyContact: contact
      ? { name: contact.name ?? null, phone: contact.phone ?? null, relation: contact.relation ?? null }
      : null,
    pilotCertificate: pilot
      ? {
          grade: pilot.grade ?? null,
          number: pilot.number ?? null,
          ratings: pilot.ratings ?? [],
          issuedAt: pilot.issuedAt ?? null,
        }
      : null,
    instructorCertificate: instructor
      ? {
          number: instructor.number ?? null,
          validUntil: instructor.validUntil ?? null,
          ratings: instructor.ratings ?? [],
        }
      : null,
    priorExperience: prior ? { loggedBefore: prior.loggedBefore ?? [], hours: prior.hours ?? [] } : null,
    citizenshipVerification: citizenship && by ? { kind: citizenship.kind, at: citizenship.at, by } : null,
    weightPounds: facts.weightPounds ?? null,
    notes: facts.notes ?? null,
  }
  const shown = Object.fromEntries(Object.entries(fields).filter(([key]) => readable.includes(key as ProfileField)))
  const right = verifiableFields.filter((field) => readable.includes(field) && isVerified(field, facts, verified))
  return {
    orgUserId,
    ...shown,
    verified: right,
    selfVerified: right.filter((field) => verified[field]?.self),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}
