import { type InferEntity, p } from '@mikro-orm/core'
import { reservationTypes } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'
import type { Problem } from './rules/problems.ts'
import type { OfferedResource } from './waitlist/offered-resource.rules.ts'
import {
  answeredHow,
  endCauses,
  entryStatuses,
  offerSources,
  offerStatuses,
  passCauses,
  waitingTypes,
  withdrawalCauses,
} from './waitlist/waitlist.states.ts'

/** A window of a waiting entry, as it is stored: instants as text. */
export interface StoredWindow {
  start: string
  end: string
}

/**
 * What a member waits for: a place of this type and length within one of the windows. The rank counts from `rankedAt`, the last
 * change that widened it. `insteadOfId` is a booking that accepting moves.
 */
export const WaitlistEntry = aggregate('waitlist_entry', {
  exported: true,
  /** Nobody needs an entry after its offers are over. */
  kept: { days: 90, since: 'endedAt' },
  columns: {
    ...tenantRecord,
    membershipId: member.booked('waitlist', 'delete'),
    createdBy: member.act('work', 'others'),
    type: p.enum(waitingTypes),
    status: p.enum(entryStatuses).default('waiting'),
    durationMinutes: p.smallint(),
    windows: p.json<StoredWindow[]>(),
    pool: p.text().nullable(),
    noticeMinutes: p.smallint().default(180),
    insteadOfId: p.integer().nullable(),
    rankedAt: instant(),
    reservationId: p.integer().nullable(),
    endedAt: instant().nullable(),
    endCause: p.enum(endCauses).nullable(),
  },
})
export type WaitlistEntry = InferEntity<typeof WaitlistEntry>

/** A resource, or an instructor (`membershipId`), that a waiting entry takes. Without one, it takes any. */
export const WaitlistChoice = set('waitlist_choice', {
  exported: true,
  columns: {
    ...tenantRecord,
    entryId: p.integer(),
    resourceId: p.integer().nullable(),
    membershipId: member.paper('work', { once: ['entryId'] }).nullable(),
  },
})

/**
 * A place that is kept for one person until `expiresAt`. The database refuses two open offers of one resource, instructor or
 * person at the same time. It holds its place against members and the public until `holdsUntil`. Accepting one with `movesId`
 * moves that booking. Only a hash of the token of its mailed link is stored, and only while it is open.
 */
export const Offer = aggregate('offer', {
  exported: { without: ['seed', 'tokenHash'] },
  kept: { days: 90, since: 'endedAt' },
  columns: {
    ...tenantRecord,
    source: p.enum(offerSources),
    status: p.enum(offerStatuses).default('open'),
    entryId: p.integer().nullable(),
    membershipId: member.booked('waitlist', 'delete'),
    type: p.enum(reservationTypes),
    startsAt: instant(),
    endsAt: instant(),
    resourceId: p.integer().nullable(),
    /** Its resource when it was made. Absent: without one, and in offers from before this was kept. */
    offered: p.json<OfferedResource>().nullable(),
    instructorId: member.booked('waitlist').nullable(),
    movesId: p.integer().nullable(),
    madeAt: instant(),
    expiresAt: instant(),
    holdsUntil: instant(),
    estimatedCents: p.integer().$type<Cents>().nullable(),
    /** The warnings of its booking when it was made. */
    warnings: p.json<Problem[]>().default([]),
    /** The entries in the order in which they were asked when it was made. */
    standing: p.json<number[]>().default([]),
    endedAt: instant().nullable(),
    /** Why it was withdrawn. */
    cause: p.enum(withdrawalCauses).nullable(),
    answeredBy: member.act('waitlist', 'none').nullable(),
    /** How it was answered in somebody's name, or by the mailed link. */
    how: p.enum(answeredHow).nullable(),
    reservationId: p.integer().nullable(),
    seed: p.text().nullable(),
    tokenHash: p.text().nullable(),
  },
})
export type Offer = InferEntity<typeof Offer>

/** A place that a waiting entry did not get, and why. */
export const WaitlistPass = log('waitlist_pass', {
  exported: true,
  kept: { days: 30, since: 'passedAt' },
  columns: {
    ...tenantRecord,
    entryId: p.integer(),
    startsAt: instant(),
    resourceId: p.integer().nullable(),
    cause: p.enum(passCauses),
    passedAt: instant(),
  },
})
