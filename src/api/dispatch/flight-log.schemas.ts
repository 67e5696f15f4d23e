import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import { inTenths, ZERO } from '../../shared/platform/kernel/units.ts'
import { stationPattern } from '../../shared/scheduling/weather/weather.rules.ts'
import { Id, name, note, oneLine, text } from '../http/schemas.ts'

/** Returns the schema of a time in tenths of an hour; absent means none. A booking lasts at most 60 days. */
const time = (example: number) =>
  inTenths(
    z
      .int()
      .min(0)
      .max(14_400)
      .default(ZERO)
      .meta({ unit: 'Tenths of an hour', examples: [example] }),
  )

const count = (example: number) =>
  z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .meta({ examples: [example] })

const ApproachInput = z.object({
  kind: name(40).meta({ examples: ['ILS 28R'] }),
  count: z.int().min(1).max(100).default(1),
  airport: z
    .string()
    .regex(stationPattern, fieldErrors.airport())
    .nullable()
    .default(null)
    .meta({ examples: ['KOAK'] }),
})

const LogRowInput = z.object({
  orgUserId: Id,
  pic: time(0).describe('Tenths of hours as pilot in command, 14 CFR 61.51(e)'),
  solo: time(0).describe('As sole occupant, 61.51(d)'),
  dualReceived: time(14).describe('Flight training received, 61.51(h)'),
  instruction: time(0).describe('Flight training given: the instructor’s'),
  crossCountry: time(0).describe('61.1(b)'),
  night: time(3).describe('From the end of evening to the beginning of morning civil twilight, 1.1'),
  actualInstrument: time(0).describe('61.51(b)(3)(ii)'),
  simulatedInstrument: time(5).describe('61.51(b)(3)(iii)'),
  simulator: time(0).describe('In a simulator or training device, 61.51(b)(2)(v)'),
  dayTakeoffs: count(3),
  dayLandings: count(3).describe('Those by night are not among them'),
  dayFullStops: count(1).describe('Among `dayLandings`'),
  nightTakeoffs: count(1).describe('From 1 hour after sunset to 1 hour before sunrise, 61.57(b)'),
  nightLandings: count(1),
  nightFullStops: count(1).describe('Among `nightLandings`; in the hours of 61.57(b)'),
  approaches: z.array(ApproachInput).max(50).default([]).describe('By reference to instruments, 61.51(g)(3), 61.57(c)'),
  holds: count(0),
  route: oneLine(200)
    .trim()
    .nullable()
    .default(null)
    .meta({ examples: ['KHWD KLVK KHWD'] }),
  remarks: text(2000).trim().nullable().default(null),
})

export const LogBody = z.object({
  rows: z.array(LogRowInput).min(1).max(20).describe('A row replaces that person’s; rows left out stay'),
  reason: note(1000)
    .nullable()
    .default(null)
    .describe('Why a closed log is corrected: of admins, required')
    .meta({ examples: [null] }),
})
