import { z } from 'zod'
import { modelKey } from '../../../shared/fleet/resources/model-names.rules.ts'
import {
  certificateGrades,
  trainingLoggedBefore,
  verifiableFields,
} from '../../../shared/identity/profiles/profile.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { DayInput, distinct, name, oneLine, text } from '../../http/schemas.ts'
import { AddressInput } from '../locations/locations.schemas.ts'

const line = (max: number) => oneLine(max).trim().nullable().optional()
const ratings = z
  .array(name(60))
  .max(50)
  .transform(distinct)
  .nullable()
  .optional()
  .describe(
    'Codes of `GET /ratings` such as `ASEL`, or words such as `airplane_single_engine_land` and `instrument_airplane`, ' +
      'or type designators. Stored as they are sent; a code and its words count alike, and other words count for nothing',
  )

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
  priorExperience: z
    .object({
      loggedBefore: z
        .array(z.enum(trainingLoggedBefore))
        .max(trainingLoggedBefore.length)
        .transform(distinct)
        .nullable()
        .optional()
        .describe(
          'The airplanes (complex, high-performance, tailwheel) in which time was logged before an endorsement was ' +
            'asked for: 14 CFR 61.31(e)(2), (f)(2), (i)(2)',
        ),
      hours: z
        .array(
          z
            .object({
              makeAndModel: name(100).refine((named) => named === '' || modelKey(named) !== '', {
                error: fieldErrors.namesNothing(),
              }),
              picDeciHours: z
                .int()
                .min(0)
                .max(1_000_000)
                .describe('Tenths of an hour as pilot in command that are not in the log of this organization'),
            })
            .meta({ id: 'HoursInModel' }),
        )
        .max(100)
        .nullable()
        .optional(),
    })
    .meta({ id: 'PriorExperience' })
    .nullable()
    .optional()
    .describe('What was logged elsewhere. Booking rules use it once it is verified'),
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
