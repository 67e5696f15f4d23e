import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, roleColumns, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'

export const billingModes = ['invoice', 'ledger'] as const

/**
 * A person in an organization; its id is the `orgUserId`. A managed member has no account yet. A former member's row
 * remains with `removedAt`, so that past bookings show the name. Instruction rates are cents per hour.
 */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    ...tenantRecord,
    ...roleColumns,
    accountId: p.integer().nullable(),
    billingMode: p.enum(billingModes).default('invoice'),
    flightRateCents: p.integer().$type<Cents>().nullable(),
    groundRateCents: p.integer().$type<Cents>().nullable(),
    simRateCents: p.integer().$type<Cents>().nullable(),
    /** Whether the member's invoices have no taxes. */
    taxExempt: p.boolean().default(false),
    /** What the organization pays the instructor, in cents an hour; null: nothing for such time. */
    flightPayCents: p.integer().$type<Cents>().nullable(),
    groundPayCents: p.integer().$type<Cents>().nullable(),
    simPayCents: p.integer().$type<Cents>().nullable(),
    /** Whether new invoices are charged to the member's card, up to so many cents an invoice, and twice that a day. */
    autopay: p.boolean().default(false),
    autopayMaxCents: p
      .integer()
      .$type<Cents>()
      .default(100_000 as Cents),
    /** When the member switched it on last. */
    autopayAt: instant().nullable(),
    grounded: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    removedAt: instant().nullable(),
    /** The member who got the records of this one, who is removed. */
    mergedInto: p.integer().nullable(),
    mergedAt: instant().nullable(),
    /** When the personal data of a former member was erased. */
    erasedAt: instant().nullable(),
    /**
     * Name, address (lower case, or empty) and phone number of the person. The database copies those of the account,
     * when there is one; otherwise they are the organization's facts about a managed member.
     */
    searchName: p.text().default(''),
    searchEmail: p.text().default(''),
    phone: p.text().nullable(),
    /** The organization's own key of the person, unique among its members. */
    externalId: p.text().nullable(),
    /** The locations of which a dispatcher is notified; empty: all. */
    notifiedLocationIds: p.json<number[]>().default([]),
    /** The member's key as a payer at the payment gateway. */
    processorKey: p.text().defaultRaw("'cus_' || gen_random_uuid()"),
  },
})
export type Membership = InferEntity<typeof Membership>
