import { z } from 'zod'
import type { PayRunRow } from '../../../shared/billing/pay-runs/pay-run.queries.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Day, Id, Instant, Person } from '../../http/schemas.ts'
import { InstructionRates } from '../../identity/members/org-user.view.ts'

const tenths = () => z.int()

const figures = {
  flightDeciHours: tenths(),
  groundDeciHours: tenths(),
  simulatorDeciHours: tenths(),
  amountCents: Cents,
}

const PayRunFlight = z
  .object({ reservationId: Id, orgUserId: Id.describe('The instructor') })
  .meta({ id: 'PayRunFlight' })

export const PayRun = z
  .object({
    id: Id,
    startDate: Day,
    endDate: Day,
    currency: z.string(),
    flights: z.int().describe('How many flights are paid to their instructor in this pay run for the first time'),
    amountCents: Cents.describe('The total of all instructors'),
    own: z.boolean().describe('Whether the run pays the member who created it. In that case all owners were mailed'),
    createdBy: Person,
    createdAt: Instant,
    updatedAt: Instant,
    rows: z
      .array(
        z.object({
          orgUserId: Id,
          name: z.string(),
          ...figures,
          payRates: InstructionRates.nullable().describe(
            'Cents an hour, at the creation of the run; null when the row has only adjustments',
          ),
          reservationIds: z.array(Id).describe('The flights first paid in this run'),
          adjustments: z
            .array(
              z.object({
                reservationId: Id,
                paidInRunId: Id.describe('The run that first paid the flight'),
                ...figures,
              }),
            )
            .describe(
              'Differences for flights that earlier runs paid and that were corrected afterwards, at the rates of ' +
                'the earlier run. An instructor who was added to the flight gets the current rates',
            ),
        }),
      )
      .describe('One row per instructor. Hours and amount include the adjustments, so they can be negative'),
    longBriefings: z
      .array(PayRunFlight)
      .describe(
        'Flights whose briefing is longer than the booked time plus an hour, and which somebody confirmed as correct',
      ),
    signedOnBehalf: z
      .array(PayRunFlight)
      .describe('Flights that desk staff signed for a person who cannot sign in. That person did not confirm them'),
    correctedAfterSigning: z
      .array(PayRunFlight)
      .describe('Flights whose figures were corrected after they were signed; the run pays the corrected figures'),
  })
  .meta({ id: 'PayRun' })

export function payRunView(row: PayRunRow): z.input<typeof PayRun> {
  return {
    id: row.id,
    startDate: row.start_date,
    endDate: row.end_date,
    currency: row.currency,
    flights: row.flights,
    amountCents: row.amount_cents,
    own: row.own,
    createdBy: row.maker,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    rows: row.rows,
    longBriefings: row.long_briefings,
    signedOnBehalf: row.signed_on_behalf,
    correctedAfterSigning: row.corrected_after_signing,
  }
}
