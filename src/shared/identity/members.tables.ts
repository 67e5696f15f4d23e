import { type InferEntity, p } from '@mikro-orm/core'
import { deskGrants } from '../platform/authz/desk-grants.rules.ts'
import { instant, roleColumns, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'
import { groundedFor } from './members/availability.rules.ts'
import type { ProfileFacts, VerifiedFacts } from './profiles/profile.rules.ts'

export const billingModes = ['invoice', 'ledger'] as const

/**
 * A person in an organization; its id is the `orgUserId`. A managed member has no account yet. A former member's row
 * remains with `removedAt`, so that past bookings show the name. Instruction rates are cents per hour.
 */
export const Membership = aggregate('membership', {
  exported: { without: ['gatewayKey'] },
  rights: 'no delete',
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    ...roleColumns,
    accountId: p.integer().nullable(),
    billingMode: p.enum(billingModes).default('invoice'),
    flightRateCents: p.integer().$type<Cents>().nullable(),
    groundRateCents: p.integer().$type<Cents>().nullable(),
    simRateCents: p.integer().$type<Cents>().nullable(),
    /** Whether the member's invoices have no taxes. */
    taxExempt: p.boolean().default(false),
    /** The instructor's pay in cents per hour of flight, ground and simulator time; null: such time is not paid. */
    flightPayCents: p.integer().$type<Cents>().nullable(),
    groundPayCents: p.integer().$type<Cents>().nullable(),
    simPayCents: p.integer().$type<Cents>().nullable(),
    /**
     * Whether new invoices are charged to the member's card: at most `autopayMaxCents` per invoice, and twice that per
     * day.
     */
    autopay: p.boolean().default(false),
    autopayMaxCents: p
      .integer()
      .$type<Cents>()
      .default(100_000 as Cents),
    /** When the member last turned autopay on. */
    autopayAt: instant().nullable(),
    /** The member to whom the invoices of this member go; only once that payer has accepted it. */
    billToId: member.act('settings', 'none').nullable(),
    /** When the bill-to payer accepted it; null: not yet, so that the member pays. */
    billToAcceptedAt: instant().nullable(),
    /** Whether the payer's ledger and card may be charged without asking, up to `billToMaxCents` a local month (null: no limit). */
    billToLedger: p.boolean().default(false),
    billToAutopay: p.boolean().default(false),
    billToMaxCents: p.integer().$type<Cents>().nullable(),
    grounded: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    /** Whether the grounded member is kept off every seat, or only from flying as pilot in command; null means `all`. */
    groundedFor: p.enum(groundedFor).nullable(),
    removedAt: instant().nullable(),
    /** Set when this member was merged into another one and removed: the member who received the records. */
    mergedInto: member.act('settings', 'none').nullable(),
    mergedAt: instant().nullable(),
    /** When the personal data of a former member was erased. */
    erasedAt: instant().nullable(),
    /**
     * Name, email address (lower case, or empty) and phone number of the person. For a member with an account, the
     * database copies them from the account. For a managed member, the organization enters them.
     */
    searchName: p.text().default(''),
    searchEmail: p.text().default(''),
    phone: p.text().nullable(),
    /** The key of the person in the organization's own system, unique among its members. */
    externalId: p.text().nullable(),
    /** The locations about which the member is notified as a dispatcher or other staff; empty: all locations. */
    notifiedLocationIds: p.json<number[]>().default([]),
    /** The member's key as a payer at the payment gateway. */
    gatewayKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Membership = InferEntity<typeof Membership>

/** The sensitive facts about a member, as stated and as verified last. Only the profile's own endpoints return them. */
export const MemberProfile = aggregate('member_profile', {
  exported: true,
  kept: { until: 'keptUntil' },
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('profile', 'profile', 'unkept'),
    facts: p.json<ProfileFacts>(),
    verified: p.json<VerifiedFacts>(),
    /** Set when the member is erased: the instant until which the organization must by law keep the remaining data. */
    keptUntil: instant().nullable(),
  },
})
export type MemberProfile = InferEntity<typeof MemberProfile>

/** One interval of a member's weekly pattern, in minutes after local midnight in the organization's zone. */
export const Availability = set('availability', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('availability', { once: [] }),
    /** 1 Monday … 7 Sunday */
    dayOfWeek: p.smallint(),
    startMinute: p.smallint(),
    endMinute: p.smallint(),
  },
})

/** A single absence. It blocks bookings like a booking does. */
export const TimeOff = set('time_off', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    membershipId: member.paper('availability', 'move'),
    startsAt: instant(),
    endsAt: instant(),
    reason: p.text().nullable(),
  },
})

/** A person without an account who flies or pays. One row per address and organization. */
export const Guest = set('guest', {
  exported: { without: ['gatewayKey'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    name: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    /** The guest's key as a payer at the payment gateway. */
    gatewayKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})

/** One row per member of a group. */
export const GroupMember = set('group_member', {
  exported: true,
  columns: { ...tenantRecord, groupId: p.integer(), membershipId: member.paper('groups', { once: ['groupId'] }) },
})

/** A named set of members, such as a class or a club. Announcements and member lists can select it. */
export const MemberGroup = aggregate('member_group', {
  exported: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
  },
})
export type MemberGroup = InferEntity<typeof MemberGroup>

/** A right at the desk that an admin gave to a dispatcher or an instructor. It ends with the role or the membership. */
export const DeskGrant = set('desk_grant', {
  exported: true,
  columns: {
    ...tenantRecord,
    membershipId: member.own('work'),
    kind: p.enum(deskGrants),
    grantedBy: member.act('work', 'others'),
  },
})
