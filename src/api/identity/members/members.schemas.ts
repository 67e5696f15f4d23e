import { z } from 'zod'
import { billingModes } from '../../../shared/identity/members.tables.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import { PasswordAgain } from '../../http/reauthentication.ts'
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
  QueryId,
  QueryText,
  RoleFlagsInput,
  text,
} from '../../http/schemas.ts'
import { ProfilePatch } from '../profiles/profiles.schemas.ts'
import { Availability } from './availability.view.ts'

export const UserIdParams = z.object({ userId: PathId })

export const UserPatch = z.object({
  name: properName(200)
    .optional()
    .meta({ examples: ['Ana Ruiz'] }),
  phone: oneLine(40)
    .trim()
    .nullable()
    .optional()
    .transform((phone) => (phone === '' ? null : phone))
    .meta({ examples: ['+1 555 0100'] }),
})

export const OrgUserQuery = ListQuery.extend({
  q: QueryText.optional().describe('In the name or the address'),
  groupId: QueryId.optional(),
  instructorOrgUserId: z
    .union([z.literal('me'), QueryId])
    .optional()
    .describe(
      'The students of this instructor: in an open enrollment, or booked with them in the 60 days before or after',
    )
    .meta({ override: { type: 'string', pattern: '^(me|[0-9]+)$', example: 'me' } }),
  removed: QueryFlag.optional().describe('`true`: the former members instead, for owners'),
  ...(Object.fromEntries(roles.map((role) => [role, QueryFlag.optional()])) as Record<
    (typeof roles)[number],
    z.ZodOptional<typeof QueryFlag>
  >),
})

const rate = CentsInput.meta({ unit: 'Cents an hour' }).nullable().optional()
const payRate = inCents(
  z
    .int()
    .min(1)
    .max(MAX_CENTS)
    .meta({ unit: 'Cents an hour', examples: [4_500] }),
)
  .nullable()
  .optional()

const contact = {
  email: Email.nullable().optional(),
  phone: oneLine(40)
    .trim()
    .nullable()
    .optional()
    .transform((phone) => (phone === '' ? null : phone))
    .meta({ examples: ['+1 555 0100'] }),
  externalId: name(100)
    .nullable()
    .optional()
    .describe('The organization’s own key of the person')
    .meta({ examples: ['M-1042'] }),
}

export const OrgUserBody = z
  .object({
    name: properName(200).meta({ examples: ['Ana Ruiz'] }),
    ...contact,
    ...RoleFlagsInput.shape,
    profile: ProfilePatch.omit({ verify: true }).optional().describe('As for `PATCH /orgUsers/{id}/profile`'),
  })
  .meta({ examples: [{ name: 'Ana Ruiz', email: 'ana@example.com', student: true }] })

const flags = Object.fromEntries(roles.map((role) => [role, z.boolean().optional()])) as Record<
  (typeof roles)[number],
  z.ZodOptional<z.ZodBoolean>
>

export const OrgUserPatch = z.object({
  ...flags,
  name: properName(200).optional().describe('Of a managed member alone, as `email` and `phone`'),
  ...contact,
  billingMode: z.enum(billingModes).optional(),
  instructionRates: z
    .object({ flight: rate, ground: rate, sim: rate })
    .optional()
    .describe('Cents an hour, merged one by one; null takes a rate away'),
  taxExempt: z.boolean().optional().describe('Whether invoices raised from now on have no taxes'),
  payRates: z
    .object({ flight: payRate, ground: payRate, sim: payRate })
    .optional()
    .describe('What the organization pays, in cents an hour, merged one by one; null pays nothing for such time'),
  autopay: z
    .boolean()
    .optional()
    .describe('Whether new invoices are charged to the default card. The member alone switches it on; admins off'),
  autopayMaxCents: inCents(
    z
      .int()
      .min(50)
      .max(MAX_CENTS)
      .meta({ examples: [100_000] }),
  )
    .optional()
    .describe('The most for one invoice; twice that in all for one day. By the member alone'),
  password: PasswordAgain,
  grounded: z.boolean().optional(),
  groundedReason: text(500).trim().nullable().optional(),
})

export const RemoveQuery = z.object({
  cancelBookings: QueryFlag.optional().describe('Cancels the future bookings that need the member, frees other seats'),
})

export const AvailabilityBody = z.object({
  availability: z.array(Availability).max(200).describe('Empty: always available'),
})

export const TimeOffQuery = ListQuery.extend({
  orgUserId: QueryId.optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
})

export const TimeOffBody = z.object({
  start: InstantInput,
  end: InstantInput,
  reason: text(500).trim().nullable().optional(),
  orgUserId: Id.optional().describe("Desk staff only; one's own when left out"),
})
