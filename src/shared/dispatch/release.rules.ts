import { formatReading } from '../platform/kernel/hours.ts'
import { hundredths, minus } from '../platform/kernel/units.ts'
import { checkInspections } from '../scheduling/rules/inspection.rules.ts'
import { givenFor, keptFor, mayOverride } from '../scheduling/rules/override.rules.ts'
import { settingsOf } from '../scheduling/rules/rule-catalogue.rules.ts'
import { routeInWords, soloFlightOf } from '../scheduling/rules/solo-flight.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { Meter } from './meters.rules.ts'
import type { CheckStatus, Release, ReleaseCheck, ReleaseFacts } from './release.types.ts'
import { ruleChecks } from './rule-checks.rules.ts'

/**
 * The largest difference between a reading and the aircraft's own meter without a warning, in hundredths of an hour.
 */
const LARGEST_GAP = hundredths(10)
const MINUTE_MS = 60_000

/**
 * Decides whether a booking may leave now, by the booking rules with the present facts and by the checks of the aircraft: `blocked` when
 * any check blocks, otherwise `advisory` when any check warns, otherwise `released`. Implements interface §Dispatch.
 */
export function releaseOf(facts: ReleaseFacts): Release {
  const { checks: ofRules, overridden, denied, paperless } = ruleChecks(facts)
  const checks = [...ofRules, ...ofAircraft.flatMap((check) => check(facts))]
  const has = (status: CheckStatus) => checks.some((check) => check.status === status)
  const verdict = has('block') ? 'blocked' : has('warn') ? 'advisory' : 'released'
  return { verdict, checks, overridden, denied, paperless }
}

type AircraftChecks = (facts: ReleaseFacts) => ReleaseCheck[]

const fixed = { overridable: false } as const

function resourceOf({ booking: { resource } }: ReleaseFacts) {
  return { resourceId: resource?.id, name: resource?.name ?? '' }
}

const resourceMissing: AircraftChecks = ({ booking: { resource }, reservation: { id, title } }) => {
  const about = { rule: 'resource_missing', subject: { reservationId: id, name: title }, ...fixed } as const
  if (!resource) return [{ ...about, ...dispatchErrors.resourceNotNamed(), status: 'block' }]
  return [{ ...about, code: 'MET', message: dispatchErrors.resourceNamed(), status: 'ok' }]
}

/** Returns one check per open squawk. A grounding squawk blocks; any other warns until the caller has acknowledged it. */
const openSquawks: AircraftChecks = (facts) => {
  const { squawks, acknowledged, booking } = facts
  if (!booking.resource) return []
  const about = { rule: 'open_squawk', ...fixed } as const
  if (squawks.length === 0) {
    return [{ ...about, code: 'MET', message: dispatchErrors.noSquawk(), status: 'ok', subject: resourceOf(facts) }]
  }
  return squawks.map(({ id, title, grounding }) => ({
    ...about,
    ...dispatchErrors.squawkOpen({ title }),
    status: grounding ? 'block' : acknowledged.includes(id) ? 'ok' : 'warn',
    subject: { squawkId: id, name: title },
  }))
}

/**
 * Returns one check per maintenance item of the aircraft. When the booked hours would pass the item, a grounding item blocks and any
 * other item warns; an override of `inspection_due` meets the check.
 */
const inspectionsCrossed: AircraftChecks = ({ booking, callerName }) => {
  const { resource, actor } = booking
  if (!resource) return []
  const settings = settingsOf('inspection_due', booking.settings.rules)
  return resource.inspections.map((item): ReleaseCheck => {
    const about = { rule: 'inspection_crossed', subject: { reminderId: item.id, name: item.name } } as const
    const [finding] = checkInspections({ ...booking, resource: { ...resource, inspections: [item] } })
    if (!finding)
      return { ...about, ...fixed, code: 'MET', message: dispatchErrors.itemNotDue({ item: item.name }), status: 'ok' }
    const may = mayOverride(settings, finding, actor)
    const found = {
      ...about,
      code: 'INSPECTION_CROSSED',
      message: finding.message,
      overridable: item.grounding && may,
    } as const
    const kept = keptFor('inspection_due', finding, booking)
    const given = may && givenFor('inspection_due', finding, booking.overrides)
    if (!kept && !given) return { ...found, status: item.grounding ? 'block' : 'warn' }
    const overriddenBy = kept ? kept.by : { orgUserId: actor.orgUserId, name: callerName }
    return { ...found, status: 'ok', overridable: false, overriddenBy }
  })
}

const meterGaps: AircraftChecks = (facts) =>
  (['hobbs', 'tach'] as const satisfies Meter[]).flatMap((meter): ReleaseCheck[] => {
    const [own, given] = [facts.meters[meter], facts.readings[meter]]
    if (own === null || given === null) return []
    const about = { rule: 'meter_gap', subject: { ...resourceOf(facts), name: meter }, ...fixed } as const
    const gap = Math.abs(minus(given, own))
    if (gap <= LARGEST_GAP)
      return [{ ...about, code: 'MET', message: dispatchErrors.meterFits({ meter }), status: 'ok' }]
    const readings = { meter, given: formatReading(given), own: formatReading(own) }
    return [{ ...about, ...dispatchErrors.meterGap(readings), status: 'warn' }]
  })

const stillOut: AircraftChecks = (facts) => {
  const { outOn, booking } = facts
  if (!booking.resource) return []
  const about = { rule: 'resource_out', subject: resourceOf(facts), ...fixed } as const
  const { name: resource } = about.subject
  if (outOn === null) return [{ ...about, code: 'MET', message: dispatchErrors.resourceIn({ resource }), status: 'ok' }]
  const subject = { ...about.subject, reservationId: outOn }
  return [
    {
      ...about,
      subject,
      code: 'RESOURCE_OUT',
      message: dispatchErrors.resourceStillOut({ resource }),
      status: 'block',
    },
  ]
}

const tooEarly: AircraftChecks = ({
  booking: { now },
  reservation: { id, title, start },
  rampOutLeadMinutes: lead,
}) => {
  const about = { rule: 'early_ramp_out', subject: { reservationId: id, name: title }, ...fixed } as const
  const isEarly = start.getTime() - now.getTime() > lead * MINUTE_MS
  if (!isEarly) return [{ ...about, code: 'MET', message: dispatchErrors.notTooEarly(), status: 'ok' }]
  return [{ ...about, ...dispatchErrors.tooEarly({ minutes: lead }), status: 'warn' }]
}

/** Says where a solo flight goes: a flight that says nothing is local. */
const soloRoute: AircraftChecks = ({ booking, reservation: { id, title } }) => {
  if (booking.booking.type !== 'solo') return []
  const message = dispatchErrors.soloGoes({ route: routeInWords(soloFlightOf(booking)) })
  return [
    { rule: 'solo_route', subject: { reservationId: id, name: title }, ...fixed, code: 'MET', message, status: 'ok' },
  ]
}

/** Returns one check per file that the organization requires of an aircraft (documents on board: 14 CFR 91.203, 91.9). */
const aircraftFiles: AircraftChecks = (facts) => {
  const { booking, files, requiredFiles } = facts
  if (booking.resource?.kind !== 'plane') return []
  return requiredFiles.map((category): ReleaseCheck => {
    const about = { rule: 'aircraft_file', subject: { ...resourceOf(facts), name: category }, ...fixed } as const
    const of = files.filter((file) => file.category === category)
    const isValid = of.some(({ expiresAt }) => expiresAt === null || expiresAt > booking.now)
    if (isValid) return { ...about, code: 'MET', message: dispatchErrors.fileThere({ category }), status: 'ok' }
    const problem = of.length > 0 ? dispatchErrors.fileExpired({ category }) : dispatchErrors.fileMissing({ category })
    return { ...about, ...problem, status: 'warn' }
  })
}

const ofAircraft = [
  resourceMissing,
  stillOut,
  openSquawks,
  inspectionsCrossed,
  meterGaps,
  tooEarly,
  aircraftFiles,
  soloRoute,
] as const
