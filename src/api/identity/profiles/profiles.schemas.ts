import { z } from 'zod'
import { certificateGrades, verifiableFields } from '../../../shared/identity/profiles/profile.rules.ts'
import { DayInput, distinct, name, oneLine, text } from '../../http/schemas.ts'
import { AddressInput } from '../locations/locations.schemas.ts'

const line = (max: number, example: string) =>
  oneLine(max)
    .trim()
    .nullable()
    .optional()
    .meta({ examples: [example] })
const ratings = z
  .array(name(60))
  .max(50)
  .transform(distinct)
  .nullable()
  .optional()
  .describe('`<category>_<class>` such as `airplane_single_engine_land`, `instrument_airplane`, or type designators')
  .meta({ examples: [['airplane_single_engine_land', 'instrument_airplane']] })

const day = (example: string) =>
  DayInput.nullable()
    .optional()
    .meta({ examples: [example] })

export const ProfilePatch = z
  .object({
    birthDate: day('1988-04-17').describe(
      'Must be in the past. It decides how long a medical is valid (14 CFR 61.23(d))',
    ),
    address: AddressInput.nullable().optional(),
    emergencyContact: z
      .object({
        name: line(100, 'Jo Ruiz'),
        phone: line(40, '+1 510 555 0142'),
        relation: line(60, 'sister'),
      })
      .meta({ id: 'EmergencyContact' })
      .nullable()
      .optional(),
    pilotCertificate: z
      .object({
        grade: z.enum(certificateGrades).nullable().optional(),
        number: line(40, '3141592'),
        ratings,
        issuedAt: day('2021-08-02'),
      })
      .meta({ id: 'PilotCertificate' })
      .nullable()
      .optional(),
    instructorCertificate: z
      .object({
        number: line(40, '3141592CFI'),
        expiresAt: day('2027-03-31').describe(
          'The expiry date, or the end of the recent experience period (14 CFR 61.197)',
        ),
        ratings,
      })
      .meta({ id: 'InstructorCertificate' })
      .nullable()
      .optional(),
    citizenshipVerification: z
      .object({ kind: name(60).meta({ examples: ['us_passport'] }) })
      .meta({ id: 'CitizenshipVerification' })
      .nullable()
      .optional()
      .describe('The document that was shown (49 CFR 1552.7(a)). Verifier and time are recorded'),
    weightPounds: z
      .int()
      .min(20)
      .max(700)
      .nullable()
      .optional()
      .meta({ examples: [165] }),
    notes: text(5_000).nullable().optional(),
    verify: z
      .array(z.enum(verifiableFields))
      .max(10)
      .transform(distinct)
      .optional()
      .describe('Fields to mark as verified with their present values'),
  })
  .meta({
    examples: [{ birthDate: '1988-04-17', emergencyContact: { name: 'Jo Ruiz', phone: '+1 510 555 0142' } }],
  })
