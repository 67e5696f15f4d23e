import { type RawBuilder, sql } from 'kysely'
import type { OfferTemplateData } from '../../communication/notifications/templates/offer.rules.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { OfferStatus } from './waitlist.states.ts'

/** An offer as messages tell of it. */
export interface OfferToTell extends OfferTemplateData {
  orgUserId: number
  /** Who made the entry of the waiting list; null for an offer to nobody who waits. */
  makerId: number | null
  status: OfferStatus
  endedAt: Date | null
  source: 'waitlist' | 'recovery'
  settings: unknown
}

type StoredOffer = Omit<OfferToTell, 'moves' | 'currency'> & {
  moves: { title: string; start: string; end: string } | null
}

/** Returns an offer with the names that its messages tell; null when there is none. */
export async function findOfferToTell(db: Db, organizationId: number, id: number): Promise<OfferToTell | null> {
  const [offer] = await findOffersToTell(db, organizationId, sql`f.id = ${id}`)
  return offer ?? null
}

/** Returns the open offers of a recovery that were made to a person together with one of them, which comes first while it is open. */
export function findOfferedTogether(db: Db, organizationId: number, id: number): Promise<OfferToTell[]> {
  return findOffersToTell(
    db,
    organizationId,
    sql`f.status = 'open' and (f.id = ${id} or f.source = 'recovery' and f.id > ${id} and exists (select from offer g
      where g.organization_id = f.organization_id and g.id = ${id} and g.source = f.source
        and g.membership_id = f.membership_id and g.made_at = f.made_at))`,
  )
}

async function findOffersToTell(db: Db, organizationId: number, which: RawBuilder<unknown>): Promise<OfferToTell[]> {
  const { rows } = await sql<StoredOffer>`
    select f.id, f.membership_id as "orgUserId", e.created_by as "makerId", f.entry_id as "entryId", f.status, f.starts_at as start,
      f.ends_at as "end", coalesce(l.time_zone_name, o.time_zone_name) as zone, f.expires_at as "expiresAt",
      f.ended_at as "endedAt", x.name as resource, i.search_name as instructor, f.estimated_cents as "estimatedCents", f.cause, f.how,
      f.reservation_id as "reservationId", f.seed, f.source, o.settings, a.search_name as "answeredBy",
      case when b.id is not null then
        json_build_object('title', b.title, 'start', b.starts_at, 'end', b.ends_at) end as moves
    from offer f
    left join waitlist_entry e on e.organization_id = f.organization_id and e.id = f.entry_id
    join organization o on o.id = f.organization_id
    left join membership i on i.organization_id = f.organization_id and i.id = f.instructor_id
    left join resource x on x.organization_id = f.organization_id and x.id = f.resource_id
    left join location l on l.organization_id = f.organization_id and l.id = x.location_id
    left join membership a on a.organization_id = f.organization_id and a.id = f.answered_by
    left join reservation b on b.organization_id = f.organization_id and b.id = f.moves_id
    where f.organization_id = ${organizationId} and ${which}
    order by f.id`.execute(db)
  return rows.map(({ moves, ...offer }) => ({
    ...offer,
    currency: readSettings(offer.settings).currency,
    moves: moves && { ...moves, start: new Date(moves.start), end: new Date(moves.end) },
  }))
}

/** The SQL condition that the person of a withdrawn offer `f` withdrew it by what its event `v` records, or left. */
const isOwn = sql<boolean>`(f.cause = 'left'
  or (v.membership_id is not distinct from f.membership_id and f.cause <> 'refused'))`

/** Who withdrew an offer: the name of who of the staff did, or `Another member`. */
interface Withdrawal {
  isOwn: boolean
  by: string
}

/** Returns who withdrew an offer; null when it is not withdrawn. */
export async function findWithdrawal(db: Db, organizationId: number, offerId: number): Promise<Withdrawal | null> {
  const { rows } = await sql<Withdrawal>`
    select ${isOwn} as "isOwn", case when v.membership_id is null then 'The service'
      when m.owner or m.admin or m.dispatcher or m.instructor or m.technician then m.search_name else 'Another member' end as by
    from event v
    join offer f on f.organization_id = v.organization_id and f.id = v.subject_id
    left join membership m on m.organization_id = v.organization_id and m.id = v.membership_id
    where v.organization_id = ${organizationId} and v.subject_kind = 'offer' and v.subject_id = ${offerId}
      and v.kind = 'offer.withdrawn'`.execute(db)
  return rows[0] ?? null
}

/** Returns how many offers to a person were withdrawn in the day before this one, besides those that the person caused. */
export async function findWithdrawnLately(
  db: Db,
  organizationId: number,
  { id, orgUserId, endedAt }: Pick<OfferToTell, 'id' | 'orgUserId' | 'endedAt'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from offer f
    join event v on v.organization_id = f.organization_id and v.subject_kind = 'offer' and v.subject_id = f.id
      and v.kind = 'offer.withdrawn'
    where f.organization_id = ${organizationId} and f.membership_id = ${orgUserId} and f.status = 'withdrawn'
      and not ${isOwn} and f.ended_at > ${endedAt}::timestamptz - interval '1 day'
      and (f.ended_at, f.id) < (${endedAt}, ${id})`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns why an entry of the waiting list ended, and whose it is; undefined when there is none. */
export function findEndOf(db: Db, organizationId: number, entryId: number) {
  return db
    .selectFrom('waitlist_entry as e')
    .innerJoin('organization as o', 'o.id', 'e.organization_id')
    .select(['e.id', 'e.membership_id as orgUserId', 'e.created_by as makerId', 'e.end_cause as cause'])
    .select(['o.settings', 'o.time_zone_name as zone'])
    .where('e.organization_id', '=', organizationId)
    .where('e.id', '=', entryId)
    .executeTakeFirst()
}
