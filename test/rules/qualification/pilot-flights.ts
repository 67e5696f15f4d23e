import type { AircraftScope, PilotFlight } from '../../../src/shared/qualification/currencies/recency.types.ts'

export const single: AircraftScope = {
  category: 'airplane',
  class: 'single_engine_land',
  type: null,
  tailwheel: false,
}

const nothing = {
  dayTakeoffs: 0,
  dayLandings: 0,
  dayFullStops: 0,
  nightTakeoffs: 0,
  nightLandings: 0,
  nightFullStops: 0,
  approaches: 0,
  holds: 0,
}

/** Returns a flight at 18:00 UTC of a day, whose id is the day as a number. */
export function flown(day: string, figures: Partial<typeof nothing>, aircraft = single): PilotFlight {
  const id = Number(day.replaceAll('-', ''))
  return { id, at: new Date(`${day}T18:00:00Z`), day, aircraft, device: false, ...nothing, ...figures }
}
