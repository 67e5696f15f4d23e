import { sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { countOpenOfOwners } from '../../platform/operations/operation.access.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { recoveryErrors } from '../recovery.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { findClosureEnd, findOver, findTaken } from './displaced.queries.ts'
import { MOST_DISPLACED } from './load-plan-facts.ts'
import { countWaiting, findUnknown } from './recovery.queries.ts'
import type { RecoveryCause, RecoveryReach } from './recovery.types.ts'

/** The most recoveries of all organizations that have not ended: two are planned, and ten wait. */
const MOST_OPEN = 12
const RETRY_SECONDS = 30

/** A recovery to plan: its cause, its window, and where places are looked for. */
export interface NewRecovery extends Interval {
  cause: RecoveryCause
  reach: RecoveryReach
}

/**
 * Starts the planning of a recovery, which writes to no booking. Returns the id of its operation.
 * Implements interface §Recovery, POST /recoveries.
 */
export async function startRecovery(
  tx: Tx,
  actor: Actor,
  recovery: NewRecovery,
  most = MOST_DISPLACED,
): Promise<{ id: number }> {
  const { organizationId } = actor
  const { cause, reach, start, end } = recovery
  const isOfWindow = cause.resourceIds !== undefined || cause.instructorOrgUserIds !== undefined
  if (isOfWindow && end <= tx.now) throw recoveryErrors.causeOver({ field: 'endDate' })
  await assertKnows(tx, actor, cause)
  await assertIsRoom(tx, organizationId, { ofOwners: 0, ofAll: MOST_OPEN - 1 })
  const taken = await findTaken(tx.db, { organizationId, ...recovery }, tx.now, most + 1)
  if (taken.length > most) throw recoveryErrors.recoveryTooLarge({ limit: most })
  const { id } = await startOperation(tx, actor, {
    kind: 'recovery',
    atomic: false,
    input: {},
    subjectIds: [],
  })
  await sql`
    insert into recovery (organization_id, operation_id, cause, reach, starts_at, ends_at)
    values (${organizationId}, ${id}, ${JSON.stringify(cause)}::jsonb, ${JSON.stringify(reach)}::jsonb, ${start}, ${end})`.execute(
    tx.db,
  )
  // Recoveries of all organizations start one at a time, because they are counted over many of them: at the end, since who waits for the
  // lock keeps a connection from other requests.
  await sql`select pg_advisory_xact_lock(hashtextextended('start recoveries', 0))`.execute(tx.db)
  await assertIsRoom(tx, organizationId, { ofOwners: 1, ofAll: MOST_OPEN })
  return { id }
}

/** Checks that the organization has everything that a cause names. */
async function assertKnows(tx: Tx, actor: Actor, cause: RecoveryCause): Promise<void> {
  const { resourceIds = [], instructorOrgUserIds = [], closureId, reservationIds = [] } = cause
  const unknownAt = (table: 'resource' | 'reservation' | 'closure', ids: readonly number[]) =>
    findUnknown(tx.db, actor.organizationId, table, ids)
  const resource = await unknownAt('resource', resourceIds)
  if (resource >= 0) throw fleetErrors.unknownResource({ field: `cause.resourceIds.${resource}` })
  const booking = await unknownAt('reservation', reservationIds)
  if (booking >= 0) throw fleetErrors.unknownBooking({ field: `cause.reservationIds.${booking}` })
  if ((await unknownAt('closure', closureId === undefined ? [] : [closureId])) >= 0) {
    throw schedulingErrors.unknownClosure({ field: 'cause.closureId' })
  }
  await assertIsAhead(tx, actor, cause)
  for (const [at, id] of instructorOrgUserIds.entries()) {
    await assertIsMember(tx, actor, id, `cause.instructorOrgUserIds.${at}`, ['instructor'])
  }
}

/** Checks that the bookings and the closure of a cause are not over. */
async function assertIsAhead(tx: Tx, { organizationId }: Actor, cause: RecoveryCause): Promise<void> {
  const { closureId, reservationIds = [] } = cause
  const over = await findOver(tx.db, organizationId, reservationIds, tx.now)
  const at = reservationIds.findIndex((id) => over.has(id))
  if (at >= 0) throw recoveryErrors.causeOver({ field: `cause.reservationIds.${at}` })
  if (closureId === undefined) return
  if ((await findClosureEnd(tx.db, organizationId, closureId)) <= tx.now)
    throw recoveryErrors.causeOver({ field: 'cause.closureId' })
}

/** Checks that at most so many recoveries of the organization, with its owners' others, and of all organizations are being planned or wait. */
async function assertIsRoom(tx: Tx, organizationId: number, most: { ofOwners: number; ofAll: number }): Promise<void> {
  if ((await countOpenOfOwners(tx, organizationId, 'recovery')) > most.ofOwners) throw recoveryErrors.recoveryRunning()
  if ((await countWaiting(tx.db)) > most.ofAll)
    throw recoveryErrors.tooManyRecoveries({ retryAfterSeconds: RETRY_SECONDS })
}
