import { type RawBuilder, sql } from 'kysely'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { currencyAudiences, Requirement } from './currency.rules.ts'

function selectCurrencies(db: Db, organizationId: number) {
  return db.selectFrom('currency_rule').selectAll().where('organization_id', '=', organizationId).orderBy('id')
}

export type CurrencyRow = Awaited<ReturnType<ReturnType<typeof selectCurrencies>['execute']>>[number]

/** Returns the currencies of an organization, oldest first. */
export function listCurrencies(db: Db, organizationId: number) {
  return pageable(db, selectCurrencies(db, organizationId))
}

/**
 * Returns one currency of the organization.
 * @throws NotFound when there is none with this id.
 */
export async function findCurrency(db: Db, organizationId: number, id: number): Promise<CurrencyRow> {
  const row = await selectCurrencies(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** A currency with the records and flights of some members. */
export interface CurrencyWithEvidence extends RuleSettings {
  id: number
  name: string
  kind: Requirement['kind']
  blocking: boolean
  appliesTo: (typeof currencyAudiences)[number]
  warnDays: number
  roles: Role[]
  reservationTypes: ReservationType[]
  resourceIds: number[]
  requires: Requirement
  records: { id: number; orgUserId: number; completedAt: Date; expiresAt: Date | null; documentId: number | null }[]
  flights: { orgUserId: number; flownAt: Date }[]
}

interface EvidenceRow extends Omit<CurrencyWithEvidence, 'requires' | 'records' | 'flights'> {
  count: number | null
  days: number | null
  records: (Omit<CurrencyWithEvidence['records'][number], 'completedAt' | 'expiresAt'> & {
    completedAt: string
    expiresAt: string | null
  })[]
  flights: { orgUserId: number; flownAt: string }[]
}

/**
 * Returns the currencies of an organization with members' records and flights, in one query: all of them, or those that
 * are not off. Flights are the signed ones in a plane, or on the rule's own resources, that count for a booking
 * within the span.
 */
export async function findCurrencyEvidence(
  db: Db,
  organizationId: number,
  wanted: { orgUserIds: readonly number[]; span: { start: Date; end: Date }; enforcedOnly: boolean },
): Promise<CurrencyWithEvidence[]> {
  const { orgUserIds, span, enforcedOnly } = wanted
  const { rows } = await sql<EvidenceRow>`
    select c.id, c.name, c.kind, c.enforcement = 'block' as blocking, c.enforcement,
      c.lifted_when_supervised as "liftedWhenSupervised", c.overridable_by as "overridableBy",
      c.applies_to as "appliesTo", c.warn_days as "warnDays", c.roles,
      c.reservation_types as "reservationTypes", c.resource_ids as "resourceIds", c.flight_count as count,
      c.flight_days as days,
      coalesce((select json_agg(json_build_object('id', k.id, 'orgUserId', k.membership_id,
          'completedAt', k.completed_at, 'expiresAt', k.expires_at, 'documentId', k.document_id))
        from currency_record k where k.organization_id = c.organization_id and k.currency_rule_id = c.id
          and k.membership_id = any(${orgUserIds})), '[]') as records,
      case when c.kind = 'expiring' then '[]' else coalesce((
        select json_agg(json_build_object('orgUserId', s.membership_id, 'flownAt', r.starts_at))
        ${countedFlights(sql`s.membership_id = any(${orgUserIds})`, span)}), '[]') end as flights
    from currency_rule c
    where c.organization_id = ${organizationId} ${enforcedOnly ? sql`and c.enforcement <> 'off'` : sql``}
    order by c.id`.execute(db)
  return rows.map(({ count, days, records, flights, ...row }) => ({
    ...row,
    requires:
      count === null || days === null
        ? { kind: 'expiring' as const }
        : { kind: 'recent_flights' as const, count, days },
    records: records.map((record) => ({
      ...record,
      completedAt: new Date(record.completedAt),
      expiresAt: record.expiresAt === null ? null : new Date(record.expiresAt),
    })),
    flights: flights.map((flight) => ({ ...flight, flownAt: new Date(flight.flownAt) })),
  }))
}

/**
 * Returns the from clause of the signed flights that count for currency `c` and a booking within the span: by the
 * members' seat `s`, in a plane, or on the rule's own resources.
 */
export function countedFlights(ofMember: RawBuilder<unknown>, span: { start: Date; end: Date }): RawBuilder<unknown> {
  // Two more days cover the offset of local days from UTC in every zone.
  return sql`
    from seat s
    join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
    join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where s.organization_id = c.organization_id and ${ofMember} and s.live
      and s.starts_at < ${span.end} and s.starts_at > ${span.start}::timestamptz - make_interval(days => c.flight_days + 2)
      and r.signed_off_at is not null
      and case when c.resource_ids = '[]' then x.kind = 'plane' else c.resource_ids @> to_jsonb(x.id) end`
}

/** Returns the notice of an end that a member was notified of, with the organization's zone; undefined when it is gone. */
export function findCurrencyNotice(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('currency_notice as n')
    .innerJoin('organization as o', 'o.id', 'n.organization_id')
    .select(['n.currency_rule_id', 'n.membership_id', 'n.told_for', 'o.time_zone_name as zone'])
    .where('n.organization_id', '=', organizationId)
    .where('n.id', '=', id)
    .executeTakeFirst()
}
