import { p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Tenths } from '../platform/kernel/units.ts'

/** What an organization pays its instructors for the flights of a period of local days. Nothing of it changes later. */
export const PayRun = log('pay_run', {
  exported: true,
  rights: 'append only',
  columns: {
    ...tenantRecord,
    /** The first and last local day, "YYYY-MM-DD". */
    startDate: p.text(),
    endDate: p.text(),
    currency: p.text(),
    /** The flights that have their place in it. */
    flights: p.integer(),
    amountCents: p.bigint('number').columnType('int8').$type<Cents>(),
    /** Whether who made it is paid in it. */
    own: p.boolean(),
    createdBy: member.act('pay_runs', 'money'),
  },
})

/**
 * What a run pays an instructor of one flight: all of it, in the run that is the flight's place, or as an adjustment what
 * differs since, in signed tenths of an hour and cents. Only a merge of members changes whose it is.
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
    /** The rates that it is paid at, in cents an hour: those of the instructor when the flight was first paid. */
    flightPayCents: p.integer().$type<Cents>().nullable(),
    groundPayCents: p.integer().$type<Cents>().nullable(),
    simPayCents: p.integer().$type<Cents>().nullable(),
    amountCents: p.bigint('number').columnType('int8').$type<Cents>(),
    /** Whether the briefing is longer than the booked time plus an hour. */
    longBriefing: p.boolean(),
    /** Whether the desk signed for somebody on the flight. */
    onBehalf: p.boolean(),
    /** The signing off that it pays: a later one of the flight is compared with what was paid. */
    signedOffAt: instant(),
  },
})
