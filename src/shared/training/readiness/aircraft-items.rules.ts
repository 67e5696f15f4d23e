import { localDate } from '../../platform/kernel/zones.ts'
import { type FlightKind, isOperation } from '../../scheduling/rules/inspection.rules.ts'
import { type Draft, daysOf, judgePapers, lastDayOf, unreadable } from './draft.rules.ts'
import type { AircraftFacts, InspectionKind, ReadinessFacts } from './readiness-facts.types.ts'

const files = ['registration', 'airworthiness', 'weight_and_balance', 'poh'] as const

const words: Readonly<Record<InspectionKind | (typeof files)[number], string>> = {
  annual: 'The annual inspection',
  hundred_hour: 'The 100-hour inspection',
  elt: 'The inspection of the emergency locator transmitter',
  transponder: 'The transponder test',
  altimeter: 'The altimeter and static test',
  vor: 'The VOR check',
  registration: 'The registration',
  airworthiness: 'The airworthiness certificate',
  weight_and_balance: 'The weight and balance',
  poh: 'The pilot’s operating handbook',
}

/** Returns the items about the aircraft of the test. */
export function aircraftDrafts(facts: ReadinessFacts): Draft[] {
  const { aircraft, sought } = facts
  if (aircraft === 'failed') return unreadable(['aircraft'])
  if (aircraft === null) return [noAircraft]
  const ifr = sought === 'instrument'
  return [
    ...(aircraft.category === 'airplane' ? classDrafts(facts, aircraft) : [otherCategory(aircraft)]),
    groundedDraft(aircraft),
    ...inspectionsFor(aircraft, ifr).map((kind) => inspectionDraft(facts, aircraft, kind)),
    ...files.map((category) => fileDraft(facts, aircraft, category)),
    ...deferralDrafts(facts, aircraft),
    bookingDraft(aircraft),
  ]
}

const noAircraft: Draft = {
  key: 'aircraft',
  status: 'unknown',
  message: 'No aircraft is planned for the test.',
  why: 'not_planned',
  owner: 'student',
  needs: { action: 'plan_aircraft' },
}

function otherCategory({ id, name }: AircraftFacts): Draft {
  return {
    ...noAircraft,
    message: `${name} is no airplane: the requirements for it are not known here.`,
    why: 'not_covered',
    evidence: [{ kind: 'resource', id }],
  }
}

/** The number of engines and the surface of a class; null: not known, or of no account. */
interface AirplaneClass {
  engines: 'single' | 'multi' | null
  surface: 'land' | 'sea' | null
}

/** The class of the airplane that each rating asks for; that of an instructor knows no surface (14 CFR 61.5(c)). */
const classes: Readonly<Record<string, AirplaneClass>> = {
  ASEL: { engines: 'single', surface: 'land' },
  AMEL: { engines: 'multi', surface: 'land' },
  ASES: { engines: 'single', surface: 'sea' },
  AMES: { engines: 'multi', surface: 'sea' },
  'CFI-ASE': { engines: 'single', surface: null },
  'CFI-AME': { engines: 'multi', surface: null },
}

/** Reads the class of an aircraft, which a school writes in its own words. */
function classOf({ class: said }: AircraftFacts): AirplaneClass {
  const text = said ?? ''
  return {
    engines: /multi/i.test(text) ? 'multi' : /single/i.test(text) ? 'single' : null,
    surface: /sea/i.test(text) ? 'sea' : /land/i.test(text) ? 'land' : null,
  }
}

/** Judges whether the airplane is of the class that is sought: an instrument rating is of none. */
function classDrafts({ sought, rating }: ReadinessFacts, aircraft: AircraftFacts): Draft[] {
  if (sought === null || sought === 'instrument') return []
  const { id, name } = aircraft
  const common = { key: 'aircraft:class', evidence: [{ kind: 'resource', id }], owner: 'school' } as const
  const wanted = rating === null ? undefined : classes[rating]
  const unknown = { ...common, status: 'unknown', why: 'not_on_record', needs: { action: 'ask_school' } } as const
  if (!wanted) return [{ ...unknown, message: 'The course does not say which class of airplane is sought.' }]
  const own = classOf(aircraft)
  const parts = (['engines', 'surface'] as const).filter((part) => wanted[part] !== null)
  if (parts.some((part) => own[part] !== null && own[part] !== wanted[part])) {
    const message = `${name} is not of the class that is sought: ${rating}.`
    return [{ ...common, status: 'missing', message, owner: 'student', needs: { action: 'plan_aircraft' } }]
  }
  if (parts.some((part) => own[part] === null)) {
    return [{ ...unknown, message: `The class of ${name} is not on record.` }]
  }
  return [{ ...common, status: 'met', message: `${name} is of the class that is sought.` }]
}

function groundedDraft({ id, name, grounded }: AircraftFacts): Draft {
  const common = { key: 'aircraft:grounded', evidence: [{ kind: 'resource', id }], owner: 'school' } as const
  if (grounded === null) return { ...common, status: 'met', message: `${name} is not grounded.` }
  const needs = { action: 'release_aircraft' } as const
  return { ...common, status: 'missing', message: `${name} is grounded: ${grounded}`, needs }
}

/** The 100-hour inspection is asked of an aircraft that has such an item. */
function inspectionsFor({ inspections }: AircraftFacts, ifr: boolean): InspectionKind[] {
  const has100 = inspections.some(({ kind }) => kind === 'hundred_hour')
  return [
    'annual',
    ...(has100 ? ['hundred_hour' as const] : []),
    'elt',
    'transponder',
    ...(ifr ? (['altimeter', 'vor'] as const) : []),
  ]
}

/** Judges all items of a kind, to the end of the booking for the test: the aircraft may have several, and the first that is due counts. */
function inspectionDraft(facts: ReadinessFacts, aircraft: AircraftFacts, kind: InspectionKind): Draft {
  const { inspections, booking } = aircraft
  const landsAt = booking?.end ?? facts.at
  const all = inspections.filter((one) => one.kind === kind)
  const common = {
    key: `aircraft:${kind}`,
    evidence: all.map(({ id }) => ({ kind: 'reminder', id }) as const),
    owner: 'school',
  } as const
  const complete = { action: 'complete_maintenance' } as const
  const due = all.find(({ endsAt }) => endsAt !== null && endsAt < landsAt)
  if (due?.endsAt) {
    const lastDay = localDate(due.endsAt, facts.zone)
    return { ...common, status: 'ends_before', message: `${words[kind]} is good to ${lastDay}.`, needs: complete }
  }
  if (all.length === 0) {
    const message = `${words[kind]}: the aircraft has no maintenance item of this kind.`
    return { ...common, status: 'unknown', message, why: 'not_on_record', needs: { action: 'add_maintenance_item' } }
  }
  if (all.some(({ known }) => !known)) {
    const message = `${words[kind]}: when it is due is not on record.`
    return { ...common, status: 'unknown', message, why: 'no_reading', needs: complete }
  }
  const first = all.flatMap(({ endsAt }) => endsAt ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
  const until = first ? `good to ${localDate(first, facts.zone)}` : 'not due by what is booked'
  return { ...common, status: 'met', message: `${words[kind]} is ${until}.` }
}

function fileDraft(facts: ReadinessFacts, aircraft: AircraftFacts, category: (typeof files)[number]): Draft {
  const papers = aircraft.files
    .filter((file) => file.category === category)
    .map(({ id, expiresAt }) => ({
      evidence: { kind: 'resource_file', id } as const,
      weak: null,
      lastDay: lastDayOf(expiresAt, facts.at, facts.zone),
    }))
  const verdict = judgePapers(papers, daysOf(facts).test)
  const common = {
    key: `aircraft:${category}`,
    evidence: verdict.paper ? [verdict.paper.evidence] : [],
    owner: 'school',
  } as const
  const needs = { action: 'add_aircraft_file' } as const
  if (verdict.status === 'met') return { ...common, status: 'met', message: `${words[category]} is on file.` }
  if (verdict.status === 'ends_before') {
    const message = `${words[category]} is good to ${verdict.lastDay}.`
    return { ...common, status: 'ends_before', message, needs }
  }
  return { ...common, status: 'missing', message: `${words[category]} is not on file.`, needs }
}

/** The time that a test takes where no booking says it. */
const TEST_MS = 3 * 3_600_000

/**
 * Returns the flight of the test: the booking, or else one without an instructor. The test for an instrument rating is
 * flown by instrument rules, whatever the booking says.
 */
function flightOf({ at, sought, regulatoryPart }: ReadinessFacts, { booking }: AircraftFacts): FlightKind {
  const end = new Date(at.getTime() + TEST_MS)
  const flight = booking ?? { start: at, end, type: 'rental', ifr: false, supervised: false }
  const inPart141 = regulatoryPart === 'part141'
  return { ...flight, inPart141, ifr: flight.ifr || sought === 'instrument' }
}

/** Returns one item for all deferrals: one that ends before the test, or excludes its flight, as it would a booking. */
function deferralDrafts(facts: ReadinessFacts, aircraft: AircraftFacts): Draft[] {
  const { deferrals, place } = aircraft
  if (deferrals.length === 0) return []
  const flight = flightOf(facts, aircraft)
  const day = localDate(facts.at, facts.zone)
  const common = { key: 'aircraft:deferral', owner: 'school' } as const
  const needs = { action: 'resolve_squawk' } as const
  const excluding = deferrals.find(({ excludes }) =>
    excludes.some((operation) => isOperation(operation, flight, place)),
  )
  if (excluding) {
    const message = `${excluding.title}: deferred, and the test is excluded.`
    return [{ ...common, status: 'missing', message, evidence: [{ kind: 'squawk', id: excluding.id }], needs }]
  }
  const ending = deferrals.find(({ until }) => until !== null && until < day)
  if (ending) {
    const message = `${ending.title}: deferred to ${ending.until}.`
    return [{ ...common, status: 'ends_before', message, evidence: [{ kind: 'squawk', id: ending.id }], needs }]
  }
  const evidence = deferrals.map(({ id }) => ({ kind: 'squawk', id }) as const)
  return [{ ...common, status: 'met', message: 'No deferral excludes the test.', evidence }]
}

function bookingDraft({ name, booking }: AircraftFacts): Draft {
  const common = { key: 'aircraft:booked', owner: 'student' } as const
  if (booking) {
    const evidence = [{ kind: 'reservation', id: booking.id } as const]
    return { ...common, status: 'met', message: `${name} is booked for the test.`, evidence }
  }
  const needs = { action: 'book_aircraft' } as const
  return { ...common, status: 'missing', message: `${name} is not booked for the student at the test.`, needs }
}
