import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../platform/db/columns.ts'
import type { Tenths } from '../platform/kernel/units.ts'
import type { Approach } from './flight-log.types.ts'

const time = () => p.integer().$type<Tenths>()

/** What one person logs of a flight: one row per person and booking. Times are tenths of hours. */
export const FlightLog = defineEntity({
  name: 'FlightLog',
  tableName: 'flight_log',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    membershipId: p.integer(),
    picTenths: time(),
    soloTenths: time(),
    dualReceivedTenths: time(),
    instructionTenths: time(),
    crossCountryTenths: time(),
    nightTenths: time(),
    actualInstrumentTenths: time(),
    simulatedInstrumentTenths: time(),
    simulatorTenths: time(),
    dayTakeoffs: p.integer(),
    dayLandings: p.integer(),
    dayFullStops: p.integer(),
    nightTakeoffs: p.integer(),
    nightLandings: p.integer(),
    nightFullStops: p.integer(),
    holds: p.integer(),
    approaches: p.json<Approach[]>(),
    route: p.text().nullable(),
    remarks: p.text().nullable(),
    writtenBy: p.integer(),
  },
})
