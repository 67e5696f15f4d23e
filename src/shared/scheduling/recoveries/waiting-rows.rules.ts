import type { RecoveryDetail } from './recovery.types.ts'

/** What decides whether a row of a plan waits for another. */
export interface WaitingRow {
  reservationId: number
  detail: Pick<RecoveryDetail, 'after'>
  bulk: { outcome: string | null } | null
  offer: { status: string } | null
  isCancelled: boolean
}

/**
 * Returns those of the rows whose new place no other booking of the plan holds: each that stood there has been moved or cancelled. `together`:
 * the rows are moved in one step, so that one may take the place that another leaves. Implements interface §Recovery.
 */
export function clearRows<Row extends WaitingRow>(
  plan: readonly WaitingRow[],
  rows: readonly Row[],
  { together }: { together: boolean },
): Row[] {
  const standing = new Set(plan.filter(isStanding).map((row) => row.reservationId))
  let clear = [...rows]
  for (;;) {
    const leaving = new Set(together ? clear.map((row) => row.reservationId) : [])
    const still = clear.filter(({ detail: { after = [] } }) =>
      after.every((id) => !standing.has(id) || leaving.has(id)),
    )
    if (still.length === clear.length) return clear
    clear = still
  }
}

function isStanding({ bulk, offer, isCancelled }: WaitingRow): boolean {
  return !isCancelled && bulk?.outcome !== 'done' && offer?.status !== 'accepted'
}
