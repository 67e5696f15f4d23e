/** The weather of a station: the part of its METAR and of its TAF after the time. */
interface Climate {
  name: string
  metar: string
  taf: string
}

/** The airports around the demo school, at least one per flight category, and some well-known airports. */
const stations: Record<string, Climate> = {
  KHWD: {
    name: 'Hayward Executive, CA, US',
    metar: '28008KT 10SM FEW012 BKN035 18/11 A3002 RMK AO2 SLP164 T01830111',
    taf: '28008KT P6SM FEW015 {FM} 26005KT 5SM BR BKN012',
  },
  KOAK: {
    name: 'Oakland, CA, US',
    metar: '27010KT 10SM FEW010 SCT200 18/11 A3002 RMK AO2 SLP163 T01780111',
    taf: '27010KT P6SM SCT015 {FM} 25006KT 6SM BR BKN010',
  },
  KSFO: {
    name: 'San Francisco, CA, US',
    metar: '29014G21KT 9SM SCT008 BKN012 16/11 A3003 RMK AO2 SLP167 T01610111',
    taf: '29015G22KT P6SM BKN012 {FM} 28009KT 6SM BR OVC008',
  },
  KSQL: { name: 'San Carlos, CA, US', metar: '30006KT 4SM HZ CLR 19/10 A3001', taf: '30006KT 5SM HZ SKC' },
  KPAO: { name: 'Palo Alto, CA, US', metar: '33007KT 10SM CLR 20/10 A3001', taf: '33007KT P6SM SKC' },
  KLVK: {
    name: 'Livermore, CA, US',
    metar: '25006KT 10SM CLR 22/09 A3000 RMK AO2 SLP156 T02220094',
    taf: '25006KT P6SM SKC {FM} 24004KT P6SM FEW012',
  },
  KHAF: {
    name: 'Half Moon Bay, CA, US',
    metar: 'AUTO 00000KT 1/4SM FG VV002 12/12 A3004',
    taf: '00000KT 1/4SM FG VV002',
  },
  KMRY: {
    name: 'Monterey, CA, US',
    metar: '26004KT 2SM BR OVC006 13/12 A3003 RMK AO2 SLP168',
    taf: '26004KT 2SM BR OVC006 {FM} 28006KT P6SM SCT010',
  },
  KRNO: { name: 'Reno, NV, US', metar: '24012G20KT 10SM SCT120 BKN200 15/M04 A3008', taf: '24012G20KT P6SM SCT120' },
  KSCK: { name: 'Stockton, CA, US', metar: '31005KT 10SM CLR 21/10 A3001', taf: '31005KT P6SM SKC' },
}

/** Whether the stand-in has reports of a station. */
export function isKnown(station: string): boolean {
  return Object.hasOwn(stations, station)
}

/**
 * Returns the latest observation in the JSON shape of the Aviation Weather Center. Observations are made six minutes
 * before every full hour.
 */
export function observationOf(station: string, now: Date) {
  const { name, metar } = stations[station]!
  const observed = new Date(Math.floor((now.getTime() + 6 * MINUTE_MS) / HOUR_MS) * HOUR_MS - 6 * MINUTE_MS)
  return {
    icaoId: station,
    receiptTime: observed.toISOString(),
    obsTime: observed.getTime() / 1000,
    reportTime: observed.toISOString(),
    rawOb: `METAR ${station} ${stamp(observed)}Z ${metar}`,
    name,
  }
}

/** Returns a forecast for 24 hours from the last full hour. The weather changes after six hours. */
export function forecastOf(station: string, now: Date) {
  const { name, taf } = stations[station]!
  const from = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  const [issued, change, to] = [-0.5, 6, 24].map((hours) => new Date(from.getTime() + hours * HOUR_MS)) as [
    Date,
    Date,
    Date,
  ]
  return {
    icaoId: station,
    issueTime: issued.toISOString(),
    validTimeFrom: from.getTime() / 1000,
    validTimeTo: to.getTime() / 1000,
    rawTAF: `TAF ${station} ${stamp(issued)}Z ${hour(from)}/${hour(to)} ${taf.replace('{FM}', `FM${stamp(change)}`)}`,
    name,
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Returns day, hour and minute in UTC: 211954. */
function stamp(instant: Date): string {
  return instant.toISOString().replace(/^.{8}(..)T(..):(..).*$/, '$1$2$3')
}

/** Returns day and hour in UTC: 2119. */
function hour(instant: Date): string {
  return stamp(instant).slice(0, 4)
}
