import { sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import type { OfferStatus } from './waitlist.states.ts'

function selectOffers(db: Db, organizationId: number) {
  return db
    .selectFrom('offer as f')
    .leftJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'f.organization_id').onRef('x.id', '=', 'f.resource_id'),
    )
    .selectAll('f')
    .select([
      'x.name as resource_name',
      sql<PersonRow>`${personJson('f.membership_id')}`.as('person'),
      sql<PersonRow | null>`${personJson('f.instructor_id')}`.as('instructor'),
      sql<PersonRow | null>`${personJson('f.answered_by')}`.as('answerer'),
    ])
    .where('f.organization_id', '=', organizationId)
}

export type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>['execute']>>[number]

/** Returns the offers that a member may read, newest first: desk staff all, others theirs and those of their hours. */
export function listOffers(db: Db, reader: Actor, statuses?: readonly OfferStatus[]) {
  const { organizationId, orgUserId } = reader
  let offers = selectOffers(db, organizationId).orderBy('f.id', 'desc')
  if (!is(reader, deskStaff)) {
    offers = offers.where((eb) => eb.or([eb('f.membership_id', '=', orgUserId), eb('f.instructor_id', '=', orgUserId)]))
  }
  if (statuses) offers = offers.where('f.status', 'in', [...statuses])
  return pageable(db, offers)
}

/** Returns an offer that a member may read. */
export async function findOffer(db: Db, reader: Actor, id: number): Promise<OfferRow> {
  const row = await selectOffers(db, reader.organizationId).where('f.id', '=', id).executeTakeFirst()
  const isTheirs = row?.membership_id === reader.orgUserId || row?.instructor_id === reader.orgUserId
  if (!row || !(isTheirs || is(reader, deskStaff))) throw waitlistErrors.noSuchOffer()
  return row
}
