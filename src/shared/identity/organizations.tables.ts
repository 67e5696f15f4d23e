import { type InferEntity, p } from '@mikro-orm/core'
import { instant, record, roleColumns, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'

export const organizationTypes = ['flight_school', 'flying_club', 'rental', 'university', 'other'] as const

/** A postal address. `country` is ISO 3166 alpha-2. */
export interface Address {
  line1?: string | null
  line2?: string | null
  city?: string | null
  state?: string | null
  postalCode?: string | null
  country?: string | null
}

export interface OrganizationDetails {
  email: string
  phone: string
  address: Address
}

/** A flight school, club or rental operation: the tenant. `timeZoneName` is the zone of its first location. */
export const Organization = aggregate('organization', {
  readByBookingRules: true,
  columns: {
    ...record,
    name: p.text(),
    organizationType: p.enum(organizationTypes),
    about: p.text().nullable(),
    showInDirectory: p.boolean().default(false),
    private: p.boolean().default(false),
    demo: p.boolean().default(false),
    timeZoneName: p.text(),
    details: p.json<OrganizationDetails>(),
    code: p.text(),
    /** Stored as it was given; `readSettings` adds the defaults. */
    settings: p.json<Record<string, unknown>>(),
    /**
     * The numbers of the latest credit note and of the latest issued invoice. The next one gets the next number, so
     * that numbers have no gaps.
     */
    lastCreditNumber: p.integer().default(0),
    lastReceiptNumber: p.integer().default(0),
    lastInvoiceNumber: p.integer().default(0),
    /** The organization's key at the payment gateway. */
    gatewayKey: p.text().defaultRaw("'acct_' || gen_random_uuid()"),
  },
})
export type Organization = InferEntity<typeof Organization>

/** An invitation by mail. Only the SHA-256 hash of its token is stored. */
export const Invitation = aggregate('invitation', {
  exported: { without: ['seed', 'tokenHash'] },
  /** Unaccepted invitations are kept for 30 days after they expire, so that admins see that they expired. */
  kept: { days: 30, since: 'expiresAt', where: 'accepted_at is null' },
  columns: {
    ...tenantRecord,
    ...roleColumns,
    email: p.text(),
    name: p.text().nullable(),
    /** The managed member that the accepting account takes over; null when the invitation is for a new member. */
    membershipId: member.own('settings').nullable(),
    seed: p.text(),
    tokenHash: p.text(),
    invitedBy: member.act('work', 'others'),
    expiresAt: instant(),
    acceptedAt: instant().nullable(),
  },
})
export type Invitation = InferEntity<typeof Invitation>

export const joinRequestStatuses = ['pending', 'approved', 'declined'] as const

/** A request to join a private organization, made with its join code. */
export const JoinRequest = aggregate('join_request', {
  exported: true,
  columns: {
    ...tenantRecord,
    accountId: p.integer(),
    status: p.enum(joinRequestStatuses).default('pending'),
    decidedBy: member.act('work', 'others').nullable(),
    decidedAt: instant().nullable(),
  },
})
export type JoinRequest = InferEntity<typeof JoinRequest>

/** An airport or place that the organization flies from. Scheduling there uses its time zone. */
export const Location = aggregate('location', {
  exported: true,
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    airportIdentifier: p.text().nullable(),
    timeZoneName: p.text(),
    address: p.json<Address>(),
    /** Degrees north and east; both null when they are not known. */
    latitude: p.double().$type<number>().columnType('float8').nullable(),
    longitude: p.double().$type<number>().columnType('float8').nullable(),
    /** The key of the location in the school's own system. Imports find the location by this key. */
    externalId: p.text().nullable(),
  },
})
export type Location = InferEntity<typeof Location>

/**
 * The row that remains of a deleted organization, for operators: `flightline org list --deleted` prints it, and no
 * endpoint returns it.
 */
export const DeletedOrganization = log('deleted_organization', {
  rights: 'insert only',
  columns: {
    /** The id of the deleted organization. */
    id: p.integer().primary(),
    name: p.text(),
    createdAt: instant(),
    deletedAt: instant(),
    /** The account of the owner who deleted it. */
    deletedBy: p.integer(),
    /** Counts at the deletion: present members, and all resources, bookings and invoices. */
    members: p.integer(),
    resources: p.integer(),
    bookings: p.integer(),
    invoices: p.integer(),
  },
})
