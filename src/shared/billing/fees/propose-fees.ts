import { findPayingSide, isBlockedOtherwise } from '../../dispatch/own-blocks.queries.ts'
import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { freeCategories } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import { insertFee } from './fee.access.ts'
import { countFreeSince } from './fee.queries.ts'
import { feeAt, isInsideFees, noticeStartOf, termsOf } from './fee.rules.ts'
import { chargeFee } from './fees.jobs.ts'
import { findFreeAsGivenUntil, findFreeByOutageUntil } from './free-until.queries.ts'

/** How a booking was cancelled. */
export interface LateCancellation {
  category: string
  /** The desk cancels at the payer's cost. */
  forPayer: boolean
  /** The service cancels it, because nobody came. */
  noShow?: boolean
  /** Whether somebody agreed to the place in the payer's name, who undoes that. */
  undoes?: boolean
}

const HOUR_MS = 3_600_000
const FREE_DAYS = 90

/**
 * Proposes the fees of bookings that this transaction has cancelled: when the payer cancelled late, or the desk or the service did at the
 * payer's cost. None for a booking that a rule blocks by no act of the payer's, or that
 * others made late and the payer takes back. A late cancellation by the payer in a free category is recorded with 0, for the
 * desk to see. A job charges the fee when its time for review is over, but never that of a no-show with an instructor or a guest.
 * Implements interface §Cancellation fees.
 */
export async function proposeFees(
  tx: Tx,
  actor: Actor,
  rows: readonly ReservationRow[],
  cancellation: LateCancellation,
): Promise<void> {
  for (const row of rows) {
    const due = await feeOf(tx, actor, row, cancellation)
    if (due) await propose(tx, actor, row, due)
  }
}

interface DueFee {
  share: PayerId
  cents: Cents
  freeCount: number
  chargeAt: Date | null
}

async function feeOf(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  { category, forPayer, noShow = false, undoes = false }: LateCancellation,
): Promise<DueFee | null> {
  const { organizationId, orgUserId } = actor
  const { settings } = actor.organization
  const payers = row.seats.filter(({ side }) => side === typeRules[row.type].pays)
  const terms = termsOf(row, settings)
  const [share] = payers
  const isOwn = !actor.standsIn && payers.some((payer) => payer.orgUserId === orgUserId)
  if (!terms || !share || undoes || !(isOwn || forPayer || noShow)) return null
  const noticeMs = noticeStartOf(row).getTime() - tx.now.getTime()
  if (!isInsideFees(terms, noticeMs)) return null
  const isFree = (until: Date | null) => until !== null && tx.now <= until
  if (isFree(await findFreeByOutageUntil(tx.db, terms, { start: noticeStartOf(row), now: tx.now }))) return null
  if (isOwn && isFree(await findFreeAsGivenUntil(tx.db, organizationId, row, terms))) return null
  const cents = feeAt(terms, { noticeMs, category })
  const costsNothing = freeCategories.includes(category)
  if (cents === 0 && !costsNothing) return null
  const side = await findPayingSide(tx.db, organizationId, row)
  if (await isBlockedOtherwise(tx.db, organizationId, row.id, side)) return null
  const since = new Date(tx.now.getTime() - FREE_DAYS * 24 * HOUR_MS)
  const freeCount = costsNothing ? 1 + (await countFreeSince(tx.db, organizationId, share, since)) : 0
  const decidesDesk = noShow && row.seats.some(({ side }) => side === 'instructors' || side === 'guests')
  const chargeAt = decidesDesk ? null : new Date(tx.now.getTime() + settings.feeReviewHours * HOUR_MS)
  return { share: { orgUserId: share.orgUserId, guestId: share.guestId }, cents, freeCount, chargeAt }
}

async function propose(tx: Tx, { organizationId }: Actor, row: ReservationRow, fee: DueFee): Promise<void> {
  const feeId = await insertFee(tx, { organizationId, reservationId: row.id, cancelledAt: tx.now, ...fee })
  if (feeId === null) return
  const subject = { kind: 'reservation', id: row.id } as const
  const after = { feeId, amountCents: fee.cents, orgUserId: fee.share.orgUserId ?? undefined }
  // The service proposes it, so that a payer who cancelled is told of it.
  emit(tx, { organizationId, orgUserId: null }, { kind: 'fee.proposed', subject, after })
  if (fee.chargeAt === null) return
  tx.enqueue(chargeFee, { organizationId, reservationId: row.id, feeId }, { availableAt: fee.chargeAt })
}
