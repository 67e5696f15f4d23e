import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { inTenths, ZERO } from '../../shared/platform/kernel/units.ts'
import { stationPattern } from '../../shared/scheduling/weather/weather.rules.ts'
import { Id, name, note, oneLine, text } from '../http/schemas.ts'

/** Returns the schema of a time in tenths of an hour; default 0. The maximum is 60 days, the longest booking. */
const time = () => inTenths(z.int().min(0).max(14_400).default(ZERO).meta({ unit: 'Tenths of an hour' }))

const count = () => z.int().min(0).max(1000).default(0)

const ApproachInput = z.object({
  kind: name(40),
  count: z.int().min(1).max(100).default(1),
  airport: z.string().regex(stationPattern, fieldErrors.airport()).nullable().default(null),
})

const LogRowInput = z.object({
  orgUserId: Id,
  pic: time().describe('Tenths of an hour as pilot in command (14 CFR 61.51(e))'),
  solo: time().describe('Tenths of an hour as sole occupant (14 CFR 61.51(d))'),
  dualReceived: time().describe('Tenths of an hour of flight training received (14 CFR 61.51(h))'),
  instruction: time().describe('Tenths of an hour of flight training given; only for the instructor of the booking'),
  crossCountry: time().describe('Tenths of an hour of cross-country time (14 CFR 61.1(b))'),
  night: time().describe(
    'Tenths of an hour between the end of evening civil twilight and the beginning of morning civil twilight (14 ' +
      'CFR 1.1)',
  ),
  actualInstrument: time().describe('Tenths of an hour in actual instrument conditions (14 CFR 61.51(b)(3)(ii))'),
  simulatedInstrument: time().describe(
    'Tenths of an hour in simulated instrument conditions (14 CFR 61.51(b)(3)(iii))',
  ),
  simulator: time().describe('Tenths of an hour in a simulator or training device (14 CFR 61.51(b)(2)(v))'),
  dayTakeoffs: count(),
  dayLandings: count().describe('Landings by day. Landings by night are not included'),
  dayFullStops: count().describe('How many of `dayLandings` were to a full stop'),
  nightTakeoffs: count().describe('Takeoffs from 1 hour after sunset to 1 hour before sunrise (14 CFR 61.57(b))'),
  nightLandings: count(),
  nightFullStops: count().describe(
    'How many of `nightLandings` were to a full stop from 1 hour after sunset to 1 hour before sunrise (14 CFR ' +
      '61.57(b))',
  ),
  approaches: z
    .array(ApproachInput)
    .max(50)
    .default([])
    .describe('Instrument approaches (14 CFR 61.51(g)(3), 61.57(c))'),
  holds: count(),
  route: oneLine(200).trim().nullable().default(null),
  remarks: text(2000).trim().nullable().default(null),
})

export const LogBody = z.object({
  rows: z
    .array(LogRowInput)
    .min(1)
    .max(20)
    .describe('One row per person. A row replaces the stored row of that person; the rows of other people stay'),
  reason: note(1000)
    .nullable()
    .default(null)
    .describe(
      'Why an admin corrects a closed log, and required for it. A log closes when the flight is invoiced and was ramped ' +
        'in more than 7 days ago; only admins can correct it then',
    ),
})
