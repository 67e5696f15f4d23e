import { z } from 'zod'
import { organizationTypes } from '../../../shared/identity/organizations.tables.ts'
import { settingsPatch } from '../../../shared/platform/authz/organization-settings.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { RoleFlagsInput } from '../../http/role-schemas.ts'
import { Email, Id, name, oneLine, PathId, properName, text, ZoneName } from '../../http/schemas.ts'
import { AddressInput, AirportIdentifier } from '../locations/locations.schemas.ts'

const Phone = oneLine(40).trim().min(1)

const about = text(5_000).nullable()

export const OrganizationBody = z.object({
  name: properName(200),
  organizationType: z.enum(organizationTypes).default('flight_school'),
  about: about.optional(),
  showInDirectory: z.boolean().default(false),
  private: z.boolean().default(false).describe('With `true`, joining by code creates a join request'),
  details: z.object({ email: Email, phone: Phone, address: AddressInput }),
  location: z.object({
    name: name(200),
    address: AddressInput,
    timeZoneName: ZoneName.default('UTC').describe('The time zone, which becomes that of the organization'),
    airportIdentifier: AirportIdentifier.nullable().optional(),
  }),
})

export const OrganizationPatch = z.object({
  name: properName(200).optional(),
  organizationType: z.enum(organizationTypes).optional(),
  about: about.optional().describe('null clears it'),
  showInDirectory: z.boolean().optional(),
  private: z.boolean().optional(),
  details: z
    .object({ email: Email.optional(), phone: Phone.optional(), address: AddressInput.optional() })
    .optional()
    .describe('Merged key by key; so is the address'),
  settings: settingsPatch
    .optional()
    .describe('Merged key by key, including nested keys. `Organization` describes them'),
  password: PasswordAgain,
})

export const OrgIdParams = z.object({ orgId: PathId })

export const JoinParams = z.object({
  orgCode: z.string().regex(/^[A-Za-z0-9]{6}$/, fieldErrors.joinCode()),
})

export const InviteBody = z.object({
  email: Email.optional().describe('Required without `orgUserId`. With it, the default is the address of that member'),
  orgUserId: Id.optional().describe(
    'The managed member whose membership the invited person takes over on accepting, with its roles and history. Role flags ' +
      'are then refused (400), and an `email` replaces the address of that member',
  ),
  name: properName(200).nullable().optional().describe('Without web addresses'),
  ...RoleFlagsInput.shape,
})

export const ApproveBody = RoleFlagsInput.prefault({})
