import { sql } from 'kysely'
import { mayCreate, needsApproval, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { overlaps } from '../../platform/kernel/instants.ts'
import { isStudentOf } from '../../qualification/currencies/currency.access.ts'
import { assertHasInstructors, assertHasResources } from '../rules/named-records.access.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { waitlistErrors } from '../waitlist.errors.ts'
import type { Wish } from './entry.rules.ts'
import type { WaitingType } from './waitlist.states.ts'

/** The most live entries of a member, and of an organization. */
const MOST_OF_MEMBER = 5
const MOST_OF_ORGANIZATION = 500
/** How many days ahead a window may begin. */
const MOST_DAYS_AHEAD = 60
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Whom an entry is for, and what its member waits for. */
export interface AskedEntry extends Wish {
  orgUserId: number
  type: WaitingType
}

/**
 * Checks that the actor could book the type for the member: nobody waits for what they may not have. Desk staff enter everybody,
 * instructors their own students for lessons with themselves, others only themselves.
 */
export async function assertMayEnter(tx: Tx, actor: Actor, asked: AskedEntry): Promise<void> {
  const { roles, organization, orgUserId } = actor
  const { type } = asked
  if (!mayCreate(roles, type)) {
    const { message, code } = schedulingErrors.typeNotAllowed({ type })
    throw new Invalid(message, code)
  }
  if (needsApproval(roles, type, organization.settings.approvalRequired)) throw schedulingErrors.approvalRequired()
  if (asked.orgUserId === orgUserId || is(actor, deskStaff)) return
  const isTheirLesson = asked.instructorIds.every((id) => id === orgUserId)
  if (roles.instructor && isTheirLesson && (await isStudentOf(tx, actor, asked.orgUserId))) return
  throw waitlistErrors.entryForOthers()
}

/** Checks that new windows lie ahead and do not overlap. */
export function assertWindows(windows: Wish['windows'], now: Date): void {
  for (const [index, window] of windows.entries()) {
    const ahead = window.start.getTime() - now.getTime()
    if (ahead < 0 || ahead > MOST_DAYS_AHEAD * DAY_MS)
      throw waitlistErrors.windowAhead({ index, days: MOST_DAYS_AHEAD })
    if (windows.some((other, at) => at < index && overlaps(other, window)))
      throw waitlistErrors.windowsOverlap({ index })
  }
}

/** Checks that the windows are as long as the place. */
export function assertLongEnough({ windows, durationMinutes }: Pick<Wish, 'windows' | 'durationMinutes'>): void {
  const lengths = windows.map(({ start, end }) => end.getTime() - start.getTime())
  const index = lengths.findIndex((length) => length < durationMinutes * MINUTE_MS)
  if (index >= 0) throw waitlistErrors.windowTooShort({ index })
}

/** Checks what an entry names: its resources fit the type, its instructors are instructors, its booking can move. */
export async function assertIsSound(tx: Tx, { organizationId }: Actor, asked: AskedEntry): Promise<void> {
  const { type, resourceIds, pool, instructorIds, insteadOfId, orgUserId } = asked
  if (pool !== null && resourceIds.length > 0) throw waitlistErrors.poolOrResources()
  if (pool !== null && !(await hasPool(tx, organizationId, pool, type))) throw waitlistErrors.noSuchPool()
  if (instructorIds.length > 0 && type !== 'dual') throw waitlistErrors.instructorsOfDual()
  const named = { ids: resourceIds, kinds: typeRules[type].resources }
  await assertHasResources(tx.db, organizationId, named, waitlistErrors.noSuchResources)
  await assertHasInstructors(tx.db, organizationId, instructorIds)
  if (insteadOfId !== null && !(await canMove(tx, organizationId, { insteadOfId, type, orgUserId }))) {
    throw waitlistErrors.insteadOfUnfit()
  }
}

/** Returns whether the organization has a resource for the type in a pool; pools are compared without case. */
async function hasPool(tx: Tx, organizationId: number, pool: string, type: WaitingType): Promise<boolean> {
  const row = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(sql`lower(pool)`, '=', sql`lower(${pool})`)
    .where('kind', 'in', [...typeRules[type].resources])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a booking is ahead, of this type, not paid in advance, and with this person alone beside an instructor. */
async function canMove(
  tx: Tx,
  organizationId: number,
  { insteadOfId, type, orgUserId }: { insteadOfId: number; type: WaitingType; orgUserId: number },
): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    select r.live and r.starts_at > ${tx.now} and r.ramped_out_at is null and r.type = ${type}
      and r.collection_style <> 'prepaid_fixed'
      and array(select s.membership_id from seat s where s.organization_id = r.organization_id and s.reservation_id = r.id
        and s.side <> 'instructors') = array[${orgUserId}::int] as fits
    from reservation r where r.organization_id = ${organizationId} and r.id = ${insteadOfId}`.execute(tx.db)
  return rows[0]?.fits ?? false
}

/** Checks that a member and their organization have fewer live entries than allowed. The caller holds the lock of the list. */
export async function assertHasRoom(tx: Tx, { organizationId }: Actor, orgUserId: number): Promise<void> {
  const { rows } = await sql<{ ofMember: number; all: number }>`
    select count(*) filter (where membership_id = ${orgUserId})::int as "ofMember", count(*)::int as "all"
    from waitlist_entry where organization_id = ${organizationId} and status = 'waiting'`.execute(tx.db)
  const { ofMember, all } = rows[0]!
  if (ofMember >= MOST_OF_MEMBER)
    throw waitlistErrors.tooManyEntries({ limit: MOST_OF_MEMBER }, { limit: MOST_OF_MEMBER })
  if (all >= MOST_OF_ORGANIZATION) {
    throw waitlistErrors.tooManyEntries({ limit: MOST_OF_ORGANIZATION }, { limit: MOST_OF_ORGANIZATION })
  }
}
