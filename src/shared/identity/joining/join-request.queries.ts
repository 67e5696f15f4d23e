import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOfWords } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { joinRequestStatuses } from '../organizations.tables.ts'

export type JoinRequestStatus = (typeof joinRequestStatuses)[number]

function selectJoinRequests(db: Db) {
  return db
    .selectFrom('join_request')
    .innerJoin('account', 'account.id', 'join_request.account_id')
    .innerJoin('organization', 'organization.id', 'join_request.organization_id')
    .selectAll('join_request')
    .select(['account.name', 'account.email', 'account.phone', 'organization.name as organization'])
    .orderBy('join_request.id', 'desc')
}

export type JoinRequestRow = Awaited<ReturnType<ReturnType<typeof selectJoinRequests>['execute']>>[number]

/** Lists the join requests of an organization that have one of the statuses, or all of them, newest first. */
export function listJoinRequests(db: Db, organizationId: number, statuses: readonly (JoinRequestStatus | 'all')[]) {
  return pageable(
    db,
    selectJoinRequests(db)
      .where('join_request.organization_id', '=', organizationId)
      .$if(!statuses.includes('all'), (query) => query.where(oneOfWords(sql`join_request.status`, statuses))),
  )
}

/** Returns one join request of an organization, with the person who made it. */
export async function findJoinRequest(db: Db, organizationId: number, id: number): Promise<JoinRequestRow> {
  const row = await selectJoinRequests(db)
    .where('join_request.organization_id', '=', organizationId)
    .where('join_request.id', '=', id)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/**
 * Returns a join request that awaits a decision, with the names of the person and the organization; null when it is
 * decided, or the account is deleted.
 */
export async function findPendingJoinRequest(db: Db, organizationId: number, id: number) {
  const row = await selectJoinRequests(db)
    .where('join_request.organization_id', '=', organizationId)
    .where('join_request.id', '=', id)
    .where('join_request.status', '=', 'pending')
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? { id: row.id, name: row.name, organization: row.organization } : null
}

/**
 * Returns the decision on a join request, and the person to mail it to, with the orgUserId when the person is a member; null
 * when it is still pending, or the organization or the account is deleted.
 */
export async function findDecisionToMail(db: Db, organizationId: number, id: number) {
  const row = await selectJoinRequests(db)
    .leftJoin('membership', (on) =>
      on
        .onRef('membership.organization_id', '=', 'join_request.organization_id')
        .onRef('membership.account_id', '=', 'join_request.account_id')
        .on('membership.removed_at', 'is', null),
    )
    .select('membership.id as orgUserId')
    .where('join_request.organization_id', '=', organizationId)
    .where('join_request.id', '=', id)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || row.status === 'pending') return null
  const { name, email, organization, status, orgUserId } = row
  return { name, email, organization, status, orgUserId }
}
