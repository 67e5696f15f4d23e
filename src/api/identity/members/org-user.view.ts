import { z } from 'zod'
import { groundedFor } from '../../../shared/identity/members/availability.rules.ts'
import type { OrgUserRow } from '../../../shared/identity/members/org-user.queries.ts'
import { billingModes } from '../../../shared/identity/members.tables.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, deskStaff, roleFlags, staff } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { RoleFlagsView } from '../../http/role-schemas.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

/** An hourly rate in an answer, in cents: billed or paid. */
export const Rate = Cents.meta({ unit: 'Cents an hour' })

/** The rates of an instructor by kind of time. */
export const InstructionRates = z
  .object({ flight: Rate.nullable(), ground: Rate.nullable(), sim: Rate.nullable() })
  .meta({ id: 'InstructionRates' })

/** A member of the organization; the id is the `orgUserId`. */
export const OrganizationUser = z
  .object({
    id: Id.describe('The orgUserId of the member'),
    user: z.object({
      id: Id.nullable().describe('The account; null for a managed member'),
      name: z.string(),
      email: z
        .string()
        .nullable()
        .describe('Only staff see the address of a managed member. null when it is hidden or there is none'),
      phone: z
        .string()
        .nullable()
        .describe('Only staff see the phone number of a managed member. null when it is hidden or there is none'),
    }),
    managed: z.boolean().describe('Whether this is a managed member, who has no account'),
    externalId: z
      .string()
      .nullable()
      .describe('The organization’s own identifier for the person. Only admins see it; null for others'),
    ...RoleFlagsView.shape,
    billingMode: z.enum(billingModes).meta({ choices: 'BillingMode' }),
    instructionRates: InstructionRates.nullable().describe(
      'What the organization bills for the member’s instruction, in cents an hour. Only the member and admins see it; ' +
        'null for others',
    ),
    taxExempt: z
      .boolean()
      .nullable()
      .describe('Whether new invoices have no taxes. Only the member and admins see it; null for others'),
    payRates: InstructionRates.nullable().describe(
      'What the organization pays the member for instruction, in cents an hour. Only the member and admins see it; ' +
        'null for others',
    ),
    billTo: z
      .object({
        orgUserId: Id,
        name: z.string(),
        acceptedAt: Instant.nullable().describe('null until the payer has accepted; the member pays until then'),
        consent: z
          .object({ ledger: z.boolean(), autopay: z.boolean(), maxCentsPerMonth: Cents.nullable() })
          .nullable()
          .describe('What may be charged without asking. Only the payer and admins see it; null for others'),
      })
      .nullable()
      .describe(
        'Who pays the member’s flights, prepaid bookings, packages and fees. Only the member, the payer and admins see ' +
          'it; null for others, and when nobody does',
      ),
    autopay: z
      .boolean()
      .nullable()
      .describe(
        'Whether new invoices are charged to the default card. Only the member and admins see it; null for others',
      ),
    autopayMaxCents: Cents.nullable().describe(
      'The largest invoice that is charged, in cents. The limit for one day is twice this amount. Only the member ' +
        'and admins see it; null for others',
    ),
    grounded: z.boolean(),
    groundedReason: z.string().nullable().describe('Only the member and desk staff see it; null for others'),
    groundedFor: z
      .enum(groundedFor)
      .nullable()
      .describe(
        'What the grounded member is kept from: `all`, every booking; `pic`, only flying as pilot in command. Only the ' +
          'member and desk staff see it; null for others, and when the member is not grounded',
      ),
    joinedAt: Instant,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'OrganizationUser' })

const none = { email: null, phone: null }

/** Returns who pays for a member, to the member, the payer and admins; the consent to the payer and admins only. */
function billToView(row: OrgUserRow, reader: Actor): z.input<typeof OrganizationUser>['billTo'] {
  const { bill_to_id: orgUserId, bill_to_name: name, bill_to_accepted_at: acceptedAt } = row
  const all = orgUserId === reader.orgUserId || is(reader, admins)
  if (orgUserId === null || !(all || row.id === reader.orgUserId)) return null
  const { bill_to_ledger: ledger, bill_to_autopay: autopay, bill_to_max_cents: maxCentsPerMonth } = row
  const consent = all && acceptedAt ? { ledger, autopay, maxCentsPerMonth } : null
  return { orgUserId, name: name ?? '', acceptedAt: iso(acceptedAt), consent }
}

export function orgUserView(row: OrgUserRow, reader: Actor): z.input<typeof OrganizationUser> {
  const own = row.id === reader.orgUserId
  const money = own || is(reader, admins)
  const contacts = row.account_id !== null || is(reader, staff)
  return {
    id: row.id,
    user: { id: row.account_id, name: row.name, ...(contacts ? { email: row.email || null, phone: row.phone } : none) },
    managed: row.account_id === null,
    externalId: is(reader, admins) ? row.external_id : null,
    ...roleFlags(row),
    billingMode: row.billing_mode,
    instructionRates: money
      ? { flight: row.flight_rate_cents, ground: row.ground_rate_cents, sim: row.sim_rate_cents }
      : null,
    taxExempt: money ? row.tax_exempt : null,
    payRates: money ? { flight: row.flight_pay_cents, ground: row.ground_pay_cents, sim: row.sim_pay_cents } : null,
    billTo: billToView(row, reader),
    autopay: money ? row.autopay : null,
    autopayMaxCents: money ? row.autopay_max_cents : null,
    grounded: row.grounded,
    groundedReason: own || is(reader, deskStaff) ? row.grounded_reason : null,
    groundedFor: row.grounded && (own || is(reader, deskStaff)) ? (row.grounded_for ?? 'all') : null,
    joinedAt: iso(row.created_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
