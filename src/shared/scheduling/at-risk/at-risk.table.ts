import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { StoredFinding } from './at-risk.rules.ts'

/**
 * A booking ahead that would not be accepted today, until it would. It refers to its booking without a foreign key, which
 * would wait for whoever changes the booking. Kysely writes the table; the ORM only declares its columns.
 */
export const ReservationAtRisk = defineEntity({
  name: 'ReservationAtRisk',
  tableName: 'reservation_at_risk',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    since: instant(),
    /** The keys of the rules that stand in the way; `currency` as well for each currency. */
    rules: p.json<string[]>(),
    /** What stands in the way or did since: people are told of each once. */
    causes: p.json<string[]>(),
    /** What desk staff read, and what anybody else does: the latter not why somebody is grounded. */
    forDesk: p.json<StoredFinding[]>(),
    forOthers: p.json<StoredFinding[]>(),
  },
})

/** When the bookings ahead of an organization were last judged. */
export const AtRiskRun = defineEntity({
  name: 'AtRiskRun',
  tableName: 'at_risk_run',
  properties: { ...tenantRecord, startedAt: instant() },
})

/** That a member is told of bookings which came to be at risk together. */
export const AtRiskNotice = defineEntity({
  name: 'AtRiskNotice',
  tableName: 'at_risk_notice',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    reservationIds: p.json<number[]>(),
    toldAt: instant(),
  },
})
