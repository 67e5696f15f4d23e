import { z } from 'zod'
import { groundedFor } from '../../../shared/identity/members/availability.rules.ts'
import { billingModes } from '../../../shared/identity/members.tables.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
import { RoleFlagsInput } from '../../http/role-schemas.ts'
import {
  CentsInput,
  Email,
  Id,
  InstantInput,
  MAX_CENTS,
  name,
  oneLine,
  PathId,
  properName,
  QueryFlag,
  QueryIds,
  QueryMembers,
  QueryText,
  text,
} from '../../http/schemas.ts'
import { openWindow } from '../../http/windows.ts'
import { ProfilePatch } from '../profiles/profiles.schemas.ts'
import { Availability } from './availability.view.ts'

export const UserIdParams = z.object({ userId: PathId })

export const UserPatch = z.object({
  name: properName(200).optional(),
  phone: oneLine(40)
    .trim()
    .nullable()
    .optional()
    .transform((phone) => (phone === '' ? null : phone)),
})

export const OrgUserQuery = ListQuery.extend({
  q: QueryText.optional().describe('Searches name and address'),
  groupId: QueryIds.optional().describe('Only members of one of these groups'),
  instructorOrgUserId: QueryMembers.optional().describe(
    'Only the students of one of these instructors: students with an open enrollment with the instructor, or with a ' +
      'booking with the instructor within 60 days',
  ),
  removed: QueryFlag.optional().describe('`true` lists former members instead. Only for owners'),
  ...(Object.fromEntries(roles.map((role) => [role, QueryFlag.optional()])) as Record<
    (typeof roles)[number],
    z.ZodOptional<typeof QueryFlag>
  >),
})

const rate = CentsInput.meta({ unit: 'Cents an hour' }).nullable().optional()
const payRate = inCents(z.int().min(1).max(MAX_CENTS).meta({ unit: 'Cents an hour' }))
  .nullable()
  .optional()

const contact = {
  email: Email.nullable().optional(),
  phone: oneLine(40)
    .trim()
    .nullable()
    .optional()
    .transform((phone) => (phone === '' ? null : phone)),
  externalId: name(100).nullable().optional().describe('The organization’s own identifier for the person'),
}

export const OrgUserBody = z.object({
  name: properName(200),
  ...contact,
  ...RoleFlagsInput.shape,
  profile: ProfilePatch.omit({ verify: true })
    .optional()
    .describe('The same fields as in `PATCH /orgUsers/{id}/profile`'),
})

const flags = Object.fromEntries(roles.map((role) => [role, z.boolean().optional()])) as Record<
  (typeof roles)[number],
  z.ZodOptional<z.ZodBoolean>
>

export const OrgUserPatch = z.object({
  ...flags,
  name: properName(200).optional().describe('Only for managed members; the same holds for `email` and `phone`'),
  ...contact,
  billingMode: z.enum(billingModes).optional(),
  instructionRates: z
    .object({ flight: rate, ground: rate, sim: rate })
    .optional()
    .describe(
      'What the organization bills for the member’s instruction, in cents an hour. Rates that are left out stay; ' +
        'null removes a rate',
    ),
  taxExempt: z.boolean().optional().describe('Whether new invoices have no taxes'),
  payRates: z
    .object({ flight: payRate, ground: payRate, sim: payRate })
    .optional()
    .describe(
      'What the organization pays the member for instruction, in cents an hour. Rates that are left out stay; ' +
        'null: such time is not paid. A change of your own rates is marked in the audit log and mailed to all owners',
    ),
  autopay: z
    .boolean()
    .optional()
    .describe(
      'Whether new invoices are charged to the default card. Members switch it on for themselves, with the password; ' +
        'admins can only switch it off. An invoice that somebody else wrote by hand is charged 24 hours after a mail to ' +
        'the payer. The payer is asked instead when an amount is above the limit, or when somebody else set the price of ' +
        'a booking. A declined card is tried again 1, 3 and 7 days after the first decline',
    ),
  autopayMaxCents: inCents(z.int().min(50).max(MAX_CENTS))
    .optional()
    .describe(
      'The largest invoice that is charged, in cents. The limit for one day is twice this amount. Only the member ' +
        'sets it, with the password',
    ),
  billToOrgUserId: Id.nullable()
    .optional()
    .describe(
      'The payer of this member. Once the payer accepts (`POST /orgUsers/{id}/billTo/accept`), new invoices for flights, ' +
        'prepaid bookings, packages and fees of the member are the payer’s; those raised stay with the payer. A payer ' +
        'has no payer. null ends this; the member and the payer can send null too. Otherwise a recent sign-in, or the ' +
        'password, is required',
    ),
  password: PasswordAgain,
  grounded: z.boolean().optional(),
  groundedReason: text(500)
    .trim()
    .nullable()
    .optional()
    .describe('Only of a grounded member; removed when the member is returned to flying, as `groundedFor` is'),
  groundedFor: z
    .enum(groundedFor)
    .optional()
    .describe('What a grounded member is kept from: `all`, every booking; `pic`, only flying as pilot in command'),
})

export const BillToConsentBody = z.object({
  ledger: z.boolean().optional().describe('Whether the payer’s ledger may pay invoices without asking. Default: no'),
  autopay: z.boolean().optional().describe('Whether the payer’s autopay may pay invoices. Default: no'),
  maxCentsPerMonth: inCents(z.int().min(1).max(MAX_CENTS))
    .nullable()
    .optional()
    .describe(
      'The most, in cents, that the ledger and autopay pay for the member in a local month. The payer is asked for ' +
        'the rest. null, the default: no limit',
    ),
  documentId: Id.optional().describe(
    'The document that a payer without an account signed. Required of an admin who accepts in the payer’s name',
  ),
  password: PasswordAgain,
})

export const RemoveQuery = z.object({
  cancelBookings: QueryFlag.optional().describe(
    '`true` cancels the future bookings that need the member, and removes the member from the other ones',
  ),
})

export const AvailabilityBody = z
  .object({
    availability: z
      .array(Availability)
      .max(200)
      .describe('The times of the week at which the member is available. Empty: always'),
  })
  .meta({ id: 'WeeklyAvailability' })

export const TimeOffQuery = ListQuery.extend({
  orgUserId: QueryMembers.optional().describe('Only the time off of these members'),
  ...openWindow,
})

export const TimeOffBody = z.object({
  start: InstantInput,
  end: InstantInput,
  reason: text(500).trim().nullable().optional(),
  orgUserId: Id.optional().describe('The absent member. Default: the caller. Only desk staff can name another member'),
})
