import { z } from 'zod'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { hundredths } from '../../../shared/platform/kernel/units.ts'
import type { SeatRow, StakeRow } from '../../../shared/scheduling/reservations/booking-parts.types.ts'
import { Reading } from '../../http/reading-schemas.ts'
import { Id } from '../../http/schemas.ts'

/** A payer: a member or a guest. */
export const PayerView = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable(),
    name: z.string(),
  })
  .meta({ id: 'Payer' })

/** How one payer pays: by own meter readings, by a percentage, or not at all (waived). */
export const StakeView = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable(),
    name: z.string(),
    hobbsTimeOut: Reading.optional(),
    hobbsTimeIn: Reading.optional(),
    tachTimeOut: Reading.optional(),
    tachTimeIn: Reading.optional(),
    percentage: z.number().optional(),
    waived: z.boolean().optional(),
  })
  .meta({ id: 'PayerStake' })

/** Returns a payer's stake with the payer's name; figures are hours and per cent. */
export function stakeView(stake: StakeRow, seats: SeatRow[]): z.input<typeof StakeView> {
  const { orgUserId, guestId } = stake
  const seat = seats.find((one) => one.orgUserId === orgUserId && one.guestId === guestId)
  return { orgUserId, guestId, name: seat?.name ?? '', ...stakeFigures(stake) }
}

/** A stake as stored: readings are hundredths of an hour, a percentage is basis points. */
export type StoredStake = Pick<StakeRow, 'kind'> & Partial<Omit<StakeRow, 'kind'>>

/** Returns the figures of a stake in hours and per cent. */
export function stakeFigures(stake: StoredStake): Omit<z.input<typeof StakeView>, 'orgUserId' | 'guestId' | 'name'> {
  if (stake.kind === 'waived') return { waived: true }
  if (stake.kind === 'percentage') return { percentage: readingToNumber(hundredths(stake.percentageBps ?? 0)) }
  const readings = {
    hobbsTimeOut: stake.hobbsOut,
    hobbsTimeIn: stake.hobbsIn,
    tachTimeOut: stake.tachOut,
    tachTimeIn: stake.tachIn,
  }
  return Object.fromEntries(
    Object.entries(readings).flatMap(([name, value]) => (value == null ? [] : [[name, readingToNumber(value)]])),
  )
}
