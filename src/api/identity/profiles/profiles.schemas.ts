import { z } from 'zod'
import { certificateGrades, verifiableFields } from '../../../shared/identity/profiles/profile.rules.ts'
import { DayInput, distinct, name, oneLine, text } from '../../http/schemas.ts'
import { AddressInput } from '../locations/locations.schemas.ts'

const line = (max: number) => oneLine(max).trim().nullable().optional()
const ratings = z
  .array(name(60))
  .max(50)
  .transform(distinct)
  .nullable()
  .optional()
  .describe('`<category>_<class>` such as `airplane_single_engine_land`, `instrument_airplane`, or type designators')

const day = () => DayInput.nullable().optional()

export const ProfilePatch = z.object({
  birthDate: day().describe('Must be in the past. It decides how long a medical is valid (14 CFR 61.23(d))'),
  address: AddressInput.nullable().optional(),
  emergencyContact: z
    .object({
      name: line(100),
      phone: line(40),
      relation: line(60),
    })
    .meta({ id: 'EmergencyContact' })
    .nullable()
    .optional(),
  pilotCertificate: z
    .object({
      grade: z.enum(certificateGrades).nullable().optional(),
      number: line(40),
      ratings,
      issuedAt: day(),
    })
    .meta({ id: 'PilotCertificate' })
    .nullable()
    .optional(),
  instructorCertificate: z
    .object({
      number: line(40),
      validUntil: day().describe(
        'The last day: of the certificate, or of the recent experience period (14 CFR 61.197)',
      ),
      ratings,
    })
    .meta({ id: 'InstructorCertificate' })
    .nullable()
    .optional(),
  citizenshipVerification: z
    .object({ kind: name(60) })
    .meta({ id: 'CitizenshipVerification' })
    .nullable()
    .optional()
    .describe('The document that was shown (49 CFR 1552.7(a)). Verifier and time are recorded'),
  weightPounds: z.int().min(20).max(700).nullable().optional(),
  notes: text(5_000).nullable().optional(),
  verify: z
    .array(z.enum(verifiableFields))
    .max(10)
    .transform(distinct)
    .optional()
    .describe('Fields to mark as verified with their present values'),
})
