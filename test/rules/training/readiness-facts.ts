import type { JudgedTest } from '../../../src/shared/training/readiness/readiness.types.ts'
import type {
  AircraftFacts,
  EndorsementFact,
  ExperienceFacts,
  Loaded,
  MedicalFact,
  PersonFacts,
  ReadinessFacts,
  RecordFacts,
  RequirementFact,
  TestFact,
} from '../../../src/shared/training/readiness/readiness-facts.types.ts'

/** Facts whose sources were all read, so that a test can change them. */
export type ReadFacts = { [Key in keyof ReadinessFacts]: Exclude<ReadinessFacts[Key], 'failed'> } & {
  sought: JudgedTest
  aircraft: AircraftFacts
}

export const ZONE = 'America/Los_Angeles'

/** An instant of a local day in Los Angeles: noon, in summer and winter on the same day in UTC. */
export function noon(day: string): Date {
  return new Date(`${day}T20:00:00Z`)
}

/** The day on which the cases are judged, the day of the application and that of the test. */
export const TODAY = '2026-06-01'
export const APPLICATION = '2026-06-18'
export const TEST = '2026-06-20'

export const medical = (given: Partial<MedicalFact> = {}): MedicalFact => ({
  id: 21,
  class: 'third',
  examinedOn: '2025-03-14',
  courseOn: null,
  endedOn: null,
  selfRecorded: false,
  ...given,
})

export const endorsement = (code: string, given: Partial<EndorsementFact> = {}): EndorsementFact => ({
  id: 300 + Number(code.slice(2)),
  code,
  signedAt: noon('2026-05-20'),
  trainingAt: null,
  expiresAt: null,
  weak: null,
  makeAndModel: null,
  airport: null,
  otherAirport: null,
  flightOn: null,
  ofOtherCourse: false,
  ...given,
})

export const knowledge = (code: string | null, given: Partial<TestFact> = {}): TestFact => ({
  id: 41,
  kind: 'knowledge',
  code,
  takenAt: noon('2026-03-02'),
  result: 'passed',
  score: 100,
  deficiencies: null,
  ofCourse: true,
  selfRecorded: false,
  ...given,
})

const progress = (required: number, credited: number) => ({
  required,
  credited,
  disallowed: { simulator: 0, transfer: 0, stale: 0 },
  remaining: Math.max(0, required - credited),
  met: credited >= required,
})

/** A requirement in hours: what counts on the day of the test, of it proven, and what counts today; in tenths. */
export const requirement = (
  code: string,
  required: number,
  {
    atTest = required,
    proven = atTest,
    today = atTest,
    ...given
  }: Partial<Omit<RequirementFact, 'atTest' | 'proven' | 'today'>> & {
    atTest?: number
    proven?: number
    today?: number
  } = {},
): RequirementFact => ({
  id: 51,
  code,
  label: code,
  source: 'part61',
  inHours: true,
  atTest: progress(required, atTest),
  proven: progress(required, proven),
  today: progress(required, today),
  creditIds: [61],
  brought: 0,
  weak: null,
  lessonIds: [],
  booked: 0,
  ...given,
})

const hours: Readonly<Record<JudgedTest, readonly [string, number][]>> = {
  private: [
    ['PPL.TOTAL', 400],
    ['PPL.TEST_PREP', 30],
  ],
  instrument: [
    ['IR.PIC_XC', 500],
    ['IR.INSTRUMENT', 400],
    ['IR.TEST_PREP', 30],
  ],
  commercial: [
    ['CPL.TOTAL', 2500],
    ['CPL.TEST_PREP', 30],
  ],
  cfi: [['CFI.PIC_CLASS', 150]],
}

const codes = { private: ['PAR'], instrument: ['IRA'], commercial: ['CAX'], cfi: ['FOI', 'FIA'] } as const
const signed = {
  private: ['A.1', 'A.37'],
  instrument: ['A.44', 'A.43'],
  commercial: ['A.1', 'A.39'],
  cfi: ['A.1', 'A.47', 'A.49'],
} as const
const held = {
  private: { grade: 'student', ratings: [] },
  instrument: { grade: 'private', ratings: ['ASEL'] },
  commercial: { grade: 'private', ratings: ['ASEL', 'IR-A'] },
  cfi: { grade: 'commercial', ratings: ['ASEL', 'IR-A'] },
} as const

const ratings = { private: 'ASEL', instrument: 'IR-A', commercial: 'ASEL', cfi: 'CFI-ASE' } as const

const person = (sought: JudgedTest): PersonFacts => ({
  orgUserId: 11,
  birthDate: { value: '2004-02-11', weak: null },
  pilotCertificate: { value: held[sought], weak: null },
  instructorCertificate: { value: null, weak: null },
  identifications: [{ id: 31, verified: true, expiresAt: noon('2031-01-01') }],
})

const experience = (sought: JudgedTest): ExperienceFacts => ({
  requirements: hours[sought].map(([code, required], index) => requirement(code, required, { id: 51 + index })),
  graduation: null,
})

const record: RecordFacts = {
  unsigned: [],
  uncountersigned: [],
  stageCheck: { lessonId: 71, name: 'Final stage check', recordId: 72 },
  finalTest: { owed: false, passedId: null },
}

export const inspection = (
  kind: AircraftFacts['inspections'][number]['kind'],
  endsOn: string | null = '2026-11-30',
  known = true,
) => ({ id: 80 + kind.length, kind, name: kind, endsAt: endsOn === null ? null : noon(endsOn), known })

export const aircraft = (given: Partial<AircraftFacts> = {}): AircraftFacts => ({
  id: 81,
  name: 'N172SP',
  category: 'airplane',
  class: 'single_engine_land',
  grounded: null,
  modelKeys: ['172', 'cessna172'],
  inspections: (['annual', 'hundred_hour', 'elt', 'transponder', 'altimeter', 'vor'] as const).map((kind) =>
    inspection(kind),
  ),
  files: ['registration', 'airworthiness', 'weight_and_balance', 'poh'].map((category, index) => ({
    id: 90 + index,
    category,
    expiresAt: null,
  })),
  deferrals: [],
  place: { zone: ZONE, coordinates: null },
  booking: {
    id: 95,
    type: 'dual',
    start: noon(TEST),
    end: new Date(noon(TEST).getTime() + 4 * 3_600_000),
    ifr: false,
    supervised: true,
    solo: null,
  },
  ...given,
})

/** Returns the facts of a student who is ready for a test. */
export function readyFor(sought: JudgedTest, given: Partial<ReadFacts> = {}): ReadFacts {
  return {
    sought,
    covered: true,
    rating: ratings[sought],
    regulatoryPart: 'part61',
    graduationWithinDays: 60,
    at: noon(TEST),
    applicationAt: noon(APPLICATION),
    now: noon(TODAY),
    zone: ZONE,
    person: person(sought),
    medicals: [medical()],
    experience: experience(sought),
    endorsements: signed[sought].map((code) => endorsement(code)),
    tests: codes[sought].map((code, index) => knowledge(code, { id: 41 + index })),
    record,
    aircraft: aircraft(),
    ...given,
  }
}

/** The sources that can fail. */
export const sources = ['person', 'medicals', 'experience', 'endorsements', 'tests', 'record', 'aircraft'] as const
export type SourceName = (typeof sources)[number]

export const failing = (facts: ReadinessFacts, source: SourceName): ReadinessFacts => ({
  ...facts,
  [source]: 'failed' satisfies Loaded<never>,
})
