import fc from 'fast-check'
import { addDays } from '../../../src/shared/platform/kernel/zones.ts'
import { type JudgedTest, judgedTests, type Verdict } from '../../../src/shared/training/readiness/readiness.types.ts'
import type {
  EndorsementFact,
  RequirementFact,
  TestFact,
} from '../../../src/shared/training/readiness/readiness-facts.types.ts'
import {
  aircraft,
  endorsement,
  inspection,
  knowledge,
  medical,
  noon,
  type ReadFacts,
  readyFor,
  requirement,
  TODAY,
} from './readiness-facts.ts'

const daysAgo = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((days) => addDays(TODAY, -days))
const some = <T>(...all: T[]) => fc.subarray(all)

/** Medicals that are good through June 2026 at any age, and others beside them. */
const medicals = fc.tuple(
  fc.oneof(
    fc.record({ class: fc.constantFrom('first', 'second', 'third'), examinedOn: daysAgo(1, 600) }),
    fc.record({ class: fc.constant('basic'), examinedOn: daysAgo(1, 600), courseOn: daysAgo(1, 600) }),
  ) as fc.Arbitrary<Partial<ReturnType<typeof medical>>>,
  some(
    medical({ id: 22, examinedOn: '2018-02-01' }),
    medical({ id: 23, selfRecorded: true }),
    medical({ id: 24, endedOn: '2026-01-10' }),
  ),
)

const certificates: Readonly<Record<JudgedTest, readonly [grade: string, ratings: string[]][]>> = {
  private: [
    ['student', []],
    ['sport', []],
    ['recreational', ['ASEL']],
  ],
  instrument: [
    ['private', ['ASEL']],
    ['commercial', ['airplane_multi_engine_land', 'AMEL']],
  ],
  commercial: [
    ['private', ['ASEL', 'IR-A']],
    ['private', ['ASES']],
  ],
  cfi: [
    ['commercial', ['ASEL', 'IR-A']],
    ['airline_transport', ['AMEL', 'IR-A']],
  ],
}

/** Endorsements that prove nothing beside those that do. */
const besides = (facts: ReadFacts): EndorsementFact[] =>
  facts.endorsements.flatMap((one) => [
    { ...one, id: one.id + 1000, weak: 'unproven' as const },
    { ...one, id: one.id + 2000, weak: 'superseded' as const },
    { ...one, id: one.id + 3000, signedAt: noon('2025-11-03'), expiresAt: noon('2025-12-31') },
    { ...one, id: one.id + 4000, ofOtherCourse: true, signedAt: noon('2026-05-29') },
  ])

/** Tests that change nothing: of another course, discontinued, or failed before one that was passed. */
const otherTests = (facts: ReadFacts): TestFact[] => [
  knowledge('XYZ', { id: 901, result: 'failed', ofCourse: false }),
  knowledge(null, { id: 902, kind: 'practical', result: 'failed', ofCourse: false }),
  knowledge(null, { id: 903, kind: 'practical', result: 'discontinued' }),
  knowledge(null, { id: 904, kind: 'stage', result: 'failed' }),
  ...facts.tests.map((one) => ({ ...one, id: one.id + 1000, result: 'failed' as const, takenAt: noon('2024-03-01') })),
]

const knobs = fc.record({
  sought: fc.constantFrom(...judgedTests),
  testIn: fc.integer({ min: 0, max: 29 }),
  appliesBefore: fc.integer({ min: 0, max: 10 }),
  birthDate: fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2007-06-01', -days)),
  medicals,
  certificate: fc.nat(),
  testedOn: daysAgo(2, 730),
  deficient: fc.boolean(),
  trainedOn: daysAgo(0, 31),
  retested: fc.boolean(),
  extraHours: fc.integer({ min: 0, max: 300 }),
  ofSchool: fc.boolean(),
  checked: fc.boolean(),
  finalTest: fc.boolean(),
  dueIn: fc.integer({ min: 30, max: 400 }),
  has100: fc.boolean(),
  deferral: fc.constantFrom('none', 'by_night', 'later'),
  besides: fc.array(fc.nat(), { maxLength: 4 }),
})

/** Students who are ready for a test in June 2026, each with what a record also holds. */
export const readyEnrollments: fc.Arbitrary<ReadFacts> = knobs.map((given) => {
  const ready = readyFor(given.sought)
  const at = noon(addDays(TODAY, given.testIn))
  const applicationAt = noon(addDays(TODAY, given.testIn - Math.min(given.appliesBefore, given.testIn)))
  const [grade, ratings] = certificates[given.sought][given.certificate % certificates[given.sought].length]!
  const score = given.deficient ? 84 : 100
  const tests = ready.tests.map((one) => ({ ...one, takenAt: noon(given.testedOn), score }))
  const trained = ready.endorsements.map((one) => ({
    ...one,
    signedAt: noon(given.trainedOn),
    trainingAt: noon(given.trainedOn),
  }))
  const failed = knowledge(null, { id: 905, kind: 'practical', result: 'failed', takenAt: noon('2026-05-03') })
  const signed = [
    ...trained,
    ...(given.deficient ? [endorsement('A.2', { signedAt: noon(TODAY) })] : []),
    ...(given.retested ? [endorsement('A.77', { signedAt: noon(TODAY) })] : []),
  ]
  const base: ReadFacts = { ...ready, tests, endorsements: signed }
  const picked = <T>(all: readonly T[]) =>
    given.besides.flatMap((index) => (all.length === 0 ? [] : [all[index % all.length]!]))
  const own = requirement('SCHOOL.OWN', 50, { id: 59, source: 'school', atTest: 10 })
  const requirements = ready.experience.requirements.map((one) =>
    requirement(one.code, one.atTest.required, { id: one.id, atTest: one.atTest.required + given.extraHours }),
  )
  const inspections = aircraft()
    .inspections.filter(({ kind }) => kind !== 'hundred_hour' || given.has100)
    .map(({ kind }) => inspection(kind, addDays(TODAY, given.dueIn)))
  const deferral = {
    id: 97,
    title: 'Landing light',
    excludes: ['night_for_hire_or_instruction'] as const,
    until: given.deferral === 'later' ? '2026-08-01' : null,
  }
  return {
    ...base,
    at,
    applicationAt,
    person: {
      ...ready.person,
      birthDate: { value: given.birthDate, weak: null },
      pilotCertificate: { value: { grade, ratings }, weak: null },
    },
    medicals: [...given.medicals[1], medical(given.medicals[0])],
    experience: { ...ready.experience, requirements: given.ofSchool ? [own, ...requirements] : requirements },
    tests: [...picked(otherTests(base)), ...tests, ...(given.retested ? [failed] : [])],
    endorsements: [...picked(besides(base)), ...signed],
    record: {
      ...ready.record,
      stageCheck: given.checked ? ready.record.stageCheck : null,
      finalTest: { owed: given.finalTest, passedId: given.finalTest ? 48 : null },
    },
    aircraft: aircraft({
      inspections,
      files: [...aircraft().files, { id: 99, category: 'registration', expiresAt: noon('2025-01-01') }],
      deferrals: given.deferral === 'none' ? [] : [deferral],
      booking: { ...aircraft().booking!, start: at, end: new Date(at.getTime() + 3 * 3_600_000) },
    }),
  }
})

type Seed = (facts: ReadFacts) => ReadFacts

/** A defect, and the items that it opens, as `key status`. */
export interface Defect {
  name: string
  seed: Seed
  finds: (ready: ReadFacts) => string[]
  verdict: Verdict
}

const prerequisite = ({ sought }: ReadFacts) => (sought === 'instrument' ? 'A.44' : 'A.1')
const practical = { private: 'A.37', instrument: 'A.43', commercial: 'A.39', cfi: 'A.47' } as const
const withoutCode =
  (codeOf: (facts: ReadFacts) => string): Seed =>
  (facts) => ({ ...facts, endorsements: facts.endorsements.filter(({ code }) => code !== codeOf(facts)) })
const onFirst =
  (change: (one: ReadFacts['experience']['requirements'][number]) => Partial<typeof one>): Seed =>
  (facts) => ({
    ...facts,
    experience: {
      ...facts.experience,
      requirements: facts.experience.requirements.map((one) => (one.id === 51 ? { ...one, ...change(one) } : one)),
    },
  })
const firstCode = ({ experience }: ReadFacts) => experience.requirements.find(({ id }) => id === 51)!.code
const unmet = (required: number) => ({
  required,
  credited: required - 1,
  remaining: 1,
  met: false,
  disallowed: { simulator: 0, transfer: 0, stale: 0 },
})
const flying =
  (change: (plane: ReadFacts['aircraft']) => Partial<ReadFacts['aircraft']>): Seed =>
  (facts) =>
    facts.aircraft === null ? facts : { ...facts, aircraft: { ...facts.aircraft, ...change(facts.aircraft) } }
const notReady = (name: string, seed: Seed, finds: Defect['finds']): Defect => ({
  name,
  seed,
  finds,
  verdict: 'not_ready',
})

export const defects: readonly Defect[] = [
  notReady(
    'a student too young for any test, or without a certificate',
    (facts) => ({
      ...facts,
      person: {
        ...facts.person,
        ...(facts.sought === 'instrument'
          ? { pilotCertificate: { value: null, weak: null } }
          : { birthDate: { value: '2010-01-01', weak: null } }),
      },
    }),
    ({ sought }) => [sought === 'instrument' ? 'certificate_held missing' : 'age missing'],
  ),
  notReady(
    'an identification that has ended',
    (facts) => ({
      ...facts,
      person: { ...facts.person, identifications: [{ id: 31, verified: true, expiresAt: noon('2026-05-01') }] },
    }),
    () => ['identity ends_before'],
  ),
  notReady(
    'medicals that have ended',
    (facts) => ({
      ...facts,
      medicals: facts.medicals.map((one) => ({
        ...one,
        examinedOn: '2019-01-05',
        courseOn: one.courseOn && '2019-01-06',
      })),
    }),
    () => ['medical ends_before'],
  ),
  notReady(
    'no knowledge test',
    (facts) => ({ ...facts, tests: facts.tests.filter(({ kind }) => kind !== 'knowledge') }),
    () => ['knowledge_test missing'],
  ),
  notReady(
    'knowledge tests that have ended',
    (facts) => ({
      ...facts,
      tests: facts.tests
        .filter(({ kind, result }) => kind !== 'knowledge' || result === 'passed')
        .map((one) => (one.kind === 'knowledge' ? { ...one, takenAt: noon('2024-02-10') } : one)),
    }),
    () => ['knowledge_test ends_before'],
  ),
  notReady(
    'hours that are missing',
    onFirst(({ atTest }) => ({
      proven: unmet(atTest.required),
      atTest: unmet(atTest.required),
      today: unmet(atTest.required),
    })),
    (ready) => [`experience:${firstCode(ready)} missing`],
  ),
  notReady(
    'hours that are too old at the test',
    onFirst(({ atTest }) => ({ proven: unmet(atTest.required), atTest: unmet(atTest.required) })),
    (ready) => [`experience:${firstCode(ready)} ends_before`],
  ),
  notReady(
    'training too long before the application',
    (facts) => ({
      ...facts,
      endorsements: facts.endorsements.map((one) =>
        one.code === prerequisite(facts) ? { ...one, trainingAt: noon('2026-03-10'), weak: null } : one,
      ),
    }),
    (ready) => [`endorsement:${prerequisite(ready)} ends_before`],
  ),
  notReady('no endorsement of the prerequisites', withoutCode(prerequisite), (ready) => [
    `endorsement:${prerequisite(ready)} missing`,
  ]),
  notReady(
    'no endorsement for the test',
    withoutCode(({ sought }) => practical[sought]),
    ({ sought }) => [`endorsement:${practical[sought]} missing`],
  ),
  notReady(
    'deficient subjects that nobody reviewed since',
    (facts) => ({
      ...withoutCode(() => 'A.2')(facts),
      tests: facts.tests.map((one) =>
        one.kind === 'knowledge' && one.result === 'passed' ? { ...one, score: 80, takenAt: noon(TODAY) } : one,
      ),
      endorsements: facts.endorsements
        .filter(({ code }) => code !== 'A.2')
        .map((one) => ({ ...one, signedAt: new Date(Math.min(one.signedAt.getTime(), noon('2026-05-31').getTime())) })),
    }),
    () => ['endorsement:A.2 missing'],
  ),
  notReady(
    'a practical test that was failed today',
    (facts) => ({
      ...withoutCode(() => 'A.77')(facts),
      tests: [knowledge(null, { id: 906, kind: 'practical', result: 'failed', takenAt: noon(TODAY) }), ...facts.tests],
    }),
    () => ['retest missing'],
  ),
  notReady(
    'a record that is not signed',
    (facts) => ({ ...facts, record: { ...facts.record, unsigned: [73] } }),
    () => ['record:signed missing'],
  ),
  notReady(
    'a record that is not countersigned',
    (facts) => ({ ...facts, record: { ...facts.record, uncountersigned: [73] } }),
    () => ['record:countersigned missing'],
  ),
  notReady(
    'a stage check that is not passed',
    (facts) => ({ ...facts, record: { ...facts.record, stageCheck: { lessonId: 71, name: 'Check', recordId: null } } }),
    () => ['record:stage_check missing'],
  ),
  notReady(
    'an annual inspection that has ended',
    flying(({ inspections }) => ({ inspections: [...inspections, inspection('annual', '2026-05-31')] })),
    () => ['aircraft:annual ends_before'],
  ),
  notReady(
    'an aircraft that is grounded',
    flying(() => ({ grounded: 'Open squawk' })),
    () => ['aircraft:grounded missing'],
  ),
  notReady(
    'a deferral that excludes instruction',
    flying(() => ({ deferrals: [{ id: 97, title: 'Beacon', excludes: ['for_hire_or_instruction'], until: null }] })),
    () => ['aircraft:deferral missing'],
  ),
  notReady(
    'an aircraft without its papers',
    flying(({ files }) => ({ files: files.filter(({ category }) => category !== 'weight_and_balance') })),
    () => ['aircraft:weight_and_balance missing'],
  ),
  notReady(
    'an aircraft that is not booked',
    flying(() => ({ booking: null })),
    () => ['aircraft:booked missing'],
  ),
  {
    name: 'no aircraft',
    seed: (facts) => ({ ...facts, aircraft: null as never }),
    finds: () => ['aircraft unknown'],
    verdict: 'unknown',
  },
]

/** Evidence that counts for nothing as it is, and the item that is then unknown. */
export interface WeakVariant {
  name: string
  seed: Seed
  key: (ready: ReadFacts) => string
}

const weakened = (
  name: string,
  codeOf: (facts: ReadFacts) => string,
  weak: NonNullable<EndorsementFact['weak']>,
): WeakVariant => ({
  name,
  seed: (facts) => ({
    ...facts,
    endorsements: facts.endorsements.map((one) => (one.code === codeOf(facts) ? { ...one, weak } : one)),
  }),
  key: (ready) => `endorsement:${codeOf(ready)}`,
})

const passedTests =
  (change: Partial<TestFact>): Seed =>
  (facts) => ({
    ...facts,
    tests: facts.tests
      .filter(({ kind, result }) => kind !== 'knowledge' || result === 'passed')
      .map((one) => (one.kind === 'knowledge' ? { ...one, ...change } : one)),
  })

const credited = (weak: NonNullable<RequirementFact['weak']>): WeakVariant => ({
  name: `credit: ${weak}`,
  seed: onFirst(({ atTest }) => ({ proven: unmet(atTest.required), weak })),
  key: (ready) => `experience:${firstCode(ready)}`,
})

const ofPerson = (name: string, key: string, change: Partial<ReadFacts['person']>): WeakVariant => ({
  name,
  seed: (facts) => ({ ...facts, person: { ...facts.person, ...change } }),
  key: () => key,
})

export const weakVariants: readonly WeakVariant[] = [
  ofPerson('a certificate that nobody verified', 'certificate_held', {
    pilotCertificate: { value: null, weak: 'unverified' },
  }),
  ofPerson('a certificate that the student verified', 'certificate_held', {
    pilotCertificate: { value: { grade: 'commercial', ratings: ['ASEL', 'IR-A'] }, weak: 'self_recorded' },
  }),
  ofPerson('an identification that nobody verified', 'identity', {
    identifications: [{ id: 31, verified: false, expiresAt: null }],
  }),
  ofPerson('no identification', 'identity', { identifications: [] }),
  {
    name: 'medicals that the student recorded',
    seed: (facts) => ({ ...facts, medicals: facts.medicals.map((one) => ({ ...one, selfRecorded: true })) }),
    key: () => 'medical',
  },
  {
    name: 'knowledge tests without a code',
    seed: passedTests({ code: null, ofCourse: true }),
    key: () => 'knowledge_test',
  },
  {
    name: 'knowledge tests that the student recorded',
    seed: passedTests({ selfRecorded: true }),
    key: () => 'knowledge_test',
  },
  weakened('prerequisites without a proven signature', prerequisite, 'unproven'),
  weakened('prerequisites that were disowned', prerequisite, 'disowned'),
  weakened('prerequisites that were replaced', prerequisite, 'superseded'),
  weakened('an endorsement for the test without a proven signature', ({ sought }) => practical[sought], 'unproven'),
  credited('posted_by_hand'),
  credited('without_proof'),
  credited('self_recorded'),
  credited('contradicts_meters'),
  {
    name: 'an inspection without a due date',
    seed: flying(({ inspections }) => ({
      inspections: inspections.map((one) => (one.kind === 'elt' ? { ...one, endsAt: null, known: false } : one)),
    })),
    key: () => 'aircraft:elt',
  },
  {
    name: 'no maintenance item for the transponder',
    seed: flying(({ inspections }) => ({ inspections: inspections.filter(({ kind }) => kind !== 'transponder') })),
    key: () => 'aircraft:transponder',
  },
]
