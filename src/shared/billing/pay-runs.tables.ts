import { p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Tenths } from '../platform/kernel/units.ts'

/** The pay of an organization's instructors for the flights of a period of local days. A pay run never changes. */
export const PayRun = log('pay_run', {
  exported: true,
  rights: 'append only',
  columns: {
    ...tenantRecord,
    /** The first and last local day, "YYYY-MM-DD". */
    startDate: p.text(),
    endDate: p.text(),
    currency: p.text(),
    /** The number of flights that this run pays for the first time; adjustments do not count. */
    flights: p.integer(),
    amountCents: p.bigint('number').columnType('int8').$type<Cents>(),
    /** Whether the run pays the member who created it. */
    own: p.boolean(),
    createdBy: member.act('pay_runs', 'money'),
  },
})

/**
 * The pay of an instructor for one flight in one run. The first run with the flight pays all of it; a line of a later run is an
 * adjustment, the difference in signed tenths of an hour and cents. Only a merge of members changes `membershipId`.
 */
export const PayLine = log('pay_line', {
  exported: true,
  rights: { update: ['membershipId'] },
  columns: {
    ...tenantRecord,
    payRunId: p.integer(),
    reservationId: p.integer(),
    membershipId: member.money('pay_runs'),
    adjustment: p.boolean(),
    flightTenths: p.integer().$type<Tenths>(),
    groundTenths: p.integer().$type<Tenths>(),
    simTenths: p.integer().$type<Tenths>(),
    /** The rates of this line in cents per hour: the instructor's rates when the flight was first paid. */
    flightPayCents: p.integer().$type<Cents>().nullable(),
    groundPayCents: p.integer().$type<Cents>().nullable(),
    simPayCents: p.integer().$type<Cents>().nullable(),
    amountCents: p.bigint('number').columnType('int8').$type<Cents>(),
    /** Whether the briefing is longer than the booked time plus an hour. */
    longBriefing: p.boolean(),
    /** Whether the desk signed for somebody on the flight. */
    onBehalf: p.boolean(),
    /** Whether the figures were corrected after they were signed, while the signatures stood. */
    corrected: p.boolean().default(false),
    /**
     * The time of the sign-off that this line pays, or of the correction after it. After a later one, the flight is compared with what was
     * paid.
     */
    signedOffAt: instant(),
  },
})
