import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { chargeStates } from './autopay.states.ts'

/** The automatic charge of an invoice to its payer's card. Kysely writes the table; the ORM only declares its columns. */
export const AutopayCharge = defineEntity({
  name: 'AutopayCharge',
  tableName: 'autopay_charge',
  properties: {
    ...tenantRecord,
    invoiceId: p.integer(),
    membershipId: p.integer(),
    state: p.enum(chargeStates).default('planned'),
    notBefore: instant(),
    /** How many attempts have begun. */
    attempts: p.integer().default(0),
    /** What counts against the member's limit of the day `countedOn`. */
    amountCents: p.integer().$type<Cents>().nullable(),
    countedOn: p.date().nullable(),
    firstDeclinedAt: instant().nullable(),
  },
})
