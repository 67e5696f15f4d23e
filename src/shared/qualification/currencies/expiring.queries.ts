import { sql } from 'kysely'
import { noticeDueOf } from '../../communication/notifications/notify.ts'
import { type RoleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'

/** The end of a member's currency, and the notice that is due: `days` before the end. */
export interface CurrencyEnd {
  organizationId: number
  currencyId: number
  orgUserId: number
  /** The `scopeKey` of the aircraft, for a currency that depends on the aircraft; else empty. */
  scope: string
  endsAt: Date
  days: number
}

/**
 * Returns at most `BATCH_SIZE` recorded ends of expiring currencies, of all organizations, whose member must get a notice now
 * and has not got it yet. Members who left are excluded.
 */
export async function findEnds(db: Db, now: Date): Promise<CurrencyEnd[]> {
  const due = noticeDueOf(sql`k.expires_at`, now)
  const { rows } = await sql<CurrencyEnd>`
    select k.organization_id as "organizationId", k.currency_id as "currencyId", k.membership_id as "orgUserId",
      '' as scope, k.expires_at as "endsAt", ${due} as days
    from currency_record k
    join currency c on c.organization_id = k.organization_id and c.id = k.currency_id and c.kind = 'expiring'
    join membership m on m.organization_id = k.organization_id and m.id = k.membership_id
    left join currency_end_notice n on n.organization_id = k.organization_id
      and n.currency_id = k.currency_id and n.membership_id = k.membership_id
    where k.expires_at > ${now} and k.ended_on is null and ${due} is not null and m.removed_at is null
      and (n.notified_for is distinct from k.expires_at or n.notified_days > ${due})
    order by k.membership_id, k.currency_id
    limit ${BATCH_SIZE}`.execute(db)
  return rows
}

/** Members of one organization with their roles, and the organization's zone. */
export interface JudgedMembers {
  organizationId: number
  zone: string
  members: ({ id: number } & RoleFlags)[]
}

/**
 * Returns at most `BATCH_SIZE` members with an orgUserId above `after`, grouped by organization. Includes only organizations
 * with a currency whose end is not recorded but computed (from flights, endorsements or age).
 */
export async function findJudgedMembers(db: Db, after: number): Promise<JudgedMembers[]> {
  const rows = await db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.id', 'm.organization_id as organizationId', 'o.time_zone_name as zone'])
    .select(roles.map((role) => `m.${role}` as const))
    .where('m.id', '>', after)
    .where('m.removed_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('currency as c')
          .select('c.id')
          .whereRef('c.organization_id', '=', 'm.organization_id')
          .where('c.kind', '<>', 'expiring'),
      ),
    )
    .orderBy('m.id')
    .limit(BATCH_SIZE)
    .execute()
  const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId)
  return [...byOrganization].map(([organizationId, members]) => ({ organizationId, zone: members[0]!.zone, members }))
}

/**
 * Returns the currency and the member of a record that the member recorded for themselves; undefined when somebody else
 * recorded it.
 */
export function findSelfRecorded(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('currency_record as k')
    .innerJoin('currency as c', (join) =>
      join.onRef('c.organization_id', '=', 'k.organization_id').onRef('c.id', '=', 'k.currency_id'),
    )
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'k.organization_id').onRef('m.id', '=', 'k.membership_id'),
    )
    .select(['c.id', 'm.search_name as name', 'c.name as currency'])
    .where('k.organization_id', '=', organizationId)
    .where('k.id', '=', id)
    .whereRef('k.recorded_by', '=', 'k.membership_id')
    .executeTakeFirst()
}

/** A currency of a member that somebody ended, or that began again. */
export interface EndedCurrency {
  orgUserId: number
  currencyId: number
  name: string
  currency: string
  /** The local day on which it ended; null when it began again. */
  on: string | null
}

/** Returns what an event says of a currency that ended or began again; undefined when the currency or the member is gone. */
export function findEndedCurrency(db: Db, organizationId: number, eventId: string): Promise<EndedCurrency | undefined> {
  return db
    .selectFrom('event as e')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'e.organization_id').onRef('m.id', '=', 'e.subject_id'),
    )
    .innerJoin('currency as c', (join) =>
      join
        .onRef('c.organization_id', '=', 'e.organization_id')
        .on(sql<boolean>`c.id = (e.after ->> 'currencyId')::integer`),
    )
    .select(['m.id as orgUserId', 'c.id as currencyId', 'm.search_name as name', 'c.name as currency'])
    .select(sql<string | null>`e.after ->> 'on'`.as('on'))
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', eventId)
    .where('m.removed_at', 'is', null)
    .executeTakeFirst()
}

/** Returns a notice of the end of a currency with its member's roles and zone; undefined when it is deleted. */
export function findCurrencyNotice(db: Db, organizationId: number, id: number) {
  return db
    .selectFrom('currency_end_notice as n')
    .innerJoin('organization as o', 'o.id', 'n.organization_id')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'n.organization_id').onRef('m.id', '=', 'n.membership_id'),
    )
    .select([
      'n.currency_id as currencyId',
      'n.scope',
      'n.notified_for as notifiedFor',
      'o.time_zone_name as zone',
      'm.id',
    ])
    .select(roles.map((role) => `m.${role}` as const))
    .where('n.organization_id', '=', organizationId)
    .where('n.id', '=', id)
    .executeTakeFirst()
}
