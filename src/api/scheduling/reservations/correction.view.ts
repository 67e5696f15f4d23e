import { z } from 'zod'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { hundredthsFromTenths, readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../../shared/platform/kernel/units.ts'
import type { CloseOutFigures } from '../../../shared/scheduling/reservations/booking-parts.types.ts'
import { isBookingParty, paysFor } from '../../../shared/scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Reading } from '../../http/reading-schemas.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

const Figures = z
  .object({
    hobbsTimeOut: Reading.nullable(),
    hobbsTimeIn: Reading.nullable(),
    tachTimeOut: Reading.nullable(),
    tachTimeIn: Reading.nullable(),
    briefing: z.number().nullable().describe('Hours of ground time, to the tenth'),
  })
  .meta({ id: 'CloseOutFigures' })

/** The correction of a flight whose signatures stand. */
export const Correction = z
  .object({
    by: Person,
    at: Instant,
    reason: z.string().describe('Empty for a payer who was not aboard'),
    from: Figures.describe('The figures that were signed'),
    to: Figures.describe('The figures now'),
    objections: z.array(
      z.object({
        orgUserId: Id,
        name: z.string(),
        note: z.string(),
        at: Instant,
        closedAt: Instant.nullable(),
        closingReason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'CorrectedAfterSigning' })

export const CorrectedAfterSigning = Correction.nullable().describe(
  'The last correction of the figures after they were signed; the signatures are of `from`. Only for the people on ' +
    'the booking, its creator, its payers and staff; null for other readers, and when the figures are as they were signed',
)

/**
 * Returns the correction of a flight after its signatures; null when the figures are as they were signed, and for readers whom it
 * does not concern. A payer who was not aboard gets neither its reason nor what others object.
 */
export function correctionView(row: ReservationRow, reader: Actor): z.input<typeof CorrectedAfterSigning> {
  const { corrected_by: by, corrected_at: at, signed_figures: from } = row
  if (by === null || at === null || from === null) return null
  const isParty = isBookingParty(row, reader)
  if (!isParty && !paysFor(row, reader.orgUserId)) return null
  return {
    by: personView(by, row.corrected_by_name ?? ''),
    at: iso(at),
    reason: (isParty && row.correction_reason) || '',
    from: figuresView(from),
    to: closeOutView(row),
    objections: row.objections.filter(({ orgUserId }) => isParty || orgUserId === reader.orgUserId),
  }
}

/** Returns the figures of a flight as they are now. */
export function closeOutView(row: ReservationRow): z.input<typeof Figures> {
  return figuresView({
    hobbsTimeOut: row.hobbs_out,
    hobbsTimeIn: row.hobbs_in,
    tachTimeOut: row.tach_out,
    tachTimeIn: row.tach_in,
    briefing: row.briefing_tenths,
  })
}

function figuresView({ briefing, ...readings }: CloseOutFigures): z.input<typeof Figures> {
  const reading = (hundredths: Hundredths | null) => (hundredths === null ? null : readingToNumber(hundredths))
  return {
    hobbsTimeOut: reading(readings.hobbsTimeOut),
    hobbsTimeIn: reading(readings.hobbsTimeIn),
    tachTimeOut: reading(readings.tachTimeOut),
    tachTimeIn: reading(readings.tachTimeIn),
    briefing: briefing === null ? null : readingToNumber(hundredthsFromTenths(briefing)),
  }
}
