import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import { findMembersWithRole } from '../../identity/members/org-user.queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { judgeAtRisk } from '../scheduling.jobs.ts'
import { countNotified, findConcerned, findDesk, findStoredFlags, isAhead } from './at-risk.queries.ts'
import { type Flag, toNotify } from './at-risk.rules.ts'
import { type FlaggedBooking, judgeAhead } from './judge-ahead.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000

/**
 * Checks the future bookings that the marks of an organization affect, and stores which of them are at risk. Notifies the
 * people on newly flagged bookings, and dispatchers. Runs of an organization do not overlap and start at least one second
 * apart; marks that are written during a run wait for the next one. Returns the number of bookings checked; null when the
 * last run started less than a second ago. Implements interface §Dispatch (at risk).
 */
export async function judgeMarked(tx: Tx, organizationId: number): Promise<number | null> {
  if (!(await startRun(tx, organizationId))) return null
  const marks = await tx.db
    .deleteFrom('job_mark')
    .where('organization_id', '=', organizationId)
    .where('job', '=', judgeAtRisk.name)
    .returning('about')
    .execute()
  const desk = marks.length > 0 ? await findDesk(tx.db, organizationId) : null
  if (!desk) return 0
  const changes = marks.map(({ about }) => about)
  const ids = await findConcerned(tx.db, organizationId, tx.now, changes)
  const found = await judgeAhead(tx.db, desk, tx.now, ids)
  const came = await writeFlags(tx, organizationId, flagsOf(changes, ids), found)
  await notifyPeople(tx, organizationId, came)
  return ids.length
}

/**
 * Returns the bookings whose flags a run may change: the checked ones, and those that a change names, which may no longer be
 * in the future. `all` when a change affects all bookings.
 */
function flagsOf(changes: readonly Record<string, unknown>[], judged: readonly number[]): readonly number[] | 'all' {
  if (changes.some((about) => Object.keys(about).length === 0)) return 'all'
  return [
    ...judged,
    ...changes.flatMap(({ reservationId }) => (typeof reservationId === 'number' ? reservationId : [])),
  ]
}

/** Starts a run; waits for the end of a run in progress. Returns false when the last run started less than a second ago. */
async function startRun(tx: Tx, organizationId: number): Promise<boolean> {
  const { rows } = await sql`
    insert into at_risk_run as run (organization_id, started_at) values (${organizationId}, ${tx.now})
    on conflict (organization_id) do update set started_at = excluded.started_at
      where run.started_at <= ${new Date(tx.now.getTime() - SECOND_MS)}
    returning id`.execute(tx.db)
  return rows.length > 0
}

/**
 * Stores the flags that differ from the stored ones. Deletes the flags of bookings among these about which the rules find
 * nothing, or which are no longer in the future. Returns the bookings that have a cause that was not stored before.
 */
async function writeFlags(
  tx: Tx,
  organizationId: number,
  among: readonly number[] | 'all',
  found: readonly FlaggedBooking[],
): Promise<FlaggedBooking[]> {
  const stored = await findStoredFlags(tx.db, organizationId, among)
  const flagged = new Set(found.map(({ flag }) => flag.reservationId))
  const cured = [...stored.keys()].filter((id) => !flagged.has(id))
  if (cured.length > 0) await deleteFlags(tx, organizationId, cured)
  const changed = found
    .map(({ flag }) => withDigest(flag, stored.get(flag.reservationId)?.causes))
    .filter(({ reservationId, digest }) => stored.get(reservationId)?.digest !== digest)
  if (changed.length > 0) await upsert(tx, organizationId, changed)
  return found.filter(
    ({ flag }) => !flag.causes.every((cause) => stored.get(flag.reservationId)?.causes.includes(cause)),
  )
}

async function deleteFlags(tx: Tx, organizationId: number, reservationIds: readonly number[]): Promise<void> {
  await tx.db
    .deleteFrom('reservation_at_risk')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', sql<number>`any(${reservationIds}::int[])`)
    .execute()
}

/**
 * Returns a flag that keeps the causes of earlier checks while something blocks the booking, with the digest by which an
 * unchanged flag is recognized.
 */
export function withDigest(flag: Flag, earlier: readonly string[] = []): Flag & { digest: string } {
  const causes = flag.rules.length === 0 ? [] : [...new Set([...earlier, ...flag.causes])]
  const kept = { ...flag, causes }
  return { ...kept, digest: createHash('sha1').update(JSON.stringify(kept)).digest('base64url') }
}

async function upsert(tx: Tx, organizationId: number, flags: readonly (Flag & { digest: string })[]): Promise<void> {
  await sql`
    insert into reservation_at_risk as a (organization_id, reservation_id, since, rules, causes, for_desk, for_others,
      warnings_for_desk, warnings_for_others, digest)
    select ${organizationId}, f."reservationId", ${tx.now}, f.rules, f.causes, f."forDesk", f."forOthers",
      f."warningsForDesk", f."warningsForOthers", f.digest
    from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb) as f ("reservationId" int, rules jsonb, causes jsonb,
      "forDesk" jsonb, "forOthers" jsonb, "warningsForDesk" jsonb, "warningsForOthers" jsonb, digest text)
    on conflict (organization_id, reservation_id) do update
    set since = case when (a.rules = '[]') = (excluded.rules = '[]') then a.since else excluded.since end,
      rules = excluded.rules, causes = excluded.causes, for_desk = excluded.for_desk, for_others = excluded.for_others,
      warnings_for_desk = excluded.warnings_for_desk, warnings_for_others = excluded.warnings_for_others,
      digest = excluded.digest`.execute(tx.db)
}

/** Sends each person one notification of all newly flagged bookings that concern this person. */
async function notifyPeople(tx: Tx, organizationId: number, came: readonly FlaggedBooking[]): Promise<void> {
  if (came.length === 0) return
  const bookings = came.map(({ row }) => ({
    reservationId: row.id,
    orgUserIds: row.seats.flatMap(({ orgUserId }) => orgUserId ?? []),
  }))
  const dispatchers = await findMembersWithRole(tx.db, organizationId, ['dispatcher'])
  const notified = toNotify(
    bookings,
    dispatchers,
    await countNotified(tx.db, organizationId, new Date(tx.now.getTime() - DAY_MS)),
  )
  if (notified.size === 0) return
  const notices = await tx.db
    .insertInto('at_risk_notice')
    .values(
      [...notified]
        .sort(([one], [other]) => one - other)
        .map(([orgUserId, reservationIds]) => ({
          organization_id: organizationId,
          membership_id: orgUserId,
          notified_at: tx.now,
          reservation_ids: JSON.stringify(reservationIds) as never,
        })),
    )
    .returning(['id', 'membership_id as orgUserId'])
    .execute()
  for (const { id: subjectId, orgUserId } of notices) {
    const recipient = { orgUserId, guestId: null }
    notify(tx, { organizationId, kind: 'reservation_at_risk', subjectId, causedBy: null, recipient })
  }
}

/**
 * Marks all future bookings of every organization, because time alone can change whether they are at risk: a hold expires, or
 * a maintenance item becomes due by its date.
 */
export async function markAhead(tx: Tx): Promise<void> {
  await sql`
    insert into job_mark (organization_id, job, about)
    select o.id, ${judgeAtRisk.name}, '{}' from organization o
    where exists (select from reservation r where r.organization_id = o.id and ${isAhead(tx.now)})`.execute(tx.db)
}
