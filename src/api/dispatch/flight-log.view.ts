import { z } from 'zod'
import type { BookingLog, LogRow } from '../../shared/dispatch/flight-log.queries.ts'
import { type Approach, loggedCounts, loggedTimes } from '../../shared/dispatch/flight-log.types.ts'
import { iso } from '../http/iso.ts'
import { personView } from '../http/persons.ts'
import { Id, Instant, Person } from '../http/schemas.ts'

type Shape<Keys extends readonly string[]> = Record<Keys[number], z.ZodInt>

/** The times of a log, in tenths of hours. */
export const LoggedTimes = Object.fromEntries(
  loggedTimes.map((key) => [key, z.int().meta({ unit: 'Tenths of an hour' })]),
) as Shape<typeof loggedTimes>

/** The counts of a log. */
export const LoggedCounts = Object.fromEntries(loggedCounts.map((key) => [key, z.int()])) as Shape<typeof loggedCounts>

export const Approaches = z.array(
  z
    .object({
      kind: z.string(),
      count: z.int(),
      airport: z.string().nullable(),
    })
    .meta({ id: 'Approach' }),
)

const Doubt = z
  .object({
    orgUserId: Id,
    field: z.string(),
    message: z.string(),
  })
  .meta({ id: 'LogProblem' })

/** The flight logs of a booking; times are tenths of hours. */
export const FlightLog = z
  .object({
    rows: z.array(
      z.object({
        id: Id,
        orgUserId: Id,
        name: z.string(),
        ...LoggedTimes,
        ...LoggedCounts,
        approaches: Approaches,
        route: z.string().nullable(),
        remarks: z.string().nullable(),
        writtenBy: Person,
        createdAt: Instant,
        updatedAt: Instant,
      }),
    ),
    problems: z
      .array(Doubt)
      .describe('Logged figures that contradict the flight because its readings were corrected afterwards'),
    warnings: z
      .array(Doubt)
      .describe(
        'Logged figures that look wrong but are kept: pilot-in-command time in training of a person who is not known to be ' +
          'rated (61.51(e)(1)(i)); night takeoffs and full stops of a flight that was not out between one hour after ' +
          'sunset and one hour before sunrise (61.57(b)), at a location with coordinates; approaches without instrument ' +
          'time (61.51(g)); a student’s solo flight to another airport without the endorsements for it (61.93(b), (c))',
      ),
  })
  .meta({ id: 'FlightLog' })

export function flightLogView({ rows, problems, warnings }: BookingLog): z.input<typeof FlightLog> {
  return { rows: rows.map(rowView), problems, warnings }
}

function rowView({ approaches, rated: _, writtenBy, writer, ...row }: LogRow) {
  return {
    ...row,
    writtenBy: personView(writtenBy, writer),
    approaches: approaches.map(approachView),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

export function approachView({ kind, count, airport }: Approach): Approach {
  return { kind, count, airport }
}
