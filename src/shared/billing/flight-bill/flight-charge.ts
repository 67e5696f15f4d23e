import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { OrganizationSettings } from '../../platform/authz/organization-settings.ts'
import { ZERO } from '../../platform/kernel/units.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import type { PayerAmount } from '../../scheduling/reservations/booking-parts.types.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { chargeFlight } from './flight-bill.rules.ts'
import { type FlightCharge, type PayerId, samePayer } from './flight-bill.types.ts'

/** Returns the inputs of the bill of a loaded booking. */
export function flightChargeOf(row: ReservationRow, settings: OrganizationSettings): FlightCharge {
  const instructor = row.seats.find((seat) => seat.side === 'instructors')
  const pays = typeRules[row.type].pays
  return {
    type: row.type,
    booked: { start: row.starts_at, end: row.ends_at },
    resource: row.resource,
    readings: { hobbsOut: row.hobbs_out, hobbsIn: row.hobbs_in, tachOut: row.tach_out, tachIn: row.tach_in },
    briefing: row.briefing_tenths,
    instructor: instructor?.rates ? { name: instructor.name, rates: instructor.rates } : null,
    payers: row.seats
      .filter((seat) => seat.side === pays)
      .map(({ orgUserId, guestId, name }) => ({ orgUserId, guestId, name })),
    stakes: row.stakes.map((stake) => {
      const { orgUserId, guestId } = stake
      if (stake.kind === 'waived') return { orgUserId, guestId, kind: stake.kind }
      if (stake.kind === 'percentage') {
        return { orgUserId, guestId, kind: stake.kind, percentageBps: stake.percentageBps ?? ZERO }
      }
      const { hobbsOut, hobbsIn, tachOut, tachIn } = stake
      return { orgUserId, guestId, kind: stake.kind, hobbsOut, hobbsIn, tachOut, tachIn }
    }),
    packages: row.packages,
    taxExempt: row.seats.filter((seat) => seat.taxExempt),
    locationId: row.location?.id ?? row.resource?.locationId ?? null,
    settings,
  }
}

/** Returns what each member among the payers owes for a loaded booking, before packages; none when the costs cannot be divided yet. */
export function amountsOfPayers(row: ReservationRow, settings: OrganizationSettings): PayerAmount[] {
  const { shares } = chargeFlight({ ...flightChargeOf(row, settings), packages: [] })
  return shares.flatMap(({ payer: { orgUserId }, wholeCents }) =>
    orgUserId === null ? [] : [{ orgUserId, amountCents: wholeCents }],
  )
}

/**
 * Returns what the invoice of a share says about a booking: its title; to a bill-to payer, who is not on it, only the aircraft and the
 * day.
 */
export function titleFor(row: ReservationRow, share: PayerId): string {
  const seat = row.seats.find((one) => samePayer(one, share))
  if (!seat || seat.payerId === seat.orgUserId) return row.title
  return [row.resource?.name ?? [], localDate(row.starts_at, row.time_zone_name)].flat().join(', ')
}
